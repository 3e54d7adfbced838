import { setImmediate } from 'node:timers/promises'
import type { CancelReason } from '../../core/order.js'
import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import { sendToMarket } from '../send-to-market.js'
import type { Sources } from '../sources.js'

/** The most orders of a user cancelled at a time; other requests may queue in between. */
const CANCEL_LENGTH_MAX = 500
/** The most orders looked at in a turn of the event loop: all of a user's in `accounts` and `jwt` mode. */
export const LOOKS_MAX = 4096

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

  constructor({ desk, shards, sources }: CommandParts) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
  }

  /** Returns a user's open and queued orders. */
  ordersOf(account: AccountNumber): OrderRecord[] {
    return [...this.#desk.ownOrders.walk(account, Number.POSITIVE_INFINITY)].flat()
  }

  /**
   * Cancels those orders that fit of all that a user has now, open or queued; looks at them in turns.
   * Those for which the queue has no room stay open and are counted; returns a refusal if all of them do.
   */
  async cancelAllOf(
    account: AccountNumber,
    fits: (order: OrderRecord) => boolean,
    reason: CancelReason,
  ): Promise<CancelledAll | CapacityRefusal> {
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    const ended: OrderRecord[] = []
    const orders = fitting(this.#desk.ownOrders.walk(account, LOOKS_MAX), fits)
    let left = await this.#cancelWhereRoom(orders, reason, ended)
    for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
      before = left.length
      left = await this.#cancelWhereRoom(partsOf(left, LOOKS_MAX), reason, ended)
    }
    if (ended.length === 0 && left.length > 0) return 'queue_full'
    return { ended, openCount: left.length }
  }

  /** Cancels one order; resolves when that is committed. */
  cancelOne(order: OrderRecord, reason: CancelReason): Promise<void> {
    const { market, number } = order
    this.#desk.quoteSets.delete(order)
    return sendToMarket(this.#shards, this.#sources, market, { type: 'CANCEL_ORDER', number, reason })
  }

  /** Cancels while there is room, and adds what has ended; returns the orders that found no room. */
  async #cancelWhereRoom(
    orders: Iterable<readonly OrderRecord[]>,
    reason: CancelReason,
    ended: OrderRecord[],
  ): Promise<OrderRecord[]> {
    const left: OrderRecord[] = []
    let isFirst = true
    for (const looked of orders) {
      if (!isFirst) await setImmediate()
      isFirst = false
      for (const part of partsOf(looked, CANCEL_LENGTH_MAX)) {
        const cancels: Promise<OrderRecord>[] = []
        for (const order of part) {
          if (!isOpen(order.state)) ended.push(order)
          else if (this.#shards.isFullForEnding(order.market)) left.push(order)
          else cancels.push(this.cancelOne(order, reason).then(() => order))
        }
        for (const order of await Promise.all(cancels)) ended.push(order)
      }
    }
    return left
  }
}

function* fitting(
  orders: Iterable<readonly OrderRecord[]>,
  fits: (order: OrderRecord) => boolean,
): Generator<OrderRecord[]> {
  for (const part of orders) yield part.filter(fits)
}

function* partsOf<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let next = 0; next < items.length; next += length) yield items.slice(next, next + length)
}
