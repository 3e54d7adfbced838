import { assert } from '../../core/assert.js'
import type { Admission, CreateOrder } from '../../core/command.js'
import { oppositeSide } from '../../core/order.js'
import { givenOptions, hasOptions } from '../../core/order-options.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord, parseOrderId } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { MarketLife } from '../markets/market-life.js'
import type { OrderMeter } from '../operations/order-meter.js'
import type { Lookups } from '../reads/lookups.js'
import type { ReadBusy } from '../reads/read-lane.js'
import type { Sources } from '../sources.js'
import type { BuyingPower } from './admission.js'
import { admit, termsFor } from './admission.js'
import type { ArrivalLane } from './arrival-lane.js'
import type { Placement, RunningPart } from './named-batches.js'
import { partOf } from './named-batches.js'
import type { Decided } from './order-keys.js'
import { OrderKeys } from './order-keys.js'
import type { OrderTimers } from './order-timers.js'

/** When an order arrived by the monotonic clock, and its number in order of arrival. */
interface Came {
  readonly at: number
  readonly number: number
}

export interface OrderEntryParts extends CommandParts {
  readonly lane: ArrivalLane
  readonly lookups: Lookups
  readonly accounts: AccountOpening
  readonly life: MarketLife
  readonly meter: OrderMeter
  readonly timers: OrderTimers
}

/** Admits incoming orders, holds their money, and queues them at their market's shard. */
export class OrderEntry {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lane: ArrivalLane
  readonly #lookups: Lookups
  readonly #accounts: AccountOpening
  readonly #life: MarketLife
  readonly #sources: Sources
  readonly #meter: OrderMeter
  readonly #timers: OrderTimers
  readonly #keys: OrderKeys

  constructor({ desk, shards, lane, lookups, accounts, life, sources, meter, timers }: OrderEntryParts) {
    this.#desk = desk
    this.#shards = shards
    this.#lane = lane
    this.#lookups = lookups
    this.#accounts = accounts
    this.#life = life
    this.#sources = sources
    this.#meter = meter
    this.#timers = timers
    this.#keys = new OrderKeys(lookups)
  }

  /**
   * Places an order. Its arrival is this call, whatever it must wait for. Resolves to the order after its
   * batch, refused or not; to a refusal if it was not queued. With a known key, resolves to the order placed
   * under it. The caller has checked that the market exists.
   */
  place(request: Placement): Promise<OrderRecord | CapacityRefusal | 'key_used'> {
    const placed = this.#enter(request)
    return typeof placed === 'string' ? Promise.resolve(placed) : placed
  }

  #enter(request: Placement): Decided | CapacityRefusal {
    const came: Came = { at: this.#sources.watch(), number: this.#lane.takeNumber() }
    const { market, userId, key, batch } = request
    if (this.#lane.isFull(userId)) return 'queue_full'
    const isNew = this.#accounts.numberOf(userId) === undefined
    if (isNew && this.#desk.growthRefusal !== undefined) return this.#desk.growthRefusal
    if (isNew && this.#desk.limitsOf(userId)?.isSuspended) return 'trading_suspended'
    const found = this.#accounts.accountOf(userId, market)
    if (typeof found === 'string') return found
    const { account, opened } = typeof found === 'number' ? { account: found, opened: undefined } : found
    const fired = this.#timers.firing(account)
    const place = () => this.#placeNow(request, account, came, isNew)
    const waits = batch !== undefined || opened !== undefined || fired !== undefined || this.#lane.length > 0
    if (key === undefined && !waits) return place()
    const enter = (decide: () => Decided, known?: Promise<void>) =>
      this.#lane.enter(batch === undefined ? decide : () => this.#decideInBatch(batch, decide), {
        ready:
          batch === undefined && fired === undefined
            ? (opened ?? known)
            : Promise.all([opened, known, fired, batch?.batch.ready]),
        userId,
      })
    if (key === undefined) return enter(async () => place())
    return this.#keys.once({
      userId,
      key,
      account: this.#desk.users.accountOf(userId),
      enter,
      place,
      read: (code, number) => this.read(code, number),
    })
  }

  /** Finds the order that a user placed under an idempotency key. */
  async findNamed(userId: string, name: string): Promise<OrderRecord | ReadBusy | undefined> {
    const account = this.#desk.users.accountOf(userId)
    const row = account && (await this.#lookups.orderKey(account, name))
    return row === undefined || typeof row === 'string' ? row : this.read(row.market, row.number)
  }

  /** Looks up the stored row of a name, for `findOpenNamed`. */
  storedKey(account: AccountNumber, name: string): Promise<OrderKeyRow | undefined> {
    return this.#lookups.usedOrderKey(account, name)
  }

  /** Finds the order that a user placed under a name, if it is queued or open. */
  findOpenNamed(
    account: AccountNumber,
    name: string,
    stored: OrderKeyRow | undefined,
  ): OrderRecord | undefined {
    const { market, number } = this.#lookups.freshOrderKey(account, name) ?? stored ?? {}
    const open = market && number && this.#desk.markets.inMemory(market)?.openOrders.get(number)
    return open ?? this.#desk.ownOrders.arrivingNamed(account, name)
  }

  /** Finds an open order by its public id. */
  findOpen(id: string): OrderRecord | undefined {
    const parts = parseOrderId(id)
    const order = parts && this.#desk.markets.inMemory(parts.market)?.openOrders.get(parts.number)
    return order?.suffix === parts?.suffix && this.#isUsers(order) ? order : undefined
  }

  /** Finds an order by its public id: open ones in memory, others on disk. */
  async find(id: string): Promise<OrderRecord | ReadBusy | undefined> {
    const parts = parseOrderId(id)
    if (parts === undefined || !this.#desk.markets.has(parts.market)) return undefined
    const order = await this.read(parts.market, parts.number)
    if (typeof order === 'string') return order
    return order?.suffix === parts.suffix && this.#isUsers(order) ? order : undefined
  }

  /** Returns false for an order of the house: nobody may read, amend or cancel it. */
  #isUsers(order: OrderRecord | undefined): boolean {
    return order !== undefined && !this.#desk.house.owns(order.account)
  }

  /** Finds an order by market and number. */
  async read(market: MarketCode, number: OrderNumber): Promise<OrderRecord | ReadBusy | undefined> {
    // What memory has forgotten has no open orders.
    const open = this.#desk.markets.inMemory(market)?.openOrders.get(number)
    return open ?? (await this.#lookups.order(market, number))
  }

  /** Builds the command of an admitted order; the caller holds and locks what it needs. */
  commandOf(
    request: Placement,
    market: DeskMarket,
    account: AccountNumber,
    admission: Admission,
  ): CreateOrder {
    const { side, userId, orderType, selfTrade, outcome, yesPrice, askedPrice, quantity, key, batch } =
      request
    const fits = 'hold' in admission && admission.price > 0
    const plain: CreateOrder = {
      type: 'CREATE_ORDER',
      id: this.#sources.messageId(),
      data: { market: String(request.market), price: yesPrice, quantity, side, userId },
      market: request.market,
      number: market.takeNumber(),
      suffix: this.#sources.orderSuffix(),
      account,
      orderType,
      selfTrade,
      outcome,
      asked: fits ? undefined : { price: askedPrice, quantity },
      admission,
    }
    if (key === undefined && batch === undefined && !hasOptions(request)) return plain
    return {
      ...plain,
      ...givenOptions(request),
      ...(key !== undefined && { key }),
      ...(batch !== undefined && { batch: partOf(batch) }),
    }
  }

  /** Decides one order of a named batch; does not place an order that the batch already has. */
  async #decideInBatch({ batch, index }: RunningPart, decide: () => Decided): Decided {
    if (batch.refusal !== undefined) return batch.refusal
    const place = batch.orders.get(index)
    if (place === undefined) return decide()
    const order = await this.read(...place)
    assert(order !== undefined, "a stored batch's orders are stored")
    return order
  }

  /** Places an order that waits for nothing more. */
  #placeNow(
    request: Placement,
    account: AccountNumber,
    came: Came,
    isNew: boolean,
  ): Promise<OrderRecord> | CapacityRefusal {
    if (this.#desk.tradeRefusal !== undefined) return this.#desk.tradeRefusal
    const market = this.#desk.market(request.market)
    const limits = this.#desk.limitsOf(request.userId)
    // Not on arrival: a repeated order is answered like the first, and no order overtakes a suspension.
    if (limits?.isSuspended) return 'trading_suspended'
    if (!market.hasNumbers) return 'numbers_used_up'
    if (!this.#life.isReadyForOrder(market)) return 'queue_full'
    if (this.#desk.ownOrders.isFull(account, limits?.openOrdersMax)) return 'open_orders_full'
    // The queue had room for the order that opened the account: its own opening must not refuse it.
    if (!isNew && this.#shards.isFull(request.market)) return 'queue_full'
    return this.#place(request, market, account, came)
  }

  /** Admits an order and queues it; resolves when it is committed. */
  #place(request: Placement, market: DeskMarket, account: AccountNumber, came: Came): Promise<OrderRecord> {
    const now = this.#sources.now()
    const limits = this.#desk.limitsOf(request.userId)
    const terms = termsFor(market.terms, limits, market.rates)
    const admission = admit(request, terms, market.pendingStatus, now, this.#powerOf(request, account))
    const command = this.commandOf(request, market, account, admission)
    // After this point the hold and the locks stand until the order's batch has been applied.
    if ('hold' in admission) {
      this.#desk.ledger.hold(account, admission.hold)
      this.#desk.ledger.lock(request.market, account, oppositeSide(request.side), admission.covered)
    }
    const record = newOrderRecord(command, now)
    record.arrival = came.number
    this.#desk.arrive(market, record)
    return this.#shards.submit(request.market, command).then(() => {
      this.#meter.note(came.at, this.#sources.watch())
      return record
    })
  }

  #powerOf({ market, side }: OrderRequest, account: AccountNumber): BuyingPower {
    const { ledger } = this.#desk
    return {
      contracts: ledger.free(market, account, oppositeSide(side)),
      money: ledger.balance(account).available,
    }
  }
}
