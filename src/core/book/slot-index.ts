const PAGE_BITS = 10
const PAGE_SIZE = 1 << PAGE_BITS
const NONE = -1

/**
 * Where the order with a given number lies. Numbers only grow, so this is an array cut into pages: a look-up
 * is two index steps, no hashing, and a page whose last order has ended is given back.
 */
export class SlotIndex {
  readonly #pages: (Int32Array | undefined)[] = []
  readonly #livePerPage: number[] = []
  #spare: Int32Array | undefined

  /** The slot, or −1 when no order of that number rests. */
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
    // Fill the gap before it too: an array with holes would turn into a dictionary.
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
