const CAPACITY_START = 16
const NO_SLOT = -1

/** The resting orders of a book, one slot each; allocated with the first order, grown by doubling. */
export class OrderSlots {
  number = new Int32Array(0)
  owner = new Int32Array(0)
  price = new Int32Array(0)
  /** The queue at a price, doubly linked; free slots form a list of their own through `next`. */
  next = new Int32Array(0)
  previous = new Int32Array(0)
  lots = new Float64Array(0)
  covered = new Float64Array(0)
  #firstFree = NO_SLOT
  #used = 0

  /** Returns a free slot. */
  allocate(): number {
    const free = this.#firstFree
    if (free !== NO_SLOT) {
      this.#firstFree = this.next[free] as number
      return free
    }
    if (this.#used === this.number.length) this.#grow(Math.max(CAPACITY_START, 2 * this.#used))
    return this.#used++
  }

  free(slot: number): void {
    this.next[slot] = this.#firstFree
    this.#firstFree = slot
  }

  #grow(capacity: number): void {
    this.number = copyInto(new Int32Array(capacity), this.number)
    this.owner = copyInto(new Int32Array(capacity), this.owner)
    this.price = copyInto(new Int32Array(capacity), this.price)
    this.next = copyInto(new Int32Array(capacity), this.next)
    this.previous = copyInto(new Int32Array(capacity), this.previous)
    this.lots = copyInto(new Float64Array(capacity), this.lots)
    this.covered = copyInto(new Float64Array(capacity), this.covered)
  }
}

function copyInto<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(target: T, source: T): T {
  target.set(source)
  return target
}
