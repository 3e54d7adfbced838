const PAGE_BITS = 10
const PAGE_SIZE = 1 << PAGE_BITS
const NONE = -1

/**
 * Finds the slot of an order by its number. Numbers only grow, so this is a paged array: a look-up is two
 * index steps without hashing, and a page is freed when the last order in it ends.
 */
export class SlotIndex {
  readonly #pages: (Int32Array | undefined)[] = []
  readonly #livePerPage: number[] = []
  #spare: Int32Array | undefined

  /** Returns the slot, or −1 when no order of that number rests. */
  get(number: number): number {
    const page = this.#pages[number >>> PAGE_BITS]
    return page === undefined ? NONE : (page[number & (PAGE_SIZE - 1)] as number)
  }

  set(number: number, slot: number): void {
    const at = number >>> PAGE_BITS
    const page = this.#pages[at] ?? this.#addPage(at)
    page[number & (PAGE_SIZE - 1)] = slot
    this.#livePerPage[at] = (this.#livePerPage[at] as number) + 1
  }

  delete(number: number): void {
    const at = number >>> PAGE_BITS
    const page = this.#pages[at] as Int32Array
    page[number & (PAGE_SIZE - 1)] = NONE
    const live = (this.#livePerPage[at] as number) - 1
    this.#livePerPage[at] = live
    if (live > 0) return
    this.#pages[at] = undefined
    this.#spare = page
  }

  #addPage(at: number): Int32Array {
    // Fill the gap before it too: V8 would turn an array with holes into a dictionary.
    while (this.#pages.length <= at) {
      this.#pages.push(undefined)
      this.#livePerPage.push(0)
    }
    const page = this.#spare ?? new Int32Array(PAGE_SIZE).fill(NONE)
    this.#spare = undefined
    this.#pages[at] = page
    return page
  }
}
