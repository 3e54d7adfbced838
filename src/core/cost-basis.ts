import type { Side } from './order.js'
import { unitCost } from './order.js'
import type { Amount, PriceTicks, QuantityLots } from './units.js'
import { amount, least, lots, times } from './units.js'

/** One user's side of a fill, as on their statement. */
export interface OwnFill {
  /** The order's side: the outcome it buys, or whose opposite it sells. */
  readonly side: Side
  /** The YES price. */
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  /** The change of the user's cash, its fee included. */
  readonly change: number
  readonly fee: number
}

/**
 * The cost, without fees, of the contracts a user holds in a market, first in, first out: the contracts held
 * are those bought last, so the user's fills, read newest first, give the cost of each until all are found.
 * There is no division, so the cost is exact.
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

  /** Adds the user's next older fill in the market. */
  add({ side, price, quantity, change, fee }: OwnFill): void {
    const unit = unitCost(side, price, this.#payout)
    // A lot bought costs `unit`; a lot that sells the opposite outcome earns `payout − unit` instead.
    const covered = (change + fee + times(unit, quantity)) / this.#payout
    const kept = least(lots(quantity - covered), this.#missing[side])
    this.#missing[side] = lots(this.#missing[side] - kept)
    this.#cost += times(unit, kept)
  }
}
