import type { BookMemory } from './book-memory.js'

const PAGE_BITS = 10
const PAGE_SIZE = 1 << PAGE_BITS
const NONE = -1
const PAGES_FIRST = 16

/**
 * Finds the slot of an order by its number. Numbers only grow, so this is a paged array in the book's memory:
 * a look-up is two index steps without hashing, and a page is reused when the last order in it ends.
 *
 *   number    0 … 1023   1024 … 2047   2048 … 3071
 *   pageAt    −1         4430          1024            the page's offset, −1 without orders
 *   live      0          3             870             how many orders of the page rest
 */
export class SlotIndex {
  readonly #memory: BookMemory
  #pageAt = new Int32Array(0)
  #live = new Int32Array(0)
  readonly #free: number[] = []

  constructor(memory: BookMemory) {
    this.#memory = memory
  }

  /** Returns the slot, or −1 when no order of that number rests. */
  get(number: number): number {
    const page = number >>> PAGE_BITS
    if (page >= this.#pageAt.length) return NONE
    const offset = this.#pageAt[page] as number
    return offset === NONE ? NONE : (this.#memory.ints[offset + (number & (PAGE_SIZE - 1))] as number)
  }

  set(number: number, slot: number): void {
    const page = number >>> PAGE_BITS
    if (page >= this.#pageAt.length || this.#pageAt[page] === NONE) this.#addPage(page)
    this.#memory.ints[(this.#pageAt[page] as number) + (number & (PAGE_SIZE - 1))] = slot
    this.#live[page] = (this.#live[page] as number) + 1
  }

  delete(number: number): void {
    const page = number >>> PAGE_BITS
    const offset = this.#pageAt[page] as number
    this.#memory.ints[offset + (number & (PAGE_SIZE - 1))] = NONE
    const live = (this.#live[page] as number) - 1
    this.#live[page] = live
    if (live > 0) return
    this.#pageAt[page] = NONE
    this.#free.push(offset)
  }

  /** Allocates a page. A free one holds no slot: each was deleted. */
  #addPage(page: number): void {
    if (page >= this.#pageAt.length) this.#grow(Math.max(PAGES_FIRST, 2 * this.#pageAt.length, page + 1))
    this.#pageAt[page] = this.#free.pop() ?? this.#memory.allocate(PAGE_SIZE, NONE)
  }

  #grow(pages: number): void {
    const { length } = this.#pageAt
    const [pageAt, live] = [this.#pageAt, this.#live]
    this.#pageAt = new Int32Array(pages).fill(NONE, length)
    this.#pageAt.set(pageAt)
    this.#live = new Int32Array(pages)
    this.#live.set(live)
  }
}
