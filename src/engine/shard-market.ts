import { assert } from '../core/assert.js'
import type { MatchListener, Taker } from '../core/book/matching.js'
import { fillsCompletely, match } from '../core/book/matching.js'
import type { RestingOrder, Slot } from '../core/book/order-book.js'
import { NO_PRICE, NO_SLOT, OrderBook } from '../core/book/order-book.js'
import { postFill, postMerge, postPlaced, postReleased, postSettlement, postSweep } from '../core/clearing.js'
import { CLEAR_LENGTH_MAX } from '../core/command.js'
import type { CreateOrder, EditMarket, ReplaceOrder, SettledPosition } from '../core/command.js'
import type { Fill, MarketChange } from '../core/engine-event.js'
import { restingHold } from '../core/fees.js'
import type { MarketProgress, MarketStatus, MarketTerms, Outcome } from '../core/market.js'
import { keepsOrders, moveMarket } from '../core/market.js'
import { editRefusal } from '../core/market-edit.js'
import type { CancelReason, Refusal } from '../core/order.js'
import { oppositeSide } from '../core/order.js'
import type { Postings } from '../core/postings.js'
import type { AccountNumber, QuantityLots, TimeMs } from '../core/units.js'
import { amount, lots, NO_LOTS, NOTHING } from '../core/units.js'
import type { Admitted, Arrival } from './arrival-check.js'
import { mayRest, refusalOf, replacementRefusal, takerOf } from './arrival-check.js'
import type { OutboxContents } from './market-outbox.js'
import { MarketOutbox } from './market-outbox.js'
import { MarketTally } from './market-tally.js'
import type { Cut, ReleasedPart, ReplacedQuotes } from './quote-pool.js'
import { QuotePool } from './quote-pool.js'
import type { RestoredQuotes } from './shard-house.js'
import { NO_HOUSE, restoredHouse } from './shard-house.js'
import type { SharedSets } from './open-pairs.js'
import { OpenPairs } from './open-pairs.js'
import { RestingFees } from './resting-fees.js'

/**
 * One market within its shard: terms, book, and the changes of the current batch so far. `postings`, passed
 * to each command, collects the batch's changes of money and contracts.
 */
export class ShardMarket {
  readonly book: OrderBook
  readonly #outbox: MarketOutbox
  readonly pairs: OpenPairs
  house = NO_HOUSE

  #terms: MarketTerms
  #status: MarketStatus
  #outcome: Outcome | undefined
  readonly #tally: MarketTally
  readonly #restingFees = new RestingFees()

  constructor(terms: MarketTerms, progress: MarketProgress, sets?: SharedSets) {
    this.#terms = terms
    this.pairs = new OpenPairs(progress.openPairs, sets)
    this.book = new OrderBook(terms.payout)
    this.#outbox = new MarketOutbox(terms.code, progress.seq)
    this.#status = progress.status
    this.#outcome = progress.outcome
    this.#tally = new MarketTally(progress)
  }

  get terms(): MarketTerms {
    return this.#terms
  }

  get progress(): MarketProgress {
    return {
      status: this.#status,
      outcome: this.#outcome,
      seq: this.#outbox.seq,
      ...this.#tally.counts,
      openPairs: this.pairs.count,
    }
  }

  /** The pairs that fills may still mint. */
  get pairsFree(): QuantityLots {
    return this.pairs.freeOf(this.terms.capacity)
  }

  /** Restores the quotes of the house, and the orders that rested at the stop, in order of arrival. */
  restore(orders: Iterable<RestingOrder>, quotes: readonly RestoredQuotes[]): void {
    for (const { number, owner, side, price, lots, covered, fee } of orders) {
      this.book.rest(number, owner, side, price, lots, covered)
      if (fee !== undefined) this.#restingFees.rest(number, fee)
    }
    this.house = restoredHouse(quotes, this.book)
    // These levels need no message: subscribers get them in their snapshot.
    this.book.takeChanges()
  }

  /** Yields every resting order with its fee: bids, then asks. */
  *orders(): Generator<RestingOrder> {
    for (const order of this.book.orders()) yield this.#restingFees.with(order)
  }

  place(command: CreateOrder, at: TimeMs, postings: Postings): void {
    this.#decide(command, refusalOf(command, this.#at(at)), postings)
  }

  /**
   * Takes lots off a resting order, which keeps its place: first the part paid in cash, then the covered one.
   * Cancels it if nothing would be left, or no lots are given. Returns the part taken off, if it rests.
   */
  cut({ number, lots: by }: Cut, end: CancelReason, postings: Postings): ReleasedPart | undefined {
    const slot = this.book.find(number)
    if (slot === NO_SLOT) return undefined
    const order = this.book.read(slot)
    if (by === undefined || by >= order.lots) {
      const hold = this.#restingFees.holdOf(order, this.book.payout)
      this.#cancelAt(slot, end, postings)
      return { ...order, hold }
    }
    const covered = lots(Math.max(0, by - (order.lots - order.covered)))
    const released = this.#restingFees.releaseOf(order, this.book.payout, by, covered)
    postReleased(postings, this.terms, { ...order, covered }, released)
    this.book.reduce(slot, by, covered)
    const change = this.#outbox.order(number, order.owner)
    change.reduced = lots(change.reduced + by)
    change.covered = this.book.coveredAt(slot)
    change.feeCredit = this.#restingFees.of(number).credit
    return { ...order, lots: by, covered, hold: released }
  }

  /** Replaces an order by a new one if it still is as the client saw it; otherwise rejects the new one. */
  replace(command: ReplaceOrder, at: TimeMs, postings: Postings): void {
    const { number, remaining, order } = command
    const slot = this.book.find(number)
    const isUnchanged = slot !== NO_SLOT && this.book.lotsAt(slot) === remaining
    const refusal = replacementRefusal(command, this.#at(at)) ?? (isUnchanged ? undefined : 'order_changed')
    if (refusal === undefined) this.#cancelAt(slot, 'order_replaced', postings)
    this.#decide(order, refusal, postings)
  }

  /** Ends and reduces quotes, then places others with what that released and what the desk holds for them. */
  replaceQuotes(command: ReplacedQuotes, at: TimeMs, postings: Postings): void {
    const pool = new QuotePool(command)
    for (const [number, by] of command.cuts) {
      const released = this.cut({ number, lots: by }, 'quotes_replaced', postings)
      if (released !== undefined) pool.add(released)
    }
    for (const order of command.orders) {
      this.#decide(order, refusalOf(order, this.#at(at)) ?? pool.take(order), postings)
    }
  }

  /** Applies an edit if the current state allows it; later orders see the new terms. */
  edit({ id, terms, listing }: EditMarket): void {
    const refusal = editRefusal(this, { terms, listing })
    if (refusal === undefined) this.#terms = { ...this.terms, ...terms }
    this.#outbox.edited({ id, market: this.terms.code, terms, listing, refusal })
  }

  /** Moves the market to another status; closing it cancels the first part of its book at once. */
  move(to: MarketStatus, postings: Postings, clearMax: number = CLEAR_LENGTH_MAX): void {
    this.#status = moveMarket(this.#status, to)
    if (to === 'settled') {
      assert(this.pairs.unpaidOf(this.#outcome) === 0, 'a settled market has paid every contract')
      if (this.terms.pool === undefined) postSweep(postings, this.terms.escrow, this.progress.fees)
    }
    if (!keepsOrders(to)) this.clear(clearMax, postings)
    this.#outbox.emit({ type: 'market_moved', status: to, outcome: this.#outcome })
  }

  /** Cancels up to `lengthMax` resting orders: best bids first, then best asks, oldest first at a price. */
  clear(lengthMax: number, postings: Postings): void {
    assert(!keepsOrders(this.#status), 'only the book of a closed market is cleared')
    for (let length = 0; length < lengthMax && this.book.size > 0; length++) {
      const bid = this.book.best('yes')
      const price = bid === NO_PRICE ? this.book.best('no') : bid
      this.#cancelAt(this.book.oldestAt(price), 'market_closed', postings)
    }
  }

  /** Sets the outcome and the status that follows from it; positions are paid in later batches. */
  resolve(outcome: Outcome, postings: Postings, clearMax: number = CLEAR_LENGTH_MAX): void {
    assert(this.#outcome === undefined, 'a market has one outcome')
    this.#outcome = outcome
    this.pairs.resolve(outcome)
    this.move(outcome === 'void' ? 'voided' : 'resolved', postings, clearMax)
  }

  settle(positions: readonly SettledPosition[], postings: Postings): void {
    const outcome = this.#outcome
    assert(outcome !== undefined, 'only a market with an outcome is settled')
    assert(this.book.size === 0, 'a market is settled when no order rests')
    for (const position of positions) {
      const [, yes, no] = position
      this.#outbox.settled(postSettlement(postings, this.terms, outcome, position))
      this.pairs.pay(outcome, yes, no)
    }
  }

  merge(account: AccountNumber, quantity: QuantityLots, postings: Postings): void {
    postMerge(postings, this.terms, account, quantity)
    this.pairs.add(-quantity)
  }

  /** Returns the batch's output, with a message for changed levels. Frees the book of an ended market. */
  takeOutcome(): OutboxContents & { readonly market: MarketChange } {
    const { bids, asks } = this.book.takeChanges()
    if (bids.length + asks.length > 0) this.#outbox.emit({ type: 'book_changed', bids, asks })
    this.house.assertRests(this.book)
    if (this.book.size === 0 && !keepsOrders(this.#status)) this.book.release()
    return { ...this.#outbox.take(), market: { code: this.terms.code, ...this.progress } }
  }

  #at(at: TimeMs): Arrival {
    return { terms: this.terms, status: this.#status, book: this.book, at, house: this.house }
  }

  #decide(order: CreateOrder, refusal: Refusal | undefined, postings: Postings): void {
    if (refusal !== undefined) this.#outbox.rejected(order.number, order.account, refusal)
    else if ('hold' in order.admission) this.#matchAndRest(order, order.admission, postings)
  }

  #matchAndRest(command: CreateOrder, admission: Admitted, postings: Postings): void {
    const { side } = command.data
    const taker = takerOf(command, admission, this.terms)
    const { hold } = taker
    postPlaced(postings, this.terms, taker, hold)
    const fills: Fill[] = []
    const { pairsFree } = this
    const isKilled = command.timeInForce === 'FOK' && !fillsCompletely(this.book, taker, pairsFree)
    const listener = this.#listener(taker, command, fills, postings)
    const stop = isKilled ? 'fill_or_kill' : match(this.book, taker, pairsFree, listener)
    const rests = mayRest(command) && stop === undefined && taker.lots > 0
    const left = { owner: command.account, side, covered: rests ? NO_LOTS : taker.covered }
    const fee = { rate: admission.fees?.maker ?? 0, credit: taker.fees?.credit ?? 0 }
    const kept = { side, price: admission.price, lots: taker.lots, covered: taker.covered }
    const keptHold = rests ? restingHold(kept, this.terms.payout, fee) : NOTHING
    assert(keptHold <= taker.hold, 'what an order held pays for its fills and for what rests')
    postReleased(postings, this.terms, left, amount(taker.hold - keptHold))
    const executed = lots(admission.quantity - taker.lots)
    assert(executed >= 0 && taker.lots >= 0, 'an order fills no more than its quantity')
    this.#outbox.placed(command, executed, fills)
    const change = this.#outbox.order(command.number, command.account)
    if (rests) {
      this.book.rest(command.number, command.account, side, admission.price, taker.lots, taker.covered)
      this.#restingFees.rest(command.number, fee)
      change.covered = taker.covered
      change.feeCredit = this.#restingFees.of(command.number).credit
      change.state = executed > 0 ? 'partially_filled' : 'resting'
      this.house.rested(command.number, command.account, side, admission.price)
    } else if (taker.lots > 0) {
      const isCapped = admission.cappedByBet || hold < admission.hold
      const cut = stop === 'funds_insufficient' && isCapped ? 'bet_above_max' : stop
      this.#outbox.cancelled(change, taker.lots, cut ?? 'no_liquidity')
    } else {
      change.state = 'filled'
    }
  }

  #listener(taker: Taker, command: CreateOrder, fills: Fill[], postings: Postings): MatchListener {
    const change = this.#outbox.order(command.number, command.account)
    return {
      filled: (slot, price, quantity, takerCovered, makerCovered, takerFee) => {
        assert(quantity > 0 && quantity <= this.book.lotsAt(slot), 'a fill takes what rests')
        const maker = this.book.numberAt(slot)
        const makerOwner = this.book.ownerAt(slot)
        const makerFee = this.#restingFees.charge(this.book, slot, quantity, makerCovered)
        const trade = this.#tally.add(price, quantity, takerFee.due + makerFee.due)
        const fill = { trade, price, quantity, maker, makerOwner }
        fills.push(fill)
        const { owner, side } = taker
        this.house.filled(taker, makerOwner, quantity)
        const pairs = postFill(
          postings,
          this.terms,
          fill,
          { owner, side, covered: takerCovered, order: command.number, fee: takerFee },
          { owner: makerOwner, side: oppositeSide(side), covered: makerCovered, order: maker, fee: makerFee },
        )
        this.pairs.add(pairs)
        assert(this.pairs.count <= this.terms.capacity, "a market's open pairs are within its capacity")
        this.#outbox.filled(change, fill, takerFee.due)
        const makerChange = this.#outbox.order(maker, makerOwner)
        this.#outbox.filled(makerChange, fill, makerFee.due)
        makerChange.feeCredit = makerFee.credit
        makerChange.covered = lots(this.book.coveredAt(slot) - makerCovered)
        makerChange.state = this.book.lotsAt(slot) === quantity ? 'filled' : 'partially_filled'
      },
      makerCancelled: slot => this.#endResting(slot, 'self_trade', postings),
    }
  }

  #cancelAt(slot: Slot, reason: CancelReason, postings: Postings): void {
    this.#endResting(slot, reason, postings)
    this.book.remove(slot)
  }

  /** Releases a resting order's hold and reports its end; the caller removes it from the book. */
  #endResting(slot: Slot, reason: CancelReason, postings: Postings): void {
    const order = this.book.read(slot)
    postReleased(postings, this.terms, order, this.#restingFees.holdOf(order, this.book.payout))
    this.#restingFees.end(order.number)
    this.#outbox.cancelled(this.#outbox.order(order.number, order.owner), order.lots, reason)
  }
}
