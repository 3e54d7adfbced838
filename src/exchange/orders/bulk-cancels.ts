import type { CancelReason } from '../../core/order.js'
import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Desk } from '../desk.js'
import { sendToMarket } from '../send-to-market.js'
import type { Sources } from '../sources.js'

/** The most orders of a user cancelled at a time; other requests may queue in between. */
const CANCEL_LENGTH_MAX = 500

/** The result of cancelling all of a user's orders. */
export interface CancelledAll {
  /** The ended orders: cancelled, or filled before that. */
  readonly ended: readonly OrderRecord[]
  /** The number still open because the queue had no room. */
  readonly openCount: number
}

/** Cancels many orders of a user, in parts. */
export class BulkCancels {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources

  constructor(desk: Desk, shards: ShardPool, sources: Sources) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
  }

  /** Returns a user's open and queued orders. */
  ordersOf(account: AccountNumber): OrderRecord[] {
    const { ownOrders } = this.#desk
    return [...ownOrders.of(account), ...ownOrders.arriving(account)]
  }

  /**
   * Cancels orders, of which some may be queued. Those for which the queue has no room stay open and are
   * counted; returns a refusal if that is all of them.
   */
  async cancel(
    orders: readonly OrderRecord[],
    reason: CancelReason,
  ): Promise<CancelledAll | CapacityRefusal> {
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    let left = orders
    for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
      before = left.length
      left = await this.#cancelWhereRoom(left, reason)
    }
    const ended = orders.filter(({ state }) => !isOpen(state))
    if (ended.length === 0 && left.length > 0) return 'queue_full'
    return { ended, openCount: orders.length - ended.length }
  }

  /** Cancels one order; resolves when that is committed. */
  cancelOne(order: OrderRecord, reason: CancelReason): Promise<void> {
    const { market, number } = order
    this.#desk.quoteSets.delete(order)
    return sendToMarket(this.#shards, this.#sources, market, { type: 'CANCEL_ORDER', number, reason })
  }

  /** Cancels in parts while there is room; returns the orders that found no room. */
  async #cancelWhereRoom(orders: readonly OrderRecord[], reason: CancelReason): Promise<OrderRecord[]> {
    const left: OrderRecord[] = []
    for (let next = 0; next < orders.length; next += CANCEL_LENGTH_MAX) {
      const cancels: Promise<void>[] = []
      for (const order of orders.slice(next, next + CANCEL_LENGTH_MAX)) {
        if (!isOpen(order.state)) continue
        if (this.#shards.isFullForEnding(order.market)) left.push(order)
        else cancels.push(this.cancelOne(order, reason))
      }
      await Promise.all(cancels)
    }
    return left
  }
}
