import type { Level } from '../core/order-book.js'
import type { PriceTicks, QuantityLots } from '../core/units.js'
import { lots, ticks } from '../core/units.js'

/** One market's open quantity per YES price, as committed: what clients are shown of the book. */
export class Ladder {
  readonly #bids: Float64Array
  readonly #asks: Float64Array

  constructor(payout: PriceTicks) {
    this.#bids = new Float64Array(payout)
    this.#asks = new Float64Array(payout)
  }

  /** Takes over changed levels with their quantity now. */
  apply(bids: readonly Level[], asks: readonly Level[]): void {
    for (const [price, quantity] of bids) this.#bids[price] = quantity
    for (const [price, quantity] of asks) this.#asks[price] = quantity
  }

  /** Adds to a bid level, or to an ask level; for rebuilding from open orders. */
  add(isBid: boolean, price: PriceTicks, quantity: QuantityLots): void {
    const side = isBid ? this.#bids : this.#asks
    side[price] = (side[price] as number) + quantity
  }

  /** The bids, highest price first. */
  bids(levelsMax = Number.POSITIVE_INFINITY): Level[] {
    const levels: Level[] = []
    for (let price = this.#bids.length - 1; price > 0 && levels.length < levelsMax; price--) {
      const quantity = this.#bids[price] as number
      if (quantity > 0) levels.push([ticks(price), lots(quantity)])
    }
    return levels
  }

  /** The asks, lowest price first. */
  asks(levelsMax = Number.POSITIVE_INFINITY): Level[] {
    const levels: Level[] = []
    for (let price = 1; price < this.#asks.length && levels.length < levelsMax; price++) {
      const quantity = this.#asks[price] as number
      if (quantity > 0) levels.push([ticks(price), lots(quantity)])
    }
    return levels
  }
}
