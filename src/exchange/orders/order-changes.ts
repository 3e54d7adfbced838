import type { ReplaceOrder } from '../../core/command.js'
import { isOpen, oppositeSide, unitCost } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord, optionsOf, unfilledOf } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots } from '../../core/units.js'
import {
  amount,
  complement,
  LOTS_PER_CONTRACT,
  lots,
  NO_LOTS,
  times,
  toContracts,
  toRupees,
  wholeParts,
} from '../../core/units.js'
import { yesPriceOf } from '../../core/yes-price.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { MarketLife } from '../markets/market-life.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { admit, termsFor } from './admission.js'
import type { ArrivalLane } from './arrival-lane.js'
import type { OrderEntry } from './order-entry.js'

/** The most orders of a user cancelled at a time; other requests may queue in between. */
const CANCEL_LENGTH_MAX = 500

/** An amendment; fields left out stay as they are. */
export interface Amendment {
  /** The price of the order's outcome, in rupees. */
  readonly price?: number | undefined
  /** In contracts, including those already filled. */
  readonly quantity?: number | undefined
}

/** An order that could not be amended because it had already ended. */
export interface EndedBefore {
  readonly endedBefore: OrderRecord
}

/** The orders to cancel: of a user, in one market or all, and of these the ones that fit. */
export type CancelAll = [
  userId: string,
  market: MarketCode | undefined,
  fits?: (order: OrderRecord) => boolean,
]

/** The result of cancelling all of a user's orders. */
export interface CancelledAll {
  /** The ended orders: cancelled, or filled before that. */
  readonly ended: readonly OrderRecord[]
  /** The number still open because the queue had no room. */
  readonly openCount: number
}

/** Cancels and amends orders, in order of arrival. */
export class OrderChanges {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #accounts: AccountOpening
  readonly #entry: OrderEntry
  readonly #life: MarketLife
  readonly #sources: Sources

  constructor(
    desk: Desk,
    shards: ShardPool,
    lane: ArrivalLane,
    accounts: AccountOpening,
    entry: OrderEntry,
    life: MarketLife,
    sources: Sources,
  ) {
    this.#desk = desk
    this.#shards = shards
    this.#lane = lane
    this.#accounts = accounts
    this.#entry = entry
    this.#life = life
    this.#sources = sources
  }

  /** Cancels an order if it is still open; resolves to the ended order, undefined if it does not exist. */
  cancel(id: string): Promise<OrderRecord | CapacityRefusal | undefined> {
    return this.#lane.enter(() => this.#cancelById(id))
  }

  async #cancelById(id: string): Promise<OrderRecord | CapacityRefusal | undefined> {
    const order = this.#entry.findOpen(id)
    if (order === undefined) return this.#entry.find(id)
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    if (this.#shards.isFullForEnding(order.market)) return 'queue_full'
    await this.#cancel(order)
    return order
  }

  /**
   * Cancels all orders of a user that arrived before this call, in one market or all, including queued ones;
   * of these, the ones that fit.
   * Orders for which the queue has no room stay open and are counted; returns a refusal if that is all of
   * them.
   */
  cancelAll(...[userId, market, fits = () => true]: CancelAll): Promise<CancelledAll | CapacityRefusal> {
    return this.#lane.enter(async () => {
      const account = this.#accounts.numberOf(userId)
      return account === undefined
        ? { ended: [], openCount: 0 }
        : this.#cancelAll(account, order => (market === undefined || order.market === market) && fits(order))
    })
  }

  async #cancelAll(
    account: AccountNumber,
    fits: (order: OrderRecord) => boolean,
  ): Promise<CancelledAll | CapacityRefusal> {
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
    const mine = this.#ordersOf(account).filter(fits)
    let left = mine
    for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
      before = left.length
      left = await this.#cancelWhereRoom(left)
    }
    const ended = mine.filter(({ state }) => !isOpen(state))
    if (ended.length === 0 && left.length > 0) return 'queue_full'
    return { ended, openCount: mine.length - ended.length }
  }

  /** Cancels in parts while there is room; returns the orders that found no room. */
  async #cancelWhereRoom(orders: readonly OrderRecord[]): Promise<OrderRecord[]> {
    const left: OrderRecord[] = []
    for (let next = 0; next < orders.length; next += CANCEL_LENGTH_MAX) {
      const cancels: Promise<void>[] = []
      for (const order of orders.slice(next, next + CANCEL_LENGTH_MAX)) {
        if (!isOpen(order.state)) continue
        if (this.#shards.isFullForEnding(order.market)) left.push(order)
        else cancels.push(this.#cancel(order))
      }
      await Promise.all(cancels)
    }
    return left
  }

  /**
   * Amends an open order. A smaller quantity keeps its place; any other change replaces it by a new order,
   * with its own number, at the end of the queue. Resolves to the order now in force; to the new one with its
   * refusal if the old one stays; to `EndedBefore` if it had already ended.
   */
  amend(id: string, amendment: Amendment): Promise<OrderRecord | EndedBefore | CapacityRefusal | undefined> {
    return this.#lane.enter(() => this.#amend(id, amendment))
  }

  async #amend(
    id: string,
    { price, quantity }: Amendment,
  ): Promise<OrderRecord | EndedBefore | CapacityRefusal | undefined> {
    const order = this.#entry.findOpen(id)
    if (order === undefined) {
      const found = await this.#entry.find(id)
      return typeof found === 'object' ? { endedBefore: found } : found
    }
    const { payout } = this.#desk.market(order.market).terms
    // The quantity is absolute: repeated, or after a reduction in flight, it counts once.
    const reducing = this.#desk.market(order.market).reducing.get(order.number)
    const ahead = order.quantity - (reducing?.lots ?? 0)
    const asked = quantity ?? toContracts(lots(ahead))
    const total = wholeParts(asked, LOTS_PER_CONTRACT)
    const isSamePrice =
      price === undefined || yesPriceOf(order.outcome, price, payout) === toRupees(order.price)
    if (isSamePrice && total === ahead) {
      await reducing?.done
      return order
    }
    if (isSamePrice && total !== undefined && total < ahead) {
      if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal
      if (this.#shards.isFullForEnding(order.market)) return 'queue_full'
      await this.#reduce(order, lots(ahead - total))
      return order
    }
    if (this.#desk.limitsOf(order.userId)?.isSuspended) return 'trading_suspended'
    if (this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    const isReady = this.#life.isReadyForOrder(this.#desk.market(order.market))
    if (!isReady || this.#shards.isFull(order.market)) return 'queue_full'
    const rest = wholeRest(asked, order)
    return rest > 0 ? this.#replace(order, requestOf(order, payout, price, rest)) : this.#endBy(order)
  }

  #reduce({ market, number }: OrderRecord, by: QuantityLots): Promise<void> {
    const done = this.#send(market, { type: 'REDUCE_ORDER', number, lots: by })
    this.#desk.market(market).reduceAhead(number, by, done)
    return done
  }

  async #replace(old: OrderRecord, request: OrderRequest): Promise<OrderRecord> {
    const market = this.#desk.market(old.market)
    const now = this.#sources.now()
    const { ledger } = this.#desk
    const remaining = unfilledOf(old)
    const held = holdOf(market, old, remaining)
    const opposite = oppositeSide(old.side)
    const power = {
      contracts: lots(ledger.free(old.market, old.account, opposite) + old.covered),
      money: amount(ledger.balance(old.account).available + held),
    }
    const terms = termsFor(market.terms, this.#desk.limitsOf(old.userId))
    const admission = admit(request, terms, market.pendingStatus, now, power)
    const command = {
      ...this.#entry.commandOf(request, market, old.account, admission),
      ...(old.key !== undefined && { name: old.key }),
    }
    // The old order's hold counts for the new one; the excess is held until the batch is applied.
    const extraHold = 'hold' in admission ? amount(Math.max(0, admission.hold - held)) : amount(0)
    const extraCovered = 'hold' in admission ? lots(Math.max(0, admission.covered - old.covered)) : NO_LOTS
    ledger.hold(old.account, extraHold)
    ledger.lock(old.market, old.account, opposite, extraCovered)
    const record = newOrderRecord(command, now)
    market.arriving.set(command.number, record)
    const replace: Omit<ReplaceOrder, 'id' | 'market'> = {
      type: 'REPLACE_ORDER',
      number: old.number,
      remaining,
      order: command,
      extraHold,
      extraCovered,
    }
    await this.#send(old.market, replace)
    return record
  }

  /** Cancels the rest if more has been filled than the amended quantity. */
  async #endBy(order: OrderRecord): Promise<OrderRecord> {
    await this.#cancel(order)
    return order
  }

  #cancel(order: OrderRecord): Promise<void> {
    const { market, number } = order
    return this.#send(market, { type: 'CANCEL_ORDER', number, reason: 'user_cancelled' })
  }

  #send(market: MarketCode, unsent: Unsent): Promise<void> {
    return sendToMarket(this.#shards, this.#sources, market, unsent)
  }

  #ordersOf(account: AccountNumber): OrderRecord[] {
    const arriving = [...this.#desk.markets.all()].flatMap(market =>
      [...market.arriving.values()].filter(order => order.account === account),
    )
    return [...this.#desk.ownOrders.of(account), ...arriving]
  }
}

/** Returns the money that a resting order holds. */
function holdOf(market: DeskMarket, order: OrderRecord, remaining: QuantityLots): Amount {
  const uncovered = lots(remaining - order.covered)
  return times(unitCost(order.side, order.price, market.terms.payout), uncovered)
}

/** Returns the unfilled part of the new quantity in contracts; off the step if the quantity is. */
function wholeRest(asked: number, order: OrderRecord): number {
  const total = wholeParts(asked, LOTS_PER_CONTRACT)
  return total === undefined ? asked - toContracts(order.filled) : toContracts(lots(total - order.filled))
}

function requestOf(
  order: OrderRecord,
  payout: PriceTicks,
  price: Amendment['price'],
  quantity: number,
): OrderRequest {
  const before = order.outcome === 'yes' ? order.price : complement(order.price, payout)
  return {
    market: order.market,
    userId: order.userId,
    side: order.side,
    orderType: order.orderType,
    selfTrade: order.selfTrade,
    ...optionsOf(order),
    outcome: order.outcome,
    yesPrice: price === undefined ? toRupees(order.price) : yesPriceOf(order.outcome, price, payout),
    askedPrice: price ?? toRupees(before),
    quantity,
  }
}
