import type { SettledPosition } from '../../core/command.js'
import type { Ledger } from '../../core/ledger.js'
import type { Outcome } from '../../core/market.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'

/** How many positions are settled in one batch: other markets wait no longer than that takes. */
export const SETTLE_LENGTH_MAX = 64

/**
 * Walks once over what is left to settle in a market, a part at a time. Where it stopped need not be kept: a
 * position that has been settled is empty, so a walk that starts anew after a crash passes it by.
 */
export class SettlementWalk {
  readonly #passes: Generator<SettledPosition>[]

  constructor(ledger: Ledger, market: MarketCode, outcome: Outcome) {
    this.#passes =
      outcome === 'void' ? [debtors(ledger, market), others(ledger, market)] : [holders(ledger, market)]
  }

  /**
   * The next part, empty when all is settled. To be asked when the part before is committed. A part never
   * spans two passes, for the second passes by what the first has emptied.
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

/** Who still has contracts of a market with an outcome. */
function* holders(ledger: Ledger, market: MarketCode): Generator<SettledPosition> {
  for (const [account, { yes, no, paid }] of ledger.positions(market)) {
    if (yes > 0 || no > 0) yield [account, yes, no, paid, NOTHING]
  }
}

/** Who took more out of a voided market than they put in: first, so that the escrow can pay the others. */
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
