import type { SetResult } from '../../core/command-effects.js'
import type { FeeRates } from '../../core/fees.js'
import type { MarketListing, MarketProgress, MarketStatus, MarketTerms, Outcome } from '../../core/market.js'
import type { EditRefusal, MarketEdit } from '../../core/market-edit.js'
import { editedListing } from '../../core/market-edit.js'
import type { OrderRecord } from '../../core/order-record.js'
import { unfilledOf } from '../../core/order-record.js'
import { poolOf } from '../../core/pool.js'
import { SparseMap } from '../../core/sparse-map.js'
import type { OrderNumber, QuantityLots, TimeMs } from '../../core/units.js'
import { lots, ORDER_NUMBER_MAX } from '../../core/units.js'
import type { Resolved, StoredMarket } from '../../store/rows/market-rows.js'
import { OpenOrders } from '../orders/open-orders.js'
import { DayTrail } from './day-trail.js'
import type { DeskPool } from './desk-pool.js'
import { ExpiryQueue } from './expiry-queue.js'
import type { FeeSettings } from './fee-rates.js'
import { feeRatesOf, NO_FEE_SETTINGS } from './fee-rates.js'
import { Ladder } from './ladder.js'

/** More than the house can need once users place no more orders. */
const NUMBERS_OF_HOUSE = 1_000_000

/** The total of an order's reductions in flight, and a promise of the last one's commit. */
interface Reducing {
  readonly lots: QuantityLots
  readonly done: Promise<void>
}

/** One market in the main thread's memory: committed state, except where noted. */
export class DeskMarket {
  terms: MarketTerms
  listing: MarketListing
  /** Holds the money of the market. */
  pool: DeskPool
  readonly ladder = new Ladder()
  /** The resting orders. */
  readonly openOrders = new OpenOrders()
  /** Queued orders: not committed, not visible to clients. */
  readonly arriving = new SparseMap<OrderNumber, OrderRecord>()
  /** Orders with reductions in flight. */
  readonly reducing = new SparseMap<OrderNumber, Reducing>()
  /** The open orders with an expiry time. */
  readonly expiring = new ExpiryQueue()
  /** The number of expiries that are queued. */
  expiriesInFlight = 0
  progress: MarketProgress
  /** An emoji, or the address of a picture: kept on the site, and no part of the market. */
  image: string | undefined
  /** The fee rates of events that have none of their own. */
  feeSettings: FeeSettings = NO_FEE_SETTINGS
  /** The last 24 hours. */
  readonly day: DayTrail
  /** When the market was resolved, with source and note. */
  resolved: Resolved | undefined
  /**
   * The status after all moves in flight; orders are checked against it because they arrive after those
   * moves.
   */
  pendingStatus: MarketStatus
  /** The outcome, committed or in flight. */
  pendingOutcome: Outcome | undefined
  /**
   * Start and end time, including an edit in flight: otherwise the clock could close a market just extended.
   */
  datesAhead: Pick<MarketTerms, 'startAt' | 'endAt'>
  /** The refusal of the last edit, if it was refused. */
  editRefusal: EditRefusal | undefined
  /** Resolves when the last move in flight is committed. */
  moved: Promise<void> = Promise.resolve()
  readonly #replacements = new SparseMap<OrderNumber, Map<OrderNumber, OrderRecord>>()
  #lastNumber: OrderNumber

  constructor(stored: Omit<StoredMarket, 'traders'>, lastNumber = 0 as OrderNumber, pool?: DeskPool) {
    this.terms = stored.terms
    this.pool = pool ?? { ...poolOf(stored.terms), markets: [this] }
    this.datesAhead = stored.terms
    this.listing = stored.listing
    this.progress = stored.progress
    this.day = new DayTrail(stored.progress.lastPrice)
    this.resolved = stored.resolved
    this.pendingStatus = stored.progress.status
    this.pendingOutcome = stored.progress.outcome
    this.#lastNumber = lastNumber
  }

  /** The fee rates of orders that are admitted now. */
  get rates(): FeeRates {
    return feeRatesOf(this.terms, this.listing, this.feeSettings)
  }

  /** The number of the last order, queued ones included. */
  get lastNumber(): OrderNumber {
    return this.#lastNumber
  }

  /** False once users may place no more orders: the rest of the numbers is for the house. */
  get hasNumbers(): boolean {
    return this.#lastNumber < ORDER_NUMBER_MAX - NUMBERS_OF_HOUSE
  }

  /** True if nothing is queued or open. */
  get isQuiet(): boolean {
    return this.arriving.size === 0 && this.openOrders.size === 0 && this.reducing.size === 0
  }

  /** Returns the number for the next order. */
  takeNumber(): OrderNumber {
    this.#lastNumber = (this.#lastNumber + 1) as OrderNumber
    return this.#lastNumber
  }

  /** Marks a number as taken by an order that another exchange has admitted. */
  noteNumber(number: OrderNumber): void {
    if (number > this.#lastNumber) this.#lastNumber = number
  }

  /** Applies a decided edit. */
  edited({ terms, listing }: MarketEdit, refusal: EditRefusal | undefined): void {
    this.terms = { ...this.terms, ...terms }
    this.listing = editedListing(this.listing, listing)
    this.datesAhead = this.terms
    this.editRefusal = refusal
  }

  /** Notes when the market got its result, with source and note. */
  resolve({ sourceUrl, note }: Pick<SetResult, 'sourceUrl' | 'note'>, at: TimeMs): void {
    this.resolved = { at, sourceUrl, note }
  }

  /** Adds an order that has come to rest. */
  keep(order: OrderRecord): void {
    this.openOrders.set(order.number, order)
    this.expiring.add(order)
  }

  /** Restores a resting order. */
  restore(order: OrderRecord): void {
    this.keep(order)
    this.ladder.add(order.side === 'yes', order.price, unfilledOf(order))
  }

  /** Adds a reduction in flight. */
  reduceAhead(order: OrderNumber, by: QuantityLots, done: Promise<void>): void {
    const before = this.reducing.get(order)?.lots ?? 0
    this.reducing.set(order, { lots: lots(before + by), done })
  }

  /** Ends a reduction in flight. */
  endReducing(order: OrderNumber, by: QuantityLots): void {
    const known = this.reducing.get(order)
    if (known === undefined) return
    if (known.lots === by) this.reducing.delete(order)
    else this.reducing.set(order, { ...known, lots: lots(known.lots - by) })
  }

  /** Adds a replacement in flight. */
  replaceAhead(replaced: OrderNumber, order: OrderRecord): void {
    const others = this.#replacements.get(replaced)
    if (others === undefined) this.#replacements.set(replaced, new Map([[order.number, order]]))
    else others.set(order.number, order)
  }

  /** Ends a replacement in flight. */
  endReplacing(replaced: OrderNumber, order: OrderNumber): void {
    const others = this.#replacements.get(replaced)
    if (others?.delete(order) && others.size === 0) this.#replacements.delete(replaced)
  }

  /** Returns an order's replacements in flight, oldest first: the first that is not refused replaces it. */
  replacementsOf(order: OrderNumber): OrderRecord[] {
    return [...(this.#replacements.get(order)?.values() ?? [])]
  }

  /** Returns the status that is due by the clock, if the market does not have it yet. */
  dueMove(now: TimeMs): MarketStatus | undefined {
    const { startAt, endAt } = this.datesAhead
    switch (this.pendingStatus) {
      case 'scheduled':
        if (now >= endAt) return 'closed'
        return now >= startAt ? 'open' : undefined
      case 'open':
      case 'halted':
        return now >= endAt ? 'closed' : undefined
      default:
        return undefined
    }
  }
}
