import type { BookMemory } from './book-memory.js'

const PAGE_BITS = 6
const PAGE_SIZE = 1 << PAGE_BITS
const LEVEL_INTS = 4
const NO_SLOT = -1

/**
 * Finds a price's level in the book's memory. Levels are in pages of 64 prices, each allocated with the first
 * order in it: a market whose prices cluster needs few pages for its up to 10,000 prices.
 *
 *   pageAt   page of prices  0     1     2   …     the page's offset in the memory
 *                            0   4430    0
 *
 * The page at 0, the first that a book allocates, stays empty: it stands in for unallocated pages.
 */
export class LevelPages {
  readonly #memory: BookMemory
  readonly #pageAt: Int32Array

  /**
   * @param memory nothing of it has been allocated
   * @param limit prices are 0 … limit − 1
   */
  constructor(memory: BookMemory, limit: number) {
    this.#memory = memory
    this.#pageAt = new Int32Array((limit + PAGE_SIZE - 1) >> PAGE_BITS)
    if (limit > 0) memory.allocate(PAGE_SIZE * LEVEL_INTS, NO_SLOT)
  }

  /** Returns the offset of a price's level. */
  at(price: number): number {
    return (this.#pageAt[price >> PAGE_BITS] as number) + (price & (PAGE_SIZE - 1)) * LEVEL_INTS
  }

  /** Returns the offset of a level at which an order will rest; allocates its page if needed. */
  open(price: number): number {
    const page = price >> PAGE_BITS
    if (this.#pageAt[page] === 0) {
      this.#pageAt[page] = this.#memory.allocate(PAGE_SIZE * LEVEL_INTS, NO_SLOT)
    }
    return this.at(price)
  }
}
