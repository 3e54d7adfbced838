import { assert } from '../core/assert.js'
import type { By, Command, Resolution } from '../core/command.js'
import type { Balance } from '../core/ledger.js'
import type { EditRefusal } from '../core/market-edit.js'
import type { OrderRecord } from '../core/order-record.js'
import type { TransferRow } from '../core/records/statement-record.js'
import type { AccountNumber, Amount, MarketCode, Sequence, TimeMs } from '../core/units.js'
import { NO_LOTS } from '../core/units.js'
import type { BatchResult } from '../shard/batch-runner.js'
import { ShardPool } from '../shard/shard-pool.js'
import type { MoneyAudit } from '../store/audit/money-audit.js'
import { sealFile } from '../store/database.js'
import type { Room } from '../store/room-state.js'
import { AccountOpening } from './accounts/account-opening.js'
import type { TransferRefusal, TransferRequest } from './accounts/transfers.js'
import { Transfers } from './accounts/transfers.js'
import type { CapacityRefusal } from './capacity.js'
import type { Desk, Publication } from './desk.js'
import type { DeskMarket } from './markets/desk-market.js'
import type { EditRequest, MarketRequest } from './markets/market-entry.js'
import { MarketEntry } from './markets/market-entry.js'
import type { MarketMove, MoveRefusal } from './markets/market-life.js'
import { MarketLife } from './markets/market-life.js'
import { auditMoney } from './operations/audit.js'
import { Backups } from './operations/backups.js'
import type { Health } from './operations/health.js'
import { HealthReport } from './operations/health.js'
import { OrderMeter } from './operations/order-meter.js'
import { ArrivalLane } from './orders/arrival-lane.js'
import type { Placement } from './orders/named-batches.js'
import { NamedBatches } from './orders/named-batches.js'
import type { Amendment, CancelledAll, EndedBefore } from './orders/order-changes.js'
import { OrderChanges } from './orders/order-changes.js'
import { OrderEntry } from './orders/order-entry.js'
import { Archive } from './reads/archive.js'
import type { ReadBusy } from './reads/read-lane.js'
import { Readers } from './reads/readers.js'
import { UserChannel } from './reads/user-channel.js'
import { openTogether } from './recovery/open-together.js'
import { prepareFile, recoverDesk } from './recovery/recovery.js'
import { sendToMarket } from './send-to-market.js'
import type { Sources } from './sources.js'

export interface ExchangeOptions {
  /** The path of the one file. */
  readonly file: string
  readonly shardCount: number
  /** Whether shards and history have threads of their own. */
  readonly threads: boolean
  /** How many commands may wait in front of a shard before orders are refused with 503. */
  readonly queueLengthMax: number
  /** How many events may be neither settled nor voided before new ones are refused with 503. */
  readonly eventsMax: number
  /** What a new user's account starts with. */
  readonly startingBalance: Amount
  readonly sources: Sources
  /** How much room the disk has; endless where nobody watches it. */
  readonly room?: Room
  /** Something is broken that cannot be mended while running: stop the process. */
  readonly fail: (error: Error) => void
}

/**
 * The exchange's front desk. Admits orders, holds their money, queues them at the shard of their market, and
 * answers when they are on disk. Everything it shows has been committed.
 */
export class Exchange {
  readonly archive: Archive
  readonly backups: Backups
  readonly batches: NamedBatches
  readonly userChannel: UserChannel
  readonly #options: ExchangeOptions
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #readers: Readers
  readonly #lane = new ArrivalLane()
  readonly #orders: OrderEntry
  readonly #changes: OrderChanges
  readonly #transfers: Transfers
  readonly #life: MarketLife
  readonly #entry: MarketEntry
  readonly #vitals: HealthReport
  readonly #listeners: ((publication: Publication) => void)[] = []

  private constructor(options: ExchangeOptions, desk: Desk, readers: Readers, shards: ShardPool) {
    this.#options = options
    this.#desk = desk
    desk.room = options.room ?? desk.room
    this.#readers = readers
    this.#shards = shards
    const { sources, startingBalance } = options
    const { history, lookups } = readers
    const accounts = new AccountOpening(desk, shards, sources, startingBalance)
    this.#life = new MarketLife(desk, shards, sources)
    this.#entry = new MarketEntry(desk, shards, this.#life, sources, options.eventsMax)
    this.backups = new Backups(options.file, desk, shards, sources, options.threads)
    const meter = new OrderMeter(sources.watch())
    this.#vitals = new HealthReport(desk, shards, readers, meter, sources, this.backups, options.file)
    this.#orders = new OrderEntry(desk, shards, this.#lane, lookups, accounts, this.#life, sources, meter)
    this.#changes = new OrderChanges(desk, shards, this.#lane, accounts, this.#orders, this.#life, sources)
    this.#transfers = new Transfers(desk, shards, lookups, accounts, sources)
    this.batches = new NamedBatches(lookups, shards, sources)
    this.archive = new Archive(desk, history, sources)
    this.userChannel = new UserChannel(desk, history)
  }

  /** Opens the file, recovers what it holds, starts the shards: every start is a crash recovery. */
  static async open(options: ExchangeOptions): Promise<Exchange> {
    const { threads, file, shardCount, queueLengthMax, fail, sources } = options
    let exchange: Exchange | undefined
    const lastSequence = prepareFile(file)
    // The shards rebuild their books in their threads while this one reads the desk's memory.
    const opening = ShardPool.open(file, {
      shardCount,
      threads,
      queueLengthMax,
      lastSequence,
      now: () => sources.now(),
      applyCommitted: (commands, result) => {
        assert(exchange !== undefined, 'no batch commits before the exchange is open')
        exchange.#settleBatch(commands, result)
      },
      fail,
    })
    const [shards, desk] = await openTogether(opening, () => recoverDesk(file))
    exchange = new Exchange(options, desk, await Readers.open(options), shards)
    for (const market of desk.markets.all()) {
      for (const [account] of desk.ledger.positions(market.terms.code)) exchange.#mergePairs(market, account)
      exchange.#life.carryOn(market)
    }
    return exchange
  }

  /** Creates a market. Of two titles with one slug the second is refused, once the first is on disk. */
  createMarket(request: MarketRequest): Promise<DeskMarket | 'slug_used' | CapacityRefusal> {
    return this.#entry.create(request)
  }

  /** Changes words and terms of a market; answers when it is on disk, or why nothing of it was done. */
  editMarket(
    market: DeskMarket,
    request: EditRequest,
  ): Promise<EditRefusal | 'slug_used' | CapacityRefusal | undefined> {
    return this.#entry.edit(market, request)
  }

  /**
   * Places an order. Answers it as its batch left it, refused or not; `Busy` where nothing was queued. With
   * a key that is known it answers the order that has it, or `key_used` where that one was another.
   */
  placeOrder(request: Placement): Promise<OrderRecord | CapacityRefusal | 'key_used'> {
    return this.#orders.place(request)
  }

  /** Cancels an order where it is still open; answers how it ended, undefined where there is none. */
  cancelOrder(id: string): Promise<OrderRecord | CapacityRefusal | undefined> {
    return this.#changes.cancel(id)
  }

  /** Cancels a user's open orders, of one market or of all; answers how they ended, and how many are left. */
  cancelOrders(userId: string, market: MarketCode | undefined): Promise<CancelledAll | CapacityRefusal> {
    return this.#changes.cancelAll(userId, market)
  }

  /** Amends an open order; answers the order that holds now, or a new one with its refusal. */
  amendOrder(
    id: string,
    amendment: Amendment,
  ): Promise<OrderRecord | EndedBefore | CapacityRefusal | undefined> {
    return this.#changes.amend(id, amendment)
  }

  /** An order by its public id: open ones from memory, others from disk. */
  findOrder(id: string): Promise<OrderRecord | ReadBusy | undefined> {
    return this.#orders.find(id)
  }

  /** The order that a user placed under a name of their own. */
  findOrderNamed(userId: string, name: string): Promise<OrderRecord | ReadBusy | undefined> {
    return this.#orders.findNamed(userId, name)
  }

  /** Halts, resumes or closes a market; answers when it is on disk, or why the market cannot go there. */
  moveMarket(market: DeskMarket, move: MarketMove, by?: By): Promise<MoveRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.move(market, move, by))
  }

  /** Tells a market's outcome, once; its users are paid from then on, a part at a time. */
  resolveMarket(market: DeskMarket, resolution: Resolution, by?: By): Promise<MoveRefusal | undefined> {
    return this.#lane.enterAlways(() => this.#life.resolve(market, resolution, by))
  }

  /** Brings a user's money in or out, once for each `txnId`; answers the transfer as it was done then. */
  transfer(request: TransferRequest): Promise<TransferRow | TransferRefusal | CapacityRefusal> {
    return this.#transfers.transfer(request)
  }

  /** The time by which everything here is judged. */
  now(): TimeMs {
    return this.#options.sources.now()
  }

  market(code: MarketCode): DeskMarket | undefined {
    return this.#desk.markets.get(code)
  }

  /** The market whose code a client wrote: seven digits, nothing else. */
  marketWritten(code: string): DeskMarket | undefined {
    return /^[1-9]\d{6}$/.test(code) ? this.market(Number(code) as MarketCode) : undefined
  }

  markets(): Iterable<DeskMarket> {
    return this.#desk.markets.all()
  }

  /** How many users have traded a market. */
  tradersOf(code: MarketCode): number {
    return this.#desk.ledger.holders(code)
  }

  balance(userId: string): Balance | undefined {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? undefined : this.#desk.ledger.balance(account)
  }

  /** Calls back for every batch and market with what its channel has to say, right after the commit. */
  onPublication(listener: (publication: Publication) => void): void {
    this.#listeners.push(listener)
  }

  /** Opens and closes markets, ends orders and refuses reads whose time has come: every second or so. */
  advanceClock(): void {
    this.#life.advanceAll()
    this.#readers.history.refuseLate()
  }

  /** Whether every rule of the money holds; for tests and for the operator. */
  moneyIsAllThere(): boolean {
    return auditMoney(this.#desk) === undefined
  }

  /** The same from the tables alone, at one moment of the disk; for those who do not trust the memory. */
  verifyLedger(): Promise<MoneyAudit | ReadBusy> {
    return this.#readers.history.ask('auditMoney')
  }

  /** Copies what is on disk through a connection that is open already; returns the last batch in the copy. */
  rescueTo(file: string): Promise<Sequence> {
    return this.#readers.history.rescueTo(file)
  }

  /** How the exchange is at this moment. */
  health(): Promise<Health> {
    return this.#vitals.look()
  }

  stateHashes(): Promise<string[]> {
    return this.#shards.stateHashes()
  }

  /** Waits until everything queued is on disk and settled. */
  async drain(): Promise<void> {
    await this.#readers.lookups.drain()
    await this.#lane.drain()
    await this.#shards.drain()
  }

  /** Lets what is queued finish, ends the threads and leaves one whole file behind. */
  async close(): Promise<void> {
    this.#life.stop()
    await this.backups.close()
    await this.drain()
    await this.#shards.close()
    await this.#readers.close()
    sealFile(this.#options.file)
  }

  #settleBatch(commands: readonly Command[], result: BatchResult): void {
    const publications = this.#desk.applyCommitted(commands, result)
    this.#transfers.settled(result.transfers)
    this.#vitals.settled(result.sequence)
    for (const { market, account } of result.outcome.positions) {
      this.#mergePairs(this.#desk.market(market), account)
    }
    for (const { code } of result.outcome.markets) this.#life.carryOn(this.#desk.market(code))
    for (const publication of publications) for (const listener of this.#listeners) listener(publication)
    this.userChannel.notify(result.updatedUsers)
  }

  /** Turns a user's free pairs back into cash; once there is an outcome, the settlement does that. */
  #mergePairs(market: DeskMarket, account: AccountNumber): void {
    if (market.pendingOutcome !== undefined) return
    const { code } = market.terms
    const quantity = this.#desk.ledger.freePairs(code, account)
    if (quantity === NO_LOTS) return
    this.#desk.ledger.lock(code, account, 'yes', quantity)
    this.#desk.ledger.lock(code, account, 'no', quantity)
    void sendToMarket(this.#shards, this.#options.sources, code, { type: 'MERGE_PAIRS', account, quantity })
  }
}
