import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { actionQuery } from '../../api/operator/action-query.js'
import type { ActionAnswer } from '../../api/operator/admin-answer.js'
import { healthHistoryQuery } from '../../api/operator/health-query.js'
import type { Host } from '../../api/operator/health-reading.js'
import { curveView, healthView } from '../../api/operator/health-view.js'
import { placeOf, placeText } from '../../api/portfolio/statement-cursor.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { ActionRow } from '../../store/operator/action-rows.js'
import { busy, unlessBusy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { apart } from '../operator/edited-before.js'

/** Serves operators' views of the exchange itself, behind the guard. */
export function adminRoutes(exchange: Exchange, guards: OperatorGuards, host: Host, version: string): Hono {
  return new Hono()
    .get('/actions', guards.read, async c => {
      const { q, who, action, event_id, userid } = queryOf(c, actionQuery)
      const { limit, after } = pageOf(c, placeOf, actionQuery)
      const filter = {
        ...{ q, who, action, ...rangeIn(c.req.query()) },
        market: event_id === undefined ? undefined : (Number(event_id) as MarketCode),
        userId: userid === undefined ? undefined : exchange.archive.userNamed(userid).userId,
      }
      const { rows, searchedTo } = unlessBusy(await exchange.archive.adminActions(filter, after, limit + 1))
      return answerPage(c, {
        message: DONE.actionsFetched,
        field: 'actions',
        rows,
        limit,
        view: actionView,
        cursorOf: placeText,
        next: searchedTo === undefined ? null : placeText(searchedTo),
      })
    })
    .post('/clock/confirm', guards.operate, async c => {
      const confirmed = await exchange.clock.confirm(byOf(c))
      if (confirmed === 'clock_trusted') throw new ApiError(409, REFUSED.clockTrusted, confirmed)
      if (typeof confirmed === 'string') throw busy(confirmed)
      const time = new Date(exchange.now()).toISOString()
      return success(c, 200, DONE.clockConfirmed, { ahead_ms: confirmed.aheadMs, time })
    })
    .get('/doctor', guards.read, async c => success(c, 200, DONE.doctorFetched, await host.examine()))
    .get('/health/history', guards.read, c => {
      const { range } = queryOf(c, healthHistoryQuery)
      return success(c, 200, DONE.healthFetched, curveView(host.curve(range)))
    })
    .get('/health', guards.read, async c =>
      success(c, 200, DONE.healthFetched, healthView(await exchange.health(), host, version)),
    )
}

/** Returns a line of the audit log: `fields` are those of the request, in its own names and numbers. */
function actionView(row: ActionRow): ActionAnswer {
  return {
    id: placeText(row),
    createdAt: new Date(row.at).toISOString(),
    who: row.who,
    address: row.address,
    action: row.action,
    event_id: row.market === null ? null : String(row.market),
    userid: row.userId,
    ...apart(JSON.parse(row.fields) as Readonly<Record<string, unknown>>),
  }
}
