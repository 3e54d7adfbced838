import type { OrderRecord } from '../core/order-record.js'
import type { AccountNumber } from '../core/units.js'

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
