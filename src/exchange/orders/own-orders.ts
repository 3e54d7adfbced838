import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { OrderPlace } from '../../store/rows/order-rows.js'

/** Sweeps a user's ended orders once they outnumber the open ones by this margin. */
const ENDED_LENGTH_MAX = 8

/** Compares places of orders: newest first, then by market and number, as on disk. */
export function byAge(a: OrderPlace, b: OrderPlace): number {
  return b.createdAt - a.createdAt || b.market - a.market || b.number - a.number
}

interface Own {
  /** Oldest first; some may have ended. */
  readonly orders: OrderRecord[]
  endedLength: number
}

/** Each user's open orders of all markets, kept by age, so that no list has to sort them. */
export class OwnOrders {
  /** The most open orders of one user. */
  lengthMax = Number.POSITIVE_INFINITY
  readonly #byAccount = new Map<AccountNumber, Own>()

  /** Adds an open order, which is nearly always the user's newest. */
  add(order: OrderRecord): void {
    const own = this.#byAccount.get(order.account)
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
    if (own === undefined) this.add(order)
    else own.orders.push(order)
  }

  /** Sorts the restored orders by age. */
  sort(): void {
    for (const { orders } of this.#byAccount.values()) orders.sort((a, b) => byAge(b, a))
  }

  /** Forgets an order that has just ended. */
  delete(order: OrderRecord): void {
    const own = this.#byAccount.get(order.account)
    if (own === undefined) return
    own.endedLength++
    if (own.endedLength === own.orders.length) this.#byAccount.delete(order.account)
    else if (own.endedLength > own.orders.length / 2 + ENDED_LENGTH_MAX) {
      const orders = own.orders.filter(({ state }) => isOpen(state))
      this.#byAccount.set(order.account, { orders, endedLength: 0 })
    }
  }

  /**
   * Returns whether a user has as many open orders as anybody may have, or as they may have themselves; those
   * on their way do not count.
   */
  isFull(account: AccountNumber, ownMax = this.lengthMax): boolean {
    const own = this.#byAccount.get(account)
    const length = own === undefined ? 0 : own.orders.length - own.endedLength
    return length >= Math.min(ownMax, this.lengthMax)
  }

  /** Returns all open orders of a user, the oldest first. */
  of(account: AccountNumber): OrderRecord[] {
    const own = this.#byAccount.get(account)
    return own === undefined ? [] : own.orders.filter(({ state }) => isOpen(state))
  }

  /** Returns up to `lengthMax` open orders of a user after a place, newest first. */
  newest(
    account: AccountNumber,
    lengthMax: number,
    before?: OrderPlace,
    fits?: (order: OrderRecord) => boolean,
  ): OrderRecord[] {
    const orders = this.#byAccount.get(account)?.orders ?? []
    const newest: OrderRecord[] = []
    let place = before === undefined ? orders.length : lengthBefore(orders, before)
    while (place > 0 && newest.length < lengthMax) {
      place--
      const order = orders[place] as OrderRecord
      if (isOpen(order.state) && (fits === undefined || fits(order))) newest.push(order)
    }
    return newest
  }
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
