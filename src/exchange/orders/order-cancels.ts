import type { CancelReason } from '../../core/order.js'
import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { MarketCode } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Desk } from '../desk.js'
import type { ArrivalLane } from './arrival-lane.js'
import type { BulkCancels, CancelledAll } from './bulk-cancels.js'
import type { OrderEntry } from './order-entry.js'

/** The orders to cancel: of a user, in one market or all, of these the ones that fit; and why. */
export type CancelAll = [
  userId: string,
  market: MarketCode | undefined,
  fits?: (order: OrderRecord) => boolean,
  reason?: CancelReason,
]

/** Tells whether the sender of a request may cancel or amend an order, once it is found. */
export type MayTouch = (order: OrderRecord) => boolean

export const ANY_ORDER: MayTouch = () => true

interface CancelParts {
  readonly desk: Desk
  readonly shards: ShardPool
  readonly lane: ArrivalLane
  readonly accounts: AccountOpening
  readonly entry: OrderEntry
  readonly bulk: BulkCancels
}

/** Cancels orders, in order of arrival. */
export class OrderCancels {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #accounts: AccountOpening
  readonly #entry: OrderEntry
  readonly #bulk: BulkCancels

  constructor({ desk, shards, lane, accounts, entry, bulk }: CancelParts) {
    this.#desk = desk
    this.#shards = shards
    this.#lane = lane
    this.#accounts = accounts
    this.#entry = entry
    this.#bulk = bulk
  }

  /**
   * Cancels an order if it is still open; resolves to the ended order, undefined if it does not exist or may
   * not be touched.
   */
  cancel(id: string, mayTouch: MayTouch = ANY_ORDER): Promise<OrderRecord | CapacityRefusal | undefined> {
    return this.#lane.enter(() => this.#cancelById(id, mayTouch))
  }

  async #cancelById(id: string, mayTouch: MayTouch): Promise<OrderRecord | CapacityRefusal | undefined> {
    const order = this.#entry.findOpen(id)
    if (order !== undefined) return mayTouch(order) ? this.#cancelInForce(order) : undefined
    const found = await this.#entry.find(id)
    return typeof found !== 'object' || mayTouch(found) ? found : undefined
  }

  /**
   * Cancels the order of a user that goes by a name, also one that is queued; resolves as `cancel` does. An
   * order that arrived later keeps the name and stays.
   */
  async cancelNamed(userId: string, name: string): Promise<OrderRecord | CapacityRefusal | undefined> {
    const account = this.#accounts.numberOf(userId)
    if (account === undefined) return undefined
    if (this.#lane.isFull(undefined)) return 'queue_full'
    const arrival = this.#lane.takeNumber()
    let stored: OrderKeyRow | undefined
    const isStored = this.#desk.users.accountOf(userId) !== undefined
    const ready = isStored
      ? this.#entry.storedKey(account, name).then(row => {
          stored = row
        })
      : undefined
    return this.#lane.enter(
      async () => {
        const order = this.#entry.findOpenNamed(account, name, stored)
        if (order !== undefined) return this.#cancelInForce(order)
        // The row was looked up before the last orders ahead were decided.
        const found = await this.#entry.findNamed(userId, name)
        if (typeof found !== 'object' || !isOpen(found.state)) return found
        return found.arrival < arrival ? this.#cancelInForce(found) : undefined
      },
      { ready },
    )
  }

  /** Cancels an order, or what replaces it on the way; resolves to the one that was in force. */
  async #cancelInForce(order: OrderRecord): Promise<OrderRecord | CapacityRefusal> {
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    if (this.#shards.isFullForEnding(order.market)) return 'queue_full'
    const replacements = this.#desk.market(order.market).replacementsOf(order.number)
    await Promise.all([order, ...replacements].map(each => this.#bulk.cancelOne(each, 'user_cancelled')))
    if (order.reason !== 'order_replaced') return order
    return replacements.find(({ state }) => state !== 'rejected') ?? order
  }

  /**
   * Cancels all orders of a user that arrived before this call, in one market or all, including queued ones;
   * of these, the ones that fit. Orders for which the queue has no room stay open and are counted; returns a
   * refusal if that is all of them.
   */
  cancelAll(...[userId, market, fits, reason]: CancelAll): Promise<CancelledAll | CapacityRefusal> {
    const arrival = this.#lane.takeNumber()
    const isCovered = (order: OrderRecord) =>
      order.arrival < arrival && (market === undefined || order.market === market) && (fits?.(order) ?? true)
    return this.#lane.enter(async () => {
      const account = this.#accounts.numberOf(userId)
      if (account === undefined) return { ended: [], openCount: 0 }
      return this.#bulk.cancelAllOf(account, isCovered, reason ?? 'user_cancelled')
    })
  }
}
