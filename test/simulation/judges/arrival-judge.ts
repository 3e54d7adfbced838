import { assert } from '../../../src/core/assert.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { MarketCode } from '../../../src/core/units.js'
import { ArrivalOrder } from '../../fixtures/arrival-order.js'

/** The user, market and key of an order request; the key includes the user's id. */
interface Request {
  readonly userId: string
  readonly market: MarketCode
  readonly name?: string | undefined
}

/** A request that may place an order: when it arrived, and its outcome. */
export interface Arrival extends Request {
  readonly epoch: number
  readonly place: number
  order: OrderRecord | undefined
  /** True if it was answered without an order: too busy, or its key belongs to another request. */
  isRefused: boolean
  /** True if a later cancel of all orders has been answered. */
  isCancelled: boolean
}

/** Checks that requests are served in order of arrival, from the numbers their orders got. */
export class ArrivalJudge {
  readonly #order = new ArrivalOrder()
  readonly #named = new Map<string, Arrival[]>()
  #arrivals: Arrival[] = []

  /** Records a request that arrives in an epoch. */
  arrived({ userId, market, name }: Request, epoch: number): Arrival {
    const place = this.#order.arrive()
    const asked = { userId, market, name, epoch, place }
    const arrival = { ...asked, order: undefined, isRefused: false, isCancelled: false }
    this.#arrivals.push(arrival)
    if (name !== undefined) this.#named.set(name, [...(this.#named.get(name) ?? []), arrival])
    return arrival
  }

  /** Records a request answered with a new order. */
  placed(arrival: Arrival, order: OrderRecord): void {
    const brought = this.#broughtBy(arrival)
    if (brought !== undefined) this.#order.placed(order, brought.place)
  }

  /** Returns the requests of a user since the last start, in one market or in all. */
  of(userId: string, market: MarketCode | undefined, epoch: number): Arrival[] {
    this.#arrivals = this.#arrivals.filter(arrival => arrival.epoch === epoch)
    const isMeant = (arrival: Arrival) => market === undefined || arrival.market === market
    return this.#arrivals.filter(arrival => arrival.userId === userId && isMeant(arrival))
  }

  assertInOrder(): void {
    const [overtaken] = this.#order.overtaken()
    assert(overtaken === undefined, `requests are served in order of arrival: ${overtaken} was overtaken`)
  }

  /** Finds the first request under a key that was not refused; undefined if a crash hides it. */
  #broughtBy(arrival: Arrival): Arrival | undefined {
    if (arrival.name === undefined) return arrival
    const [first] = (this.#named.get(arrival.name) ?? []).filter(({ isRefused }) => !isRefused)
    return first?.epoch === arrival.epoch ? first : undefined
  }
}
