import type { Side } from './order.js'
import { unitCost } from './order.js'
import type { Amount, PriceTicks, QuantityLots } from './units.js'
import { amount, least, lots, times } from './units.js'

/** What a fill did for one of its users, as their statement has it. */
export interface OwnFill {
  /** Of the order: which outcome it buys, or of which it sells the opposite. */
  readonly side: Side
  /** The YES price. */
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  /** By how much it changed the user's cash. */
  readonly change: number
}

/**
 * What the contracts that a user holds in a market have cost. Whoever sells gives away what they bought
 * first, so the contracts held are those bought last: the fills, taken newest first, say what each cost,
 * until all are found. Nothing is ever divided, so the cost is exact.
 */
export class CostBasis {
  readonly #payout: PriceTicks
  readonly #missing: Record<Side, QuantityLots>
  #cost = 0

  constructor(payout: PriceTicks, held: Readonly<Record<Side, QuantityLots>>) {
    this.#payout = payout
    this.#missing = { yes: held.yes, no: held.no }
  }

  /** Undefined while contracts are held whose fills have not been seen. */
  get cost(): Amount | undefined {
    return this.#missing.yes === 0 && this.#missing.no === 0 ? amount(this.#cost) : undefined
  }

  /** Takes the user's next older fill in the market. */
  take({ side, price, quantity, change }: OwnFill): void {
    const unit = unitCost(side, price, this.#payout)
    // All bought costs `unit` a lot; a lot that sells the opposite brings `payout − unit` instead.
    const covered = (change + times(unit, quantity)) / this.#payout
    const kept = least(lots(quantity - covered), this.#missing[side])
    this.#missing[side] = lots(this.#missing[side] - kept)
    this.#cost += times(unit, kept)
  }
}
