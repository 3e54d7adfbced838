import { DONE } from '../../api/answer-texts.js'
import type { LedgerAnswer } from '../../api/operator/ledger-answer.js'
import type { Exchange } from '../../exchange/exchange.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { operatorRoutes } from '../../api/operator/operator-routes.js'

/**
 * Serves operators a check that the money adds up. Faults are a successful answer with `ok: false` and the
 * findings, since the check itself worked.
 */
export function ledgerHandlers(exchange: Exchange): Binding[] {
  return [
    handle(operatorRoutes.verifyLedger, async call => {
      const { sequence, accounts, markets, openOrders, rules } = unlessBusy(await exchange.verifyLedger())
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
  ]
}
