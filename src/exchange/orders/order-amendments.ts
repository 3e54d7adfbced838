import { assert } from '../../core/assert.js'
import type { ReplaceOrder } from '../../core/command.js'
import { isOpen, oppositeSide } from '../../core/order.js'
import { AMENDED } from '../../core/named-amendment.js'
import type { BatchKey } from '../../core/order-names.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord, optionsOf } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { MarketCode, PriceTicks, QuantityLots } from '../../core/units.js'
import {
  amount,
  complement,
  LOTS_PER_CONTRACT,
  lots,
  NO_LOTS,
  toContracts,
  toRupees,
  wholeParts,
} from '../../core/units.js'
import { yesPriceOf } from '../../core/yes-price.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { KnownBatch } from '../../store/rows/batch-key-rows.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { MarketLife } from '../markets/market-life.js'
import type { Lookups } from '../reads/lookups.js'
import type { ReadBusy } from '../reads/read-lane.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import { termsFor } from './admission.js'
import type { Ahead } from './amended-size.js'
import { admitAmended, holdOf, isBelowMin, reducedBy } from './amended-size.js'
import type { ArrivalLane } from './arrival-lane.js'
import { KeyedMutex } from './keyed-mutex.js'
import type { MayTouch } from './order-cancels.js'
import { ANY_ORDER } from './order-cancels.js'
import type { OrderEntry } from './order-entry.js'
import type { OrderTimers } from './order-timers.js'

/** An amendment; fields left out stay as they are. */
export interface Amendment {
  /** The price of the order's outcome, in rupees. */
  readonly price?: number | undefined
  /** In contracts, including those already filled. */
  readonly quantity?: number | undefined
  /** The client's name for it: repeated under this name, it has no further effect. */
  readonly name?: BatchKey | undefined
}

/** An order that could not be amended because it had already ended. */
export interface EndedBefore {
  readonly endedBefore: OrderRecord
}

/**
 * The order now in force, or a new one with its refusal; `key_used` if the name is of another amendment;
 * undefined if there is no such order.
 */
export type Amended = OrderRecord | EndedBefore | CapacityRefusal | ReadBusy | 'key_used' | undefined

/** Needed to amend orders. */
export interface AmendmentParts extends CommandParts {
  readonly lane: ArrivalLane
  readonly lookups: Lookups
  readonly entry: OrderEntry
  readonly life: MarketLife
  readonly timers: OrderTimers
}

/** Amends orders, in order of arrival. */
export class OrderAmendments {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #lookups: Lookups
  readonly #entry: OrderEntry
  readonly #life: MarketLife
  readonly #sources: Sources
  readonly #timers: OrderTimers
  /** Serialises amendments with the same name. */
  readonly #inTurn = new KeyedMutex()

  constructor({ desk, shards, lane, lookups, entry, life, sources, timers }: AmendmentParts) {
    this.#desk = desk
    this.#shards = shards
    this.#lane = lane
    this.#lookups = lookups
    this.#entry = entry
    this.#life = life
    this.#sources = sources
    this.#timers = timers
  }

  /**
   * Amends an open order. A smaller quantity keeps its place; any other change replaces it by a new order,
   * with its own number, at the end of the queue. Resolves to the order now in force; to the new one with its
   * refusal if the old one stays; to `EndedBefore` if it had already ended; to undefined if it may not be
   * touched. With a known name, resolves to the order that the amendment of that name left in force.
   */
  amend(id: string, amendment: Amendment, mayTouch: MayTouch = ANY_ORDER): Promise<Amended> {
    const { name } = amendment
    const enter = () => this.#enter(id, amendment, mayTouch)
    return name === undefined ? enter() : this.#inTurn.run(name.name, enter)
  }

  #enter(id: string, amendment: Amendment, mayTouch: MayTouch): Promise<Amended> {
    const arrival = this.#lane.takeNumber()
    const { name } = amendment
    const account = this.#entry.findOpen(id)?.account
    const fired = account === undefined ? undefined : this.#timers.firing(account)
    let known: KnownBatch | undefined
    const looked =
      name &&
      this.#lookups.batch(name.name).then(found => {
        known = found
      })
    const decide = async (): Promise<Amended> => {
      const open = this.#entry.findOpen(id)
      const order = open ?? (await this.#entry.find(id))
      if (typeof order !== 'object') return order
      if (!mayTouch(order)) return undefined
      if (known !== undefined) return known.fingerprint === name?.fingerprint ? this.#left(known) : 'key_used'
      return open === undefined ? { endedBefore: order } : this.#amend(open, amendment, arrival)
    }
    return this.#lane.enter(decide, { ready: looked === undefined ? fired : Promise.all([looked, fired]) })
  }

  /** Reads the order that a named amendment left in force, as it is now. */
  async #left({ orders }: KnownBatch): Promise<OrderRecord | ReadBusy> {
    const [place] = orders
    assert(place !== undefined, 'a stored amendment has an order')
    const order = await this.#entry.read(place[1], place[2])
    assert(order !== undefined, "a stored amendment's order is stored")
    return order
  }

  async #amend(order: OrderRecord, amendment: Amendment, arrival: number): Promise<Amended> {
    const { price, quantity, name } = amendment
    const market = this.#desk.market(order.market)
    const { payout } = market.terms
    // The quantity is absolute: repeated, or after a reduction in flight, it counts once.
    const reducing = market.reducing.get(order.number)
    const ahead = reducedBy(order, reducing?.lots ?? NO_LOTS)
    const asked = quantity ?? toContracts(ahead.quantity)
    const total = wholeParts(asked, LOTS_PER_CONTRACT)
    const isSamePrice =
      price === undefined || yesPriceOf(order.outcome, price, payout) === toRupees(order.price)
    if (isSamePrice && total === ahead.quantity) {
      const refusal = name && this.#endingRefusal(order.market)
      if (refusal !== undefined) return refusal
      await Promise.all([reducing?.done, name && this.#keep(order, name)])
      return order
    }
    if (isSamePrice && total !== undefined && total < ahead.quantity) {
      const after = reducedBy(order, lots(order.quantity - total))
      if (!isBelowMin(market.terms, ahead, after, order.price)) {
        const refusal = this.#endingRefusal(order.market)
        return refusal ?? this.#reduce(order, lots(ahead.quantity - total), after, name)
      }
    }
    if (this.#desk.limitsOf(order.userId)?.isSuspended) return 'trading_suspended'
    if (this.#desk.tradeRefusal !== undefined) return this.#desk.tradeRefusal
    const isReady = this.#life.isReadyForOrder(market)
    if (!isReady || this.#shards.isFull(order.market)) return 'queue_full'
    const rest = wholeRest(asked, order)
    if (rest <= 0) return this.#endBy(order, name)
    if (!market.hasNumbers) return 'numbers_used_up'
    return this.#replace(order, ahead, requestOf(order, payout, price, rest), { arrival, name })
  }

  #endingRefusal(market: MarketCode): CapacityRefusal | undefined {
    return this.#desk.endingRefusal ?? (this.#shards.isFullForEnding(market) ? 'queue_full' : undefined)
  }

  /** Records the name of an amendment that changes nothing. */
  #keep({ market, number }: OrderRecord, amendment: BatchKey): Promise<void> {
    const id = this.#sources.messageId()
    return this.#shards.submit(market, { type: 'KEEP_AMENDMENT', id, market, number, amendment })
  }

  async #reduce(
    order: OrderRecord,
    by: QuantityLots,
    after: Ahead,
    name: BatchKey | undefined,
  ): Promise<Amended> {
    const { market, number } = order
    const done = this.#send(market, { type: 'REDUCE_ORDER', number, lots: by, ...named(name) })
    this.#desk.market(market).reduceAhead(number, by, done)
    await done
    // It may have been filled or replaced before.
    const isDone = isOpen(order.state) || order.quantity <= after.quantity
    return isDone || order.reason === 'user_cancelled' ? order : { endedBefore: order }
  }

  async #replace(
    old: OrderRecord,
    ahead: Ahead,
    request: OrderRequest,
    { arrival, name }: { readonly arrival: number; readonly name: BatchKey | undefined },
  ): Promise<OrderRecord> {
    const market = this.#desk.market(old.market)
    const now = this.#sources.now()
    const { ledger } = this.#desk
    const held = holdOf(ahead, market.terms.payout)
    const opposite = oppositeSide(old.side)
    const power = {
      contracts: lots(ledger.free(old.market, old.account, opposite) + ahead.covered),
      money: amount(ledger.balance(old.account).available + held),
    }
    const terms = termsFor(market.terms, this.#desk.limitsOf(old.userId), market.rates)
    const admission = admitAmended(request, terms, market.pendingStatus, now, power, ahead)
    const command = {
      ...this.#entry.commandOf(request, market, old.account, admission),
      ...(old.key !== undefined && { name: old.key }),
      ...(name !== undefined && { batch: { ...name, index: AMENDED } }),
    }
    // The old order's hold counts for the new one; the excess is held until the batch is applied.
    const extraHold = 'hold' in admission ? amount(Math.max(0, admission.hold - held)) : amount(0)
    const extraCovered = 'hold' in admission ? lots(Math.max(0, admission.covered - ahead.covered)) : NO_LOTS
    ledger.hold(old.account, extraHold)
    ledger.lock(old.market, old.account, opposite, extraCovered)
    const record = newOrderRecord(command, now)
    record.arrival = arrival
    this.#desk.arrive(market, record, old.number)
    const replace: Omit<ReplaceOrder, 'id' | 'market'> = {
      type: 'REPLACE_ORDER',
      number: old.number,
      remaining: ahead.rest,
      order: command,
      isMinChecked: true,
      extraHold,
      extraCovered,
    }
    await this.#send(old.market, replace)
    return record
  }

  /** Cancels the rest if more has been filled than the amended quantity. */
  async #endBy(order: OrderRecord, name: BatchKey | undefined): Promise<OrderRecord> {
    const { market, number } = order
    this.#desk.quoteSets.delete(order)
    await this.#send(market, { type: 'CANCEL_ORDER', number, reason: 'user_cancelled', ...named(name) })
    return order
  }

  #send(market: MarketCode, unsent: Unsent): Promise<void> {
    return sendToMarket(this.#shards, this.#sources, market, unsent)
  }
}

/** Returns the field of a command that carries the name of its amendment. */
function named(amendment: BatchKey | undefined): { readonly amendment?: BatchKey } {
  return amendment === undefined ? {} : { amendment }
}

/** Returns the unfilled part of the new quantity in contracts; one that is off the step as it was sent. */
function wholeRest(asked: number, order: OrderRecord): number {
  const total = wholeParts(asked, LOTS_PER_CONTRACT)
  return total === undefined ? asked : toContracts(lots(total - order.filled))
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
