import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import type { LedgerAnswer } from '../../api/operator/ledger-answer.js'
import type { Exchange } from '../../exchange/exchange.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'

/**
 * Serves operators a check that the money adds up. Faults are a successful answer with `ok: false` and the
 * findings, since the check itself worked.
 */
export function ledgerRoutes(exchange: Exchange, guards: OperatorGuards): Hono {
  return new Hono().get('/verify', guards.read, async c => {
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
    return success(c, 200, ok ? DONE.ledgerVerified : 'Ledger verified with findings', report)
  })
}
