import type { SettledPosition } from '../../core/command.js'
import type { Ledger } from '../../core/ledger.js'
import type { Outcome } from '../../core/market.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'

/** The most positions settled in one batch, which bounds how long other markets wait. */
export const SETTLE_LENGTH_MAX = 64

/**
 * Walks once over the positions left to settle in a market, in parts. Needs no stored progress: a settled
 * position is empty, so a new walk after a crash skips it.
 */
export class SettlementWalk {
  readonly #passes: Generator<SettledPosition>[]

  constructor(ledger: Ledger, market: MarketCode, outcome: Outcome) {
    this.#passes =
      outcome === 'void' ? [debtors(ledger, market), others(ledger, market)] : [holders(ledger, market)]
  }

  /**
   * Returns the next part; empty when all is settled. To be called once the previous part is committed. A
   * part never spans two passes, because the second skips what the first has emptied.
   */
  next(): SettledPosition[] {
    const part: SettledPosition[] = []
    while (part.length === 0) {
      const [pass] = this.#passes
      if (pass === undefined) break
      while (part.length < SETTLE_LENGTH_MAX) {
        const { value, done } = pass.next()
        if (done === true) {
          this.#passes.shift()
          break
        }
        part.push(value)
      }
    }
    return part
  }
}

/** Yields the positions with contracts in a market with an outcome. */
function* holders(ledger: Ledger, market: MarketCode): Generator<SettledPosition> {
  for (const [account, { yes, no, paid }] of ledger.positions(market)) {
    if (yes > 0 || no > 0) yield [account, yes, no, paid, NOTHING]
  }
}

/**
 * Yields users who took more out of a voided market than they put in: first, so the escrow can pay the rest.
 */
function* debtors(ledger: Ledger, market: MarketCode): Generator<SettledPosition> {
  for (const [account, { yes, no, paid }] of ledger.positions(market)) {
    if (paid < 0) yield [account, yes, no, paid, affordable(ledger, account, -paid)]
  }
}

function* others(ledger: Ledger, market: MarketCode): Generator<SettledPosition> {
  for (const [account, { yes, no, paid }] of ledger.positions(market)) {
    if (yes > 0 || no > 0 || paid > 0) yield [account, yes, no, paid, NOTHING]
  }
}

function affordable(ledger: Ledger, account: AccountNumber, debt: number) {
  return amount(Math.min(debt, ledger.balance(account).available))
}
