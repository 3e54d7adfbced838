import { assert } from '../core/assert.js'
import type { By, Resolution } from '../core/command.js'
import type { Balance } from '../core/ledger.js'
import type { EditRefusal } from '../core/market-edit.js'
import type { OrderRecord } from '../core/order-record.js'
import type { TransferRow } from '../core/records/statement-record.js'
import type { Amount, MarketCode, Sequence, TimeMs } from '../core/units.js'
import type { Following } from '../follower/following.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { JournalRow } from '../store/journal.js'
import { AccountOpening } from './accounts/account-opening.js'
import type { TransferRefusal, TransferRequest } from './accounts/transfers.js'
import { Transfers } from './accounts/transfers.js'
import { BatchEffects } from './batch-effects.js'
import type { CapacityRefusal } from './capacity.js'
import type { Desk } from './desk.js'
import type { ExchangeOptions } from './exchange-options.js'
import { Groups } from './groups/groups.js'
import { HouseQuotes } from './house/house-quotes.js'
import type { DeskMarket } from './markets/desk-market.js'
import type { MarketDirectory } from './markets/market-directory.js'
import type { CreationRefusal, EditRequest, ListingRefusal, MarketRequest } from './markets/market-entry.js'
import { MarketEntry } from './markets/market-entry.js'
import type { MarketMove, MoveRefusal } from './markets/market-life.js'
import { MarketLife } from './markets/market-life.js'
import { auditMoney } from './operations/audit.js'
import { Backups } from './operations/backups.js'
import { ClockDesk } from './operations/clock-desk.js'
import type { Health } from './operations/health.js'
import { HealthReport } from './operations/health.js'
import { OrderMeter } from './operations/order-meter.js'
import { OrdersWaiting } from './operations/orders-waiting.js'
import { WebhookNotes } from './operations/webhook-notes.js'
import { ArrivalLane } from './orders/arrival-lane.js'
import type { CancelledAll } from './orders/bulk-cancels.js'
import type { Placement } from './orders/named-batches.js'
import { NamedBatches } from './orders/named-batches.js'
import type { Amended, Amendment } from './orders/order-amendments.js'
import type { CancelAll, MayTouch } from './orders/order-cancels.js'
import type { OrderDesk } from './orders/order-desk.js'
import { openOrderDesk } from './orders/order-desk.js'
import { PairMerging } from './pair-merging.js'
import type { Publication } from './publications.js'
import { AppliedBatches } from './reads/applied-batches.js'
import { Archive } from './reads/archive.js'
import { PrivateChannels } from './reads/private-channels.js'
import type { ReadBusy } from './reads/read-lane.js'
import type { Readers } from './reads/readers.js'
import type { Parts } from './recovery/open-parts.js'
import { openParts } from './recovery/open-parts.js'
import { Seasons } from './seasons/seasons.js'
import { Shutdown } from './shutdown.js'
import type { EpochLog } from './standby/standby.js'
import { Standby } from './standby/standby.js'

/** The public interface of the exchange: admits orders, queues them, and shows committed state only. */
export class Exchange {
  readonly applied: AppliedBatches
  readonly archive: Archive
  readonly backups: Backups
  readonly batches: NamedBatches
  readonly clock: ClockDesk
  /** All markets and their categories, to be read only. */
  readonly directory: MarketDirectory
  readonly groups: Groups
  readonly house: HouseQuotes
  readonly ordersWaiting: OrdersWaiting
  readonly timers: OrderDesk['timers']
  readonly previews: OrderDesk['previews']
  readonly quotes: OrderDesk['quotes']
  readonly seasons: Seasons
  readonly userChannel: PrivateChannels
  readonly webhookNotes: WebhookNotes
  readonly #options: ExchangeOptions
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #following: Following
  readonly #readers: Readers
  readonly #lane = new ArrivalLane()
  readonly #orders: OrderDesk
  readonly #transfers: Transfers
  readonly #life: MarketLife
  readonly #entry: MarketEntry
  readonly #health: HealthReport
  readonly #effects: BatchEffects
  readonly #standby: Standby
  readonly #shutdown: Shutdown

  private constructor({ options, desk, readers, shards, following, clock, endedAt }: Parts) {
    this.#options = options
    this.#desk = desk
    this.directory = desk.markets
    desk.follow(options)
    this.#readers = readers
    this.#shards = shards
    this.#following = following
    this.applied = new AppliedBatches(shards.lastSequence, desk.epochs)
    const { sources, startingBalance, eventsMax, fail } = options
    const { history, lookups } = readers
    const parts = { desk, shards, sources }
    const accounts = new AccountOpening(parts, startingBalance)
    this.#life = new MarketLife(parts)
    this.house = new HouseQuotes(parts, options.house)
    const { funding } = this.house
    this.#entry = new MarketEntry({ desk, shards, life: this.#life, sources, eventsMax, funding })
    this.clock = new ClockDesk(parts, clock, () => this.advanceClock())
    this.backups = new Backups(options, desk, shards)
    const meter = new OrderMeter(sources.watch())
    this.ordersWaiting = new OrdersWaiting(sources.watch)
    const own = { meter, applied: this.applied, backups: this.backups, clock: this.clock, file: options.file }
    this.#health = new HealthReport({ desk, shards, readers, following, sources, ...own })
    const orderParts = { desk, shards, lane: this.#lane, lookups, accounts, life: this.#life, sources, meter }
    this.groups = new Groups({ ...orderParts, entry: this.#entry, history })
    this.#orders = openOrderDesk(orderParts)
    this.timers = this.#orders.timers
    this.previews = this.#orders.previews
    this.quotes = this.#orders.quotes
    this.#transfers = new Transfers(parts, lookups, accounts)
    this.seasons = new Seasons({ ...orderParts, transfers: this.#transfers, bulk: this.#orders.bulk })
    this.batches = new NamedBatches(parts, lookups)
    this.archive = new Archive(desk, history, sources)
    this.userChannel = new PrivateChannels(desk, history)
    this.webhookNotes = new WebhookNotes(parts)
    const pairs = new PairMerging(parts)
    const { groups, house, timers, seasons, userChannel, backups } = this
    const [lane, life] = [this.#lane, this.#life]
    const decided = { transfers: this.#transfers, groups, pairs, life, house, timers }
    this.#effects = new BatchEffects({ desk, following, applied: this.applied, userChannel, ...decided })
    this.#standby = new Standby({ desk, shards, following, sources, effects: this.#effects, endedAt, fail })
    const ended = { readers, lane, life, timers, seasons, standby: this.#standby, shards, following, backups }
    const { file, replica } = options
    this.#shutdown = new Shutdown({ file, replica, ...ended })
  }

  /** Opens the file, recovers its state and starts the shards: every start is a crash recovery. */
  static async open(given: ExchangeOptions): Promise<Exchange> {
    let exchange: Exchange | undefined
    const parts = await openParts(given, (commands, result) => {
      assert(exchange !== undefined, 'no batch commits before the exchange is open')
      exchange.#effects.committed(commands, result)
    })
    exchange = new Exchange(parts)
    if (given.standby) exchange.#effects.beginToFollow()
    else await exchange.#effects.begin(parts.endedAt)
    return exchange
  }

  /** False while this exchange follows another one: then it takes no command but by `follow`. */
  get leads(): boolean {
    return this.#desk.leads
  }

  /** The last batch that memory includes. */
  get sequence(): Sequence {
    return this.applied.last
  }

  /** Takes rows of another exchange; resolves once they are published. Throws `RowsRefusedError`. */
  follow(rows: readonly JournalRow[]): Promise<void> {
    return this.#standby.follow(rows)
  }

  /** Begins to lead; resolves to the last batch. Goes on following, and rejects, if the log refuses that. */
  async lead(by: Omit<By, 'fields'>, log?: EpochLog): Promise<Sequence> {
    await this.#standby.lead(by, log)
    return this.sequence
  }

  /** Creates a market; refuses a slug that is taken, once the other market is committed, and a known id. */
  createMarket(request: MarketRequest): Promise<DeskMarket | CreationRefusal> {
    return this.#entry.create(request)
  }

  /** Edits a market; resolves when the edit is committed, or with the reason why nothing changed. */
  editMarket(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | ListingRefusal | CapacityRefusal | undefined> {
    return this.#entry.edit(market, request)
  }

  /** Places an order; resolves to it after its batch, or as first placed under its key, or to a refusal. */
  placeOrder(request: Placement): Promise<OrderRecord | CapacityRefusal | 'key_used'> {
    return this.ordersWaiting.until(this.#orders.entry.place(request))
  }

  /** Cancels an order if it is still open; resolves to the ended order, undefined if it does not exist. */
  cancelOrder(id: string, mayTouch?: MayTouch): Promise<OrderRecord | CapacityRefusal | undefined> {
    return this.ordersWaiting.until(this.#orders.cancels.cancel(id, mayTouch))
  }

  /** Cancels the order of a user that goes by a name; resolves as `cancelOrder` does. */
  cancelOrderNamed(userId: string, name: string): Promise<OrderRecord | CapacityRefusal | undefined> {
    return this.ordersWaiting.until(this.#orders.cancels.cancelNamed(userId, name))
  }

  /** The number of the last order, amendment or cancel that has arrived. */
  get lastArrival(): number {
    return this.#lane.lastArrival
  }

  /** Cancels a user's open orders, as `OrderCancels` says; resolves to those and the number left open. */
  cancelOrders(...which: CancelAll): Promise<CancelledAll | CapacityRefusal> {
    return this.ordersWaiting.until(this.#orders.cancels.cancelAll(...which))
  }

  /** Amends an open order; resolves to the order now in force, or to a new one with its refusal. */
  amendOrder(id: string, amendment: Amendment, mayTouch?: MayTouch): Promise<Amended> {
    return this.ordersWaiting.until(this.#orders.amendments.amend(id, amendment, mayTouch))
  }

  /** Finds an order by its public id: open ones in memory, others on disk. */
  findOrder(id: string): Promise<OrderRecord | ReadBusy | undefined> {
    return this.#orders.entry.find(id)
  }

  findOrderNamed(userId: string, name: string): Promise<OrderRecord | ReadBusy | undefined> {
    return this.#orders.entry.findNamed(userId, name)
  }

  /** Halts, resumes or closes a market; resolves when it is committed, or to why the market cannot do so. */
  moveMarket(market: DeskMarket, move: MarketMove, by?: By): Promise<MoveRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.move(market, move, by))
  }

  /** Sets a market's outcome, once; payouts follow in parts. */
  resolveMarket(market: DeskMarket, resolution: Resolution, by?: By): Promise<MoveRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.resolve(market, resolution, by))
  }

  /** Deposits or withdraws money, once per `txnId`; resolves to the transfer as first made. */
  transfer(request: TransferRequest): Promise<TransferRow | TransferRefusal | CapacityRefusal> {
    return this.#transfers.transfer(request)
  }

  /** The money of a new user, paid in with the first order. */
  get startingBalance(): Amount {
    return this.#desk.seasons.openingBalance(this.now(), this.#options.startingBalance)
  }

  now(): TimeMs {
    return this.#options.sources.now()
  }

  market(code: MarketCode): DeskMarket | undefined {
    return this.#desk.markets.get(code)
  }

  /** Finds a market by its code as a client wrote it: exactly seven digits. */
  marketWritten(code: string): DeskMarket | undefined {
    return /^[1-9]\d{6}$/.test(code) ? this.market(Number(code) as MarketCode) : undefined
  }

  tradersOf(code: MarketCode): number {
    return this.#desk.forgetting.tradersOf(code)
  }

  balance(userId: string): Balance | undefined {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? undefined : this.#desk.ledger.balance(account)
  }

  /** Calls back with the channel messages of each batch and market, right after the commit. */
  onPublication(listener: (publication: Publication) => void): void {
    this.#effects.onPublication(listener)
  }

  /** Opens and closes markets, ends orders and refuses late reads; to be called about every second. */
  advanceClock(): void {
    this.#life.advanceAll()
    this.timers.advance()
    this.house.advance()
    if (this.leads) this.seasons.advance()
    this.#readers.history.refuseLate()
    this.#following.refuseLate()
    this.#shards.truncateQuietLog(() => this.#following.truncateLog())
  }

  moneyIsAllThere(): boolean {
    return auditMoney(this.#desk) === undefined
  }

  health(): Promise<Health> {
    return this.#health.look()
  }

  stateHashes(): Promise<string[]> {
    return this.#shards.stateHashes()
  }

  /** Waits until everything queued is committed, applied and in the tables. */
  drain(): Promise<void> {
    return this.#shutdown.drain()
  }

  /** Finishes queued work, stops the threads, seals the files, and waits at most 20 s for a backup. */
  close(): Promise<void> {
    return this.#shutdown.close()
  }
}
