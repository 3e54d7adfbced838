import { DONE } from '../../api/answer-texts.js'
import type { DayOfFeesAnswer } from '../../api/operator/fee-answer.js'
import type { LedgerAnswer } from '../../api/operator/ledger-answer.js'
import type { Exchange } from '../../exchange/exchange.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { operatorRoutes } from '../../api/operator/operator-routes.js'
import { rangedPage } from '../../api/page-query.js'
import type { MarketCode } from '../../core/units.js'
import { amountToRupees } from '../../core/units.js'
import type { FeeDayPlace, FeeDayRow } from '../../store/rows/fee-day-rows.js'
import { startOfFeeDay } from '../../store/rows/fee-day-rows.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'

/**
 * Serves operators a check that the money adds up. Faults are a successful answer with `ok: false` and the
 * findings, since the check itself worked.
 */
export function ledgerHandlers(exchange: Exchange): Binding[] {
  return [
    handle(operatorRoutes.verifyLedger, async call => {
      const { sequence, accounts, markets, openOrders, rules } = unlessBusy(
        await exchange.archive.verifyLedger(),
      )
      const checks = rules.map(({ rule, findings }) => ({ rule, ok: findings.length === 0 }))
      const findings = rules.flatMap(({ rule, findings }) => findings.map(finding => `${rule}: ${finding}`))
      const ok = findings.length === 0
      const report: LedgerAnswer = {
        sequence,
        ok,
        checks,
        ...(ok ? {} : { findings }),
        accounts,
        events: markets,
        open_orders: openOrders,
      }
      return success(call, 200, ok ? DONE.ledgerVerified : 'Ledger verified with findings', report)
    }),
    handle(operatorRoutes.listFees, async call => {
      const { limit, after } = pageOf(call, placeIn, rangedPage)
      const rows = unlessBusy(await exchange.archive.feeDays(rangeIn(call.c.req.query()), after, limit + 1))
      return answerPage(call, {
        message: DONE.feesFetched,
        field: 'days',
        rows,
        limit,
        view: feesView,
        cursorOf: ({ day, market }) => `${day}-${market}`,
        about: { collected: amountToRupees(exchange.archive.feesCollected) },
      })
    }),
  ]
}

const PLACE = /^(\d{1,7})-([1-9]\d{6})$/

function placeIn(cursor: string): FeeDayPlace | undefined {
  const [, day, market] = PLACE.exec(cursor) ?? []
  return day === undefined ? undefined : { day: Number(day), market: Number(market) as MarketCode }
}

function feesView({ day, market, fees }: FeeDayRow): DayOfFeesAnswer {
  const date = new Date(startOfFeeDay(day)).toISOString().slice(0, 10)
  return { date, event_id: String(market), fees: amountToRupees(fees) }
}
