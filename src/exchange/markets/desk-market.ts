import type { MarketListing, MarketProgress, MarketStatus, MarketTerms, Outcome } from '../../core/market.js'
import type { EditRefusal, MarketEdit } from '../../core/market-edit.js'
import type { OrderRecord } from '../../core/order-record.js'
import { unfilledOf } from '../../core/order-record.js'
import type { OrderNumber, QuantityLots, TimeMs } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { Resolved, StoredMarket } from '../../store/rows/market-rows.js'
import { ExpiryQueue } from './expiry-queue.js'
import { Ladder } from './ladder.js'

/** By how much an order becomes smaller by what is on its way, and when the last of that is on disk. */
interface Reducing {
  readonly lots: QuantityLots
  readonly done: Promise<void>
}

/** One market as the main thread knows it: everything in here is committed, but for what says otherwise. */
export class DeskMarket {
  terms: MarketTerms
  listing: MarketListing
  readonly ladder = new Ladder()
  /** Orders that rest in the book. */
  readonly openOrders = new Map<OrderNumber, OrderRecord>()
  /** Orders on their way to the book: not committed, shown to nobody. */
  readonly arriving = new Map<OrderNumber, OrderRecord>()
  /** Orders that become smaller by commands on their way. */
  readonly reducing = new Map<OrderNumber, Reducing>()
  /** Those of the open orders that end by themselves. */
  readonly expiring = new ExpiryQueue()
  progress: MarketProgress
  /** When and why the outcome was told. */
  resolved: Resolved | undefined
  /** The status after all moves on their way; orders are judged by it, for they arrive behind those moves. */
  pendingStatus: MarketStatus
  /** The outcome that is told, or on its way. */
  pendingOutcome: Outcome | undefined
  /** When it opens and closes, an edit on its way included: the clock would else close what is to go on. */
  datesAhead: Pick<MarketTerms, 'startAt' | 'endAt'>
  /** Why the last edit was refused, if it was. */
  editRefusal: EditRefusal | undefined
  /** Fulfilled when the last move on its way is on disk. */
  moved: Promise<void> = Promise.resolve()
  #lastNumber: OrderNumber

  constructor(stored: StoredMarket, lastNumber = 0 as OrderNumber) {
    this.terms = stored.terms
    this.datesAhead = stored.terms
    this.listing = stored.listing
    this.progress = stored.progress
    this.resolved = stored.resolved
    this.pendingStatus = stored.progress.status
    this.pendingOutcome = stored.progress.outcome
    this.#lastNumber = lastNumber
  }

  /** The number of the next order to arrive. */
  takeNumber(): OrderNumber {
    this.#lastNumber = (this.#lastNumber + 1) as OrderNumber
    return this.#lastNumber
  }

  /** An edit has been decided. */
  edited({ terms, listing }: MarketEdit, refusal: EditRefusal | undefined): void {
    this.terms = { ...this.terms, ...terms }
    this.listing = { ...this.listing, ...listing }
    this.datesAhead = this.terms
    this.editRefusal = refusal
  }

  /** Adds an order that rests from now on. */
  keep(order: OrderRecord): void {
    this.openOrders.set(order.number, order)
    this.expiring.add(order)
  }

  /** Puts back an order that rests. */
  restore(order: OrderRecord): void {
    this.keep(order)
    this.ladder.add(order.side === 'yes', order.price, unfilledOf(order))
  }

  /** An order is on its way to become smaller still. */
  reduceAhead(order: OrderNumber, by: QuantityLots, done: Promise<void>): void {
    const before = this.reducing.get(order)?.lots ?? 0
    this.reducing.set(order, { lots: lots(before + by), done })
  }

  /** So much of that has been decided. */
  endReducing(order: OrderNumber, by: QuantityLots): void {
    const known = this.reducing.get(order)
    if (known === undefined) return
    if (known.lots === by) this.reducing.delete(order)
    else this.reducing.set(order, { ...known, lots: lots(known.lots - by) })
  }

  /** Where the clock says the market should be by now, if it is not there yet. */
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
