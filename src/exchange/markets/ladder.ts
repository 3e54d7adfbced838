import type { Level } from '../../core/book/order-book.js'
import type { PriceTicks, QuantityLots } from '../../core/units.js'
import { lots, ticks } from '../../core/units.js'

const PAGE_BITS = 6
const PAGE_SIZE = 1 << PAGE_BITS

/** Quantities by price, in pages of 64 prices, each allocated with the first quantity in it. */
type Pages = (Float64Array | undefined)[]

/** One market's committed open quantity per YES price: the book as clients see it. */
export class Ladder {
  #bids: Pages = []
  #asks: Pages = []

  /** Sets changed levels to their current quantity. */
  apply(bids: readonly Level[], asks: readonly Level[]): void {
    for (const [price, quantity] of bids) set(this.#bids, price, quantity)
    for (const [price, quantity] of asks) set(this.#asks, price, quantity)
  }

  /** Adds to a bid or ask level; for rebuilding from open orders. */
  add(isBid: boolean, price: PriceTicks, quantity: QuantityLots): void {
    const side = isBid ? this.#bids : this.#asks
    set(side, price, get(side, price) + quantity)
  }

  /** Returns the bids, highest price first. */
  bids(levelsMax = Number.POSITIVE_INFINITY): Level[] {
    const levels: Level[] = []
    for (let at = this.#bids.length - 1; at >= 0; at--) {
      const page = this.#bids[at]
      for (let place = page === undefined ? -1 : PAGE_SIZE - 1; place >= 0; place--) {
        if (levels.length >= levelsMax) return levels
        const quantity = page?.[place] as number
        if (quantity > 0) levels.push([ticks(at * PAGE_SIZE + place), lots(quantity)])
      }
    }
    return levels
  }

  /** Returns the asks, lowest price first. */
  asks(levelsMax = Number.POSITIVE_INFINITY): Level[] {
    const levels: Level[] = []
    for (const [at, page] of this.#asks.entries()) {
      for (let place = 0; page !== undefined && place < PAGE_SIZE; place++) {
        if (levels.length >= levelsMax) return levels
        const quantity = page[place] as number
        if (quantity > 0) levels.push([ticks(at * PAGE_SIZE + place), lots(quantity)])
      }
    }
    return levels
  }

  /** Frees the memory once no order rests and none can arrive. */
  release(): void {
    this.#bids = []
    this.#asks = []
  }
}

function get(pages: Pages, price: number): number {
  return pages[price >> PAGE_BITS]?.[price & (PAGE_SIZE - 1)] ?? 0
}

function set(pages: Pages, price: number, quantity: number): void {
  const at = price >> PAGE_BITS
  let page = pages[at]
  if (page === undefined) {
    if (quantity === 0) return
    while (pages.length < at) pages.push(undefined)
    page = new Float64Array(PAGE_SIZE)
    pages[at] = page
  }
  page[price & (PAGE_SIZE - 1)] = quantity
}
