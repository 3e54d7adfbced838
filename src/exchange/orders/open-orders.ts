import type { OrderRecord } from '../../core/order-record.js'
import { SparseMap } from '../../core/sparse-map.js'
import type { OrderNumber } from '../../core/units.js'
import type { Holding } from '../../store/rows/plain-orders.js'

/** The orders of a market that have rested since the start and have no record yet. */
export interface Unmade {
  /** Makes the records of the owner of an order, if it is one of these: `made` gets those of this market. */
  make(number: OrderNumber): void
  makeAll(): void
  holdings(): Iterable<Holding>
}

/** The resting orders of a market. Those of before the start get their records when one is asked for. */
export class OpenOrders {
  readonly #made = new SparseMap<OrderNumber, OrderRecord>()
  #unmade: Unmade | undefined
  #unmadeLength = 0
  /** True if records were made since the last sort. */
  #isMixed = false

  get size(): number {
    return this.#made.size + this.#unmadeLength
  }

  get(number: OrderNumber): OrderRecord | undefined {
    const made = this.#made.get(number)
    if (made !== undefined || this.#unmade === undefined) return made
    this.#unmade.make(number)
    return this.#made.get(number)
  }

  set(number: OrderNumber, order: OrderRecord): void {
    this.#made.set(number, order)
  }

  /** Removes an order, which has a record by now. */
  delete(number: OrderNumber): void {
    this.#made.delete(number)
  }

  /** Returns all orders by number. */
  values(): Iterable<OrderRecord> {
    this.#unmade?.makeAll()
    if (this.#isMixed) this.#sort()
    return this.#made.values()
  }

  /** Yields what each order may cost its user, without making records. */
  *holdings(): Generator<Holding> {
    yield* this.#made.values()
    if (this.#unmade !== undefined) yield* this.#unmade.holdings()
  }

  /** Counts orders of before the start among these. */
  keepUnmade(unmade: Unmade, length: number): void {
    this.#unmade = unmade
    this.#unmadeLength = length
  }

  /** Takes the record of one of those. */
  made(order: OrderRecord): void {
    this.#made.set(order.number, order)
    this.#isMixed = true
    this.#unmadeLength--
    if (this.#unmadeLength === 0) this.#unmade = undefined
  }

  #sort(): void {
    const all = [...this.#made.values()].sort((a, b) => a.number - b.number)
    this.#made.clear()
    for (const order of all) this.#made.set(order.number, order)
    this.#isMixed = false
  }
}
