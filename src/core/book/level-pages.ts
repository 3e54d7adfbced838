const PAGE_BITS = 6
const PAGE_SIZE = 1 << PAGE_BITS
const NO_SLOT = -1

/**
 * A book's data per price, in pages of 64 prices, each allocated with the first order in it: a market whose
 * prices cluster needs few pages for its up to 10,000 prices.
 *
 *   pageAt   page of prices  0   1   2   …      the page's offset in the arrays below
 *                            0   64  0
 *   lots, first, last        0 … 63   64 … 127  page 0 stays empty: it stands in for unallocated pages
 */
export class LevelPages {
  /** The open quantity at a price. */
  lots = new Float64Array(0)
  /** The slot of the oldest order at a price. */
  first = new Int32Array(0)
  /** The slot of the newest. */
  last = new Int32Array(0)
  readonly #pageAt: Int32Array
  #used = PAGE_SIZE

  /** @param limit prices are 0 … limit − 1 */
  constructor(limit: number) {
    this.#pageAt = new Int32Array((limit + PAGE_SIZE - 1) >> PAGE_BITS)
    if (limit > 0) this.#grow(2 * PAGE_SIZE)
  }

  /** Returns the index of a price in the arrays. */
  at(price: number): number {
    return (this.#pageAt[price >> PAGE_BITS] as number) + (price & (PAGE_SIZE - 1))
  }

  /** Returns the index of a price at which an order will rest; allocates its page if needed. */
  open(price: number): number {
    if (this.#pageAt[price >> PAGE_BITS] === 0) this.#addPage(price)
    return this.at(price)
  }

  #addPage(price: number): void {
    if (this.#used === this.lots.length) this.#grow(2 * this.#used)
    this.#pageAt[price >> PAGE_BITS] = this.#used
    this.#used += PAGE_SIZE
  }

  #grow(capacity: number): void {
    const { lots, first, last } = this
    this.lots = new Float64Array(capacity)
    this.lots.set(lots)
    this.first = new Int32Array(capacity).fill(NO_SLOT)
    this.first.set(first)
    this.last = new Int32Array(capacity).fill(NO_SLOT)
    this.last.set(last)
  }
}
