import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { OrderPlace } from '../../store/rows/order-rows.js'

/** The newest first; of those that came at once the one of the highest market and number, as on disk. */
export function byAge(a: OrderPlace, b: OrderPlace): number {
  return b.createdAt - a.createdAt || b.market - a.market || b.number - a.number
}

/** Each user's open orders, of all markets. */
export class OwnOrders {
  readonly #byAccount = new Map<AccountNumber, Set<OrderRecord>>()

  add(order: OrderRecord): void {
    const orders = this.#byAccount.get(order.account)
    if (orders === undefined) this.#byAccount.set(order.account, new Set([order]))
    else orders.add(order)
  }

  delete(order: OrderRecord): void {
    const orders = this.#byAccount.get(order.account)
    orders?.delete(order)
    if (orders?.size === 0) this.#byAccount.delete(order.account)
  }

  /** The oldest first, within each market. */
  of(account: AccountNumber): OrderRecord[] {
    return [...(this.#byAccount.get(account) ?? [])]
  }
}
