import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { TimeMs } from '../../core/units.js'

/** Sweeps the entries of ended orders once they are half of all and this many more. */
const ENDED_LENGTH_MAX = 1024

/** A market's good-till-date orders, the next to expire first: a binary heap by time, then number. */
export class ExpiryQueue {
  #heap: OrderRecord[] = []
  /** The orders that have ended since the last sweep; some have left the heap as they expired. */
  #endedLength = 0

  /** The number of entries, including those of orders that have ended. */
  get length(): number {
    return this.#heap.length
  }

  add(order: OrderRecord): void {
    if (order.expiresAt !== undefined) this.#push(order)
  }

  /** Takes note of an order that has ended. */
  end({ expiresAt }: OrderRecord): void {
    if (expiresAt === undefined) return
    this.#endedLength++
    if (this.#endedLength > this.#heap.length / 2 + ENDED_LENGTH_MAX) this.#sweep()
  }

  /** Returns true if an open order is due to expire. */
  hasDue(now: TimeMs): boolean {
    return this.#firstDue(now) !== undefined
  }

  /** Removes and returns the open order that expired first, if one is due; returns each order once. */
  takeDue(now: TimeMs): OrderRecord | undefined {
    const due = this.#firstDue(now)
    if (due !== undefined) this.#removeFirst()
    return due
  }

  /** Frees the memory once no order rests and none can arrive. */
  release(): void {
    this.#heap = []
    this.#endedLength = 0
  }

  #firstDue(now: TimeMs): OrderRecord | undefined {
    for (let next = this.#heap[0]; next !== undefined && timeOf(next) <= now; next = this.#heap[0]) {
      if (isOpen(next.state)) return next
      this.#removeFirst()
    }
    return undefined
  }

  #sweep(): void {
    const live = this.#heap.filter(({ state }) => isOpen(state))
    this.#heap = []
    for (const order of live) this.#push(order)
    this.#endedLength = 0
  }

  #push(order: OrderRecord): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(order)
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(order, heap[parent] as OrderRecord)) break
      heap[place] = heap[parent] as OrderRecord
      place = parent
    }
    heap[place] = order
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop() as OrderRecord
    if (heap.length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as OrderRecord)) child++
      if (!isBefore(heap[child] as OrderRecord, last)) break
      heap[place] = heap[child] as OrderRecord
      place = child
    }
    heap[place] = last
  }
}

const timeOf = (order: OrderRecord) => order.expiresAt ?? Number.POSITIVE_INFINITY

function isBefore(a: OrderRecord, b: OrderRecord): boolean {
  return timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a.number < b.number)
}
