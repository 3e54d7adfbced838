import { assert } from '../../../src/core/assert.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { MarketCode } from '../../../src/core/units.js'
import { ArrivalOrder } from '../../fixtures/arrival-order.js'

/** Who asks for an order, where, and under which name, the user's id in it. */
interface Request {
  readonly userId: string
  readonly market: MarketCode
  readonly name?: string | undefined
}

/** A request that may bring an order: when it arrived, and what became of it. */
export interface Arrival extends Request {
  readonly epoch: number
  readonly place: number
  order: OrderRecord | undefined
  /** Nothing was queued for it. */
  isBusy: boolean
  /** A cancel of all that arrived behind it has been answered. */
  isCancelled: boolean
}

/** The order in which requests arrived, and the places that their orders got: first come, first served. */
export class ArrivalsTold {
  readonly #order = new ArrivalOrder()
  readonly #named = new Map<string, Arrival[]>()
  #arrivals: Arrival[] = []

  /** A request arrives at the exchange of an epoch. */
  arrived({ userId, market, name }: Request, epoch: number): Arrival {
    const place = this.#order.arrive()
    const asked = { userId, market, name, epoch, place }
    const arrival = { ...asked, order: undefined, isBusy: false, isCancelled: false }
    this.#arrivals.push(arrival)
    if (name !== undefined) this.#named.set(name, [...(this.#named.get(name) ?? []), arrival])
    return arrival
  }

  /** A request was answered by an order that nobody had heard of. */
  placed(arrival: Arrival, order: OrderRecord): void {
    const brought = this.#broughtBy(arrival)
    if (brought !== undefined) this.#order.placed(order, brought.place)
  }

  /** What a user has asked for since the last start, in one market or in all. */
  of(userId: string, market: MarketCode | undefined, epoch: number): Arrival[] {
    this.#arrivals = this.#arrivals.filter(arrival => arrival.epoch === epoch)
    const isMeant = (arrival: Arrival) => market === undefined || arrival.market === market
    return this.#arrivals.filter(arrival => arrival.userId === userId && isMeant(arrival))
  }

  assertInOrder(): void {
    const [overtaken] = this.#order.overtaken()
    assert(overtaken === undefined, `who comes first is served first: ${overtaken} was overtaken`)
  }

  /** Of several requests under one name the first that found room; undefined where a crash lets nobody know. */
  #broughtBy(arrival: Arrival): Arrival | undefined {
    if (arrival.name === undefined) return arrival
    const [first] = (this.#named.get(arrival.name) ?? []).filter(({ isBusy }) => !isBusy)
    return first?.epoch === arrival.epoch ? first : undefined
  }
}
