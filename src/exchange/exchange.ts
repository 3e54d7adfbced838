import type { CancelOrder, Command, CreateOrder } from '../core/command.js'
import type { Balance, Contracts } from '../core/ledger.js'
import type { MarketListing, MarketTerms } from '../core/market.js'
import type { OrderRecord } from '../core/order-record.js'
import { newOrderRecord, parseOrderId } from '../core/order-record.js'
import { oppositeSide } from '../core/settlement.js'
import type { AccountNumber, Amount, MarketCode } from '../core/units.js'
import { NO_LOTS } from '../core/units.js'
import type { BatchResult } from '../shard/batch-runner.js'
import type { History } from '../shard/history.js'
import { openInlineHistory, openThreadedHistory } from '../shard/history.js'
import { ShardPool } from '../shard/shard-pool.js'
import { sealFile } from '../store/database.js'
import { AccountOpening } from './account-opening.js'
import type { OrderRequest } from './admission.js'
import { admit } from './admission.js'
import { auditMoney } from './audit.js'
import type { Desk, Publication } from './desk.js'
import type { DeskMarket } from './desk-market.js'
import { recover } from './recovery.js'
import type { Sources } from './sources.js'

export interface ExchangeOptions {
  /** The path of the one file. */
  readonly file: string
  readonly shardCount: number
  /** Whether shards and history have threads of their own. */
  readonly threads: boolean
  /** How many commands may wait in front of a shard before orders are refused with 503. */
  readonly queueLengthMax: number
  /** What a new user's account starts with. */
  readonly startingBalance: Amount
  readonly sources: Sources
  /** Something is broken that cannot be mended while running: stop the process. */
  readonly fail: (error: Error) => void
}

/** A market to be: what the desk does not decide itself. */
export interface MarketRequest {
  readonly terms: Omit<MarketTerms, 'code' | 'escrow'>
  readonly listing: Omit<MarketListing, 'id' | 'createdAt'>
}

const WRITTEN_CODE = /^[1-9]\d{6}$/

/** The exchange cannot take more just now: 503. */
export type Busy = 'queue_full' | 'accounts_full' | 'codes_used_up'

/**
 * The exchange's front desk. Admits orders, holds their money, queues them at the shard of their market, and
 * answers when they are on disk. Everything it shows has been committed.
 */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #history: History
  readonly #accounts: AccountOpening
  readonly #listeners: ((publication: Publication) => void)[] = []
  readonly #slugsAhead = new Map<string, Promise<void>>()

  private constructor(options: ExchangeOptions, desk: Desk, history: History, shards: ShardPool) {
    this.#options = options
    this.#desk = desk
    this.#history = history
    this.#shards = shards
    this.#accounts = new AccountOpening(desk, shards, options.sources, options.startingBalance)
  }

  /** Opens the file, recovers what it holds, starts the shards: every start is a crash recovery. */
  static async open(options: ExchangeOptions): Promise<Exchange> {
    const desk = recover(options.file)
    let exchange: Exchange | undefined
    const { threads, file, shardCount, queueLengthMax, fail, sources } = options
    const shards = await ShardPool.open(file, {
      shardCount,
      threads,
      queueLengthMax,
      now: () => sources.now(),
      settle: (commands, result) => {
        if (exchange !== undefined) exchange.#settleBatch(commands, result)
      },
      fail,
    })
    const history = threads ? await openThreadedHistory(file, fail) : openInlineHistory(file)
    exchange = new Exchange(options, desk, history, shards)
    for (const market of desk.markets.all()) {
      for (const [account] of [...desk.ledger.positions(market.terms.code)])
        exchange.#mergePairs(market, account)
    }
    return exchange
  }

  /** Creates a market. Of two titles with one slug the second is refused, once the first is on disk. */
  async createMarket(request: MarketRequest): Promise<DeskMarket | 'slug_used' | Busy> {
    const { slug } = request.listing
    if (this.#desk.markets.hasSlug(slug)) return 'slug_used'
    const ahead = this.#slugsAhead.get(slug)
    if (ahead !== undefined) {
      await ahead
      return 'slug_used'
    }
    const code = this.#desk.markets.takeCode()
    if (code === undefined) return 'codes_used_up'
    if (this.#shards.isFull(code)) return 'queue_full'

    const { sources } = this.#options
    const terms: MarketTerms = { ...request.terms, code, escrow: this.#desk.users.takeNumber() }
    const createdAt = sources.now()
    const listing = { ...request.listing, id: sources.eventId(), createdAt }
    const status = createdAt >= terms.endAt ? 'closed' : createdAt >= terms.startAt ? 'open' : 'scheduled'
    const id = sources.messageId()
    const done = this.#shards.submit(code, { type: 'CREATE_MARKET', id, terms, listing, status })
    this.#slugsAhead.set(slug, done)
    await done
    this.#slugsAhead.delete(slug)
    return this.#desk.market(code)
  }

  /**
   * Places an order. Answers the order as its batch left it, refused ones too; a `Busy` where nothing was
   * queued. The caller has seen that the market exists.
   */
  async placeOrder(request: OrderRequest): Promise<OrderRecord | Busy> {
    if (this.#shards.isFull(request.market)) return 'queue_full'
    const known = this.#accounts.accountOf(request.userId, request.market)
    // An account that is open is not waited for: what arrives together is admitted in the order of arrival.
    const account = known instanceof Promise ? await known : known
    if (account === 'accounts_full') return account
    if (this.#shards.isFull(request.market)) return 'queue_full'

    const market = this.#desk.market(request.market)
    this.#moveWithClock(market)
    const command = this.#admitOrder(request, market, account)
    const record = newOrderRecord(command, this.#options.sources.now())
    market.arriving.set(command.number, record)
    await this.#shards.submit(request.market, command)
    return record
  }

  /** Cancels an order where it is still open; answers how it ended, undefined where there is none. */
  async cancelOrder(id: string): Promise<OrderRecord | undefined> {
    const order = await this.findOrder(id)
    const open = order && this.#desk.market(order.market).openOrders.get(order.number)
    if (open === undefined) return order
    const command: CancelOrder = {
      type: 'CANCEL_ORDER',
      id: this.#options.sources.messageId(),
      market: open.market,
      number: open.number,
      reason: 'user_cancelled',
    }
    await this.#shards.submit(open.market, command)
    return open
  }

  /** An order by its public id: open ones from memory, others from disk. */
  async findOrder(id: string): Promise<OrderRecord | undefined> {
    const parts = parseOrderId(id)
    const market = parts && this.#desk.markets.get(parts.market)
    if (parts === undefined || market === undefined) return undefined
    const { number } = parts
    const order = market.openOrders.get(number) ?? (await this.#history.findOrder(parts.market, number))
    return order?.suffix === parts.suffix ? order : undefined
  }

  market(code: MarketCode): DeskMarket | undefined {
    return this.#desk.markets.get(code)
  }

  /** The market whose code a client wrote: seven digits, nothing else. */
  marketWritten(code: string): DeskMarket | undefined {
    return WRITTEN_CODE.test(code) ? this.market(Number(code) as MarketCode) : undefined
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

  /** A user's contracts, market by market; undefined for a user who is not known. */
  positions(userId: string): { readonly market: MarketCode; readonly contracts: Contracts }[] | undefined {
    const account = this.#desk.users.accountOf(userId)
    if (account === undefined) return undefined
    const positions = Array.from(this.#desk.markets.all(), ({ terms }) => ({
      market: terms.code,
      contracts: this.#desk.ledger.contracts(terms.code, account),
    }))
    return positions.filter(({ contracts }) => contracts.yes > 0 || contracts.no > 0)
  }

  /** Calls back for every batch and market with what its channel has to say, right after the commit. */
  onPublication(listener: (publication: Publication) => void): void {
    this.#listeners.push(listener)
  }

  /** Opens and closes the markets whose time has come. To be called every second or so. */
  advanceClock(): void {
    for (const market of this.#desk.markets.all()) this.#moveWithClock(market)
  }

  /** Whether every rule of the money holds; for tests and for the operator. */
  moneyIsAllThere(): boolean {
    return auditMoney(this.#desk) === undefined
  }

  stateHashes(): Promise<string[]> {
    return this.#shards.stateHashes()
  }

  /** Waits until everything queued is on disk and settled. */
  drain(): Promise<void> {
    return this.#shards.drain()
  }

  /** Lets what is queued finish, ends the threads and leaves one whole file behind. */
  async close(): Promise<void> {
    await this.#shards.drain()
    await this.#shards.close()
    await this.#history.close()
    sealFile(this.#options.file)
  }

  #settleBatch(commands: readonly Command[], result: BatchResult): void {
    const publications = this.#desk.settle(commands, result)
    for (const { market, account } of result.outcome.positions) {
      this.#mergePairs(this.#desk.market(market), account)
    }
    for (const publication of publications) for (const listener of this.#listeners) listener(publication)
  }

  #admitOrder(request: OrderRequest, market: DeskMarket, account: AccountNumber): CreateOrder {
    const { ledger } = this.#desk
    const { sources } = this.#options
    const admission = admit(request, market.terms, market.statusAhead, ledger, account)
    const { side, userId, orderType, selfTrade, outcome, yesPrice, askedPrice, quantity } = request
    const fits = 'hold' in admission && admission.price > 0
    // After this point the hold and the locks stand until the order's batch has been settled.
    if ('hold' in admission) {
      ledger.hold(account, admission.hold)
      ledger.lock(request.market, account, oppositeSide(side), admission.covered)
    }
    return {
      type: 'CREATE_ORDER',
      id: sources.messageId(),
      data: { market: String(request.market), price: yesPrice, quantity, side, userId },
      market: request.market,
      number: market.takeNumber(),
      suffix: sources.orderSuffix(),
      account,
      orderType,
      selfTrade,
      outcome,
      asked: fits ? undefined : { price: askedPrice, quantity },
      admission,
    }
  }

  #moveWithClock(market: DeskMarket): void {
    const to = market.dueMove(this.#options.sources.now())
    if (to === undefined) return
    market.statusAhead = to
    const { code } = market.terms
    const id = this.#options.sources.messageId()
    void this.#shards.submit(code, { type: 'MOVE_MARKET', id, market: code, to })
  }

  /** Turns a user's free pairs back into cash, as soon as there are any. */
  #mergePairs(market: DeskMarket, account: AccountNumber): void {
    const { code } = market.terms
    const quantity = this.#desk.ledger.freePairs(code, account)
    if (quantity === NO_LOTS) return
    this.#desk.ledger.lock(code, account, 'yes', quantity)
    this.#desk.ledger.lock(code, account, 'no', quantity)
    const id = this.#options.sources.messageId()
    void this.#shards.submit(code, { type: 'MERGE_PAIRS', id, market: code, account, quantity })
  }
}
