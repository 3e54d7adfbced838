import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { OrderPlace } from '../../store/rows/order-rows.js'
import type { RestedOrders } from './rested-orders.js'

/** Sweeps a user's ended orders once they are this part of the list, and this many more: they are memory. */
const ENDED_SHARE = 5
const ENDED_LENGTH_MAX = 8
const NO_ORDERS: readonly OrderRecord[] = []

/** Compares places of orders: newest first, then by market and number, as on disk. */
export function byAge(a: OrderPlace, b: OrderPlace): number {
  return b.createdAt - a.createdAt || b.market - a.market || b.number - a.number
}

interface Own {
  /** Oldest first; some may have ended. */
  readonly orders: OrderRecord[]
  endedLength: number
}

/** A user's queued orders. */
interface Arriving {
  /** With those that count as additional open orders, as they may come to rest. */
  readonly orders: Map<OrderRecord, boolean>
  countedLength: number
}

/**
 * Each user's orders of all markets that are open, kept by age, so that no list has to sort them; and those
 * queued, which are not committed and not visible to clients.
 */
export class OwnOrders {
  /** The most open orders of one user. */
  lengthMax = Number.POSITIVE_INFINITY
  readonly #rested: RestedOrders | undefined
  /** Without the orders that have no record yet. */
  readonly #byAccount = new Map<AccountNumber, Own>()
  #length = 0
  readonly #arriving = new Map<AccountNumber, Arriving>()
  /** The queued orders that were placed under a name. */
  readonly #arrivingByName = new Map<string, OrderRecord>()

  /** @param rested the orders of before the start, which become a user's list when it is asked for */
  constructor(rested?: RestedOrders) {
    this.#rested = rested
    if (rested === undefined) return
    rested.list = account => {
      this.#ownOf(account)
    }
  }

  /** The number of open orders of all users. */
  get length(): number {
    return this.#length + (this.#rested?.length ?? 0)
  }

  /** Adds a queued order. A replacement is to take the place of an open order, which counts already. */
  arrive(order: OrderRecord, isReplacement: boolean): void {
    const { account, key } = order
    const own = this.#arriving.get(account) ?? { orders: new Map(), countedLength: 0 }
    const counts = !isReplacement && mayRest(order)
    this.#arriving.set(account, own)
    own.orders.set(order, counts)
    if (counts) own.countedLength++
    if (key !== undefined && !isReplacement) this.#arrivingByName.set(nameOf(account, key), order)
  }

  /** Forgets a queued order that has been decided. */
  land(order: OrderRecord): void {
    const { account, key } = order
    const own = this.#arriving.get(account)
    if (own === undefined) return
    if (own.orders.get(order)) own.countedLength--
    own.orders.delete(order)
    if (own.orders.size === 0) this.#arriving.delete(account)
    if (key === undefined) return
    const name = nameOf(account, key)
    if (this.#arrivingByName.get(name) === order) this.#arrivingByName.delete(name)
  }

  /** Returns a user's queued orders, the oldest first. */
  arriving(account: AccountNumber): Iterable<OrderRecord> {
    return this.#arriving.get(account)?.orders.keys() ?? []
  }

  /** Returns the queued order that a user placed under a name. */
  arrivingNamed(account: AccountNumber, name: string): OrderRecord | undefined {
    return this.#arrivingByName.get(nameOf(account, name))
  }

  /** Adds an open order, which is nearly always the user's newest. */
  add(order: OrderRecord): void {
    const own = this.#ownOf(order.account)
    this.#length++
    if (own === undefined) {
      this.#byAccount.set(order.account, { orders: [order], endedLength: 0 })
      return
    }
    const last = own.orders.at(-1)
    if (last === undefined || byAge(last, order) > 0) own.orders.push(order)
    else own.orders.splice(lengthBefore(own.orders, order), 0, order)
  }

  /** Adds an order while the exchange recovers; `sort` must follow the last one. */
  restore(order: OrderRecord): void {
    const own = this.#byAccount.get(order.account)
    this.#length++
    if (own === undefined) this.#byAccount.set(order.account, { orders: [order], endedLength: 0 })
    else own.orders.push(order)
  }

  /** Sorts the restored orders by age. */
  sort(): void {
    for (const { orders } of this.#byAccount.values()) orders.sort((a, b) => byAge(b, a))
  }

  /** Forgets an order that has just ended. */
  delete(order: OrderRecord): void {
    const own = this.#ownOf(order.account)
    if (own === undefined) return
    this.#length--
    own.endedLength++
    if (own.endedLength === own.orders.length) this.#byAccount.delete(order.account)
    else if (own.endedLength > own.orders.length / ENDED_SHARE + ENDED_LENGTH_MAX) {
      const orders = own.orders.filter(({ state }) => isOpen(state))
      this.#byAccount.set(order.account, { orders, endedLength: 0 })
    }
  }

  /**
   * Returns whether a user with `more` open orders would have more than anyone may have, or than they may
   * have themselves. A queued order counts if it may come to rest.
   */
  isFull(account: AccountNumber, ownMax = this.lengthMax, more = 1): boolean {
    const length = this.#openLengthOf(account) + (this.#arriving.get(account)?.countedLength ?? 0)
    return length + more > Math.min(ownMax, this.lengthMax)
  }

  /** Returns the accounts with open or queued orders. */
  accounts(): AccountNumber[] {
    const rested = this.#rested?.accounts() ?? []
    return [...new Set([...this.#byAccount.keys(), ...rested, ...this.#arriving.keys()])]
  }

  /** Returns the number of a user's open and queued orders. */
  countOf(account: AccountNumber): number {
    return this.#openLengthOf(account) + (this.#arriving.get(account)?.orders.size ?? 0)
  }

  /** Returns all open orders of a user, the oldest first. */
  of(account: AccountNumber): OrderRecord[] {
    const own = this.#ownOf(account)
    return own === undefined ? [] : own.orders.filter(({ state }) => isOpen(state))
  }

  /**
   * Yields the open orders that a user has now, the oldest first, and the queued ones at last. Looks at
   * `looksMax` open orders before it yields; what ends before its look is left out.
   */
  walk(account: AccountNumber, looksMax: number): Generator<OrderRecord[]> {
    const last = this.#ownOf(account)?.orders.at(-1)
    return this.#walkUpTo(last, account, new Set(this.arriving(account)), looksMax)
  }

  *#walkUpTo(
    last: OrderRecord | undefined,
    account: AccountNumber,
    arriving: ReadonlySet<OrderRecord>,
    looksMax: number,
  ): Generator<OrderRecord[]> {
    for (let seen: OrderRecord | undefined; ; ) {
      // By now the list may be shorter, have newer orders, or be another one.
      const orders = this.#ownOf(account)?.orders ?? []
      const from = lengthUpTo(orders, seen)
      const to = Math.min(from + looksMax, lengthUpTo(orders, last))
      const open = orders.slice(from, to).filter(order => isOpen(order.state) && !arriving.has(order))
      seen = orders[to - 1]
      if (to - from < looksMax) {
        yield [...open, ...arriving]
        return
      }
      yield open
    }
  }

  /** Returns up to `lengthMax` open orders of a user after a place, newest first. */
  newest(
    account: AccountNumber,
    lengthMax: number,
    before?: OrderPlace,
    fits?: (order: OrderRecord) => boolean,
  ): OrderRecord[] {
    const orders = this.#ownOf(account)?.orders ?? []
    const newest: OrderRecord[] = []
    let place = before === undefined ? orders.length : lengthBefore(orders, before)
    while (place > 0 && newest.length < lengthMax) {
      place--
      const order = orders[place] as OrderRecord
      if (isOpen(order.state) && (fits === undefined || fits(order))) newest.push(order)
    }
    return newest
  }

  #openLengthOf(account: AccountNumber): number {
    const own = this.#byAccount.get(account)
    const openLength = own === undefined ? 0 : own.orders.length - own.endedLength
    return openLength + (this.#rested?.countOf(account) ?? 0)
  }

  /** Returns a user's list, to which it first adds the orders that have no record yet. */
  #ownOf(account: AccountNumber): Own | undefined {
    const own = this.#byAccount.get(account)
    const made = this.#rested?.make(account) ?? NO_ORDERS
    if (made.length === 0) return own
    this.#length += made.length
    const orders = [...made, ...(own?.orders ?? [])].sort((a, b) => byAge(b, a))
    const whole = { orders, endedLength: own?.endedLength ?? 0 }
    this.#byAccount.set(account, whole)
    return whole
  }
}

const nameOf = (account: AccountNumber, name: string) => `${account} ${name}`

/** Returns whether a queued order may become an open one: a refused limit order has no price. */
function mayRest({ orderType, timeInForce, price }: OrderRecord): boolean {
  return orderType === 'LO' && price > 0 && (timeInForce === 'GTC' || timeInForce === 'GTD')
}

/** Returns how many of the orders are older than a place. */
function lengthBefore(orders: readonly OrderRecord[], place: OrderPlace): number {
  let [from, to] = [0, orders.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (byAge(orders[middle] as OrderRecord, place) > 0) from = middle + 1
    else to = middle
  }
  return from
}

/** Returns how many of the orders are not newer than one of them, which may have left them. */
function lengthUpTo(orders: readonly OrderRecord[], order: OrderRecord | undefined): number {
  if (order === undefined) return 0
  const length = lengthBefore(orders, order)
  return orders[length] === order ? length + 1 : length
}
