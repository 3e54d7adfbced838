import { assert } from '../core/assert.js'
import type { CancelOrder, CreateOrder } from '../core/command.js'
import type { EngineEvent, Fill, MarketChange, OrderChange } from '../core/engine-event.js'
import type { MarketProgress, MarketStatus, MarketTerms } from '../core/market.js'
import { moveMarket, statusRefusal } from '../core/market.js'
import type { MatchListener, Taker } from '../core/matching.js'
import { anyPrice, match } from '../core/matching.js'
import type { CancelReason, OrderState, Refusal } from '../core/order.js'
import { unitCost } from '../core/order.js'
import type { RestingOrder, Slot } from '../core/order-book.js'
import { NO_SLOT, OrderBook } from '../core/order-book.js'
import type { Postings } from '../core/postings.js'
import { postFill, postMerge, postPlaced, postReleased } from '../core/settlement.js'
import type { AccountNumber, OrderNumber, PriceTicks, QuantityLots } from '../core/units.js'
import { amount, lots, NO_LOTS, NOTHING, times } from '../core/units.js'

type Admitted = Extract<CreateOrder['admission'], { readonly hold: unknown }>
type EventBody = EngineEvent extends infer E
  ? E extends EngineEvent
    ? Omit<E, 'market' | 'seq'>
    : never
  : never

/**
 * One market as its shard knows it: terms, book, and what the current batch has changed so far. `postings`,
 * handed to each command, is the batch's sum of money and contracts.
 */
export class ShardMarket {
  readonly terms: MarketTerms
  readonly book: OrderBook

  #status: MarketStatus
  #seq: number
  #trades: number
  #lastPrice: PriceTicks | undefined
  #volume: QuantityLots
  #openPairs: QuantityLots

  #events: EngineEvent[] = []
  readonly #orderChanges = new Map<OrderNumber, OrderChange>()

  constructor(terms: MarketTerms, progress: MarketProgress) {
    this.terms = terms
    this.book = new OrderBook(terms.payout)
    this.#status = progress.status
    this.#seq = progress.seq
    this.#trades = progress.trades
    this.#lastPrice = progress.lastPrice
    this.#volume = progress.volume
    this.#openPairs = progress.openPairs
  }

  get progress(): MarketProgress {
    return {
      status: this.#status,
      seq: this.#seq,
      trades: this.#trades,
      lastPrice: this.#lastPrice,
      volume: this.#volume,
      openPairs: this.#openPairs,
    }
  }

  /** Puts back the orders that rested when the exchange stopped, given in the order of arrival. */
  restore(orders: Iterable<RestingOrder>): void {
    for (const { number, owner, side, price, lots, covered } of orders) {
      this.book.rest(number, owner, side, price, lots, covered)
    }
    // Nobody is told of these levels: a new reader gets them with the snapshot.
    this.book.takeChanges()
  }

  place(command: CreateOrder, postings: Postings): void {
    const { admission } = command
    const refusal = 'refusal' in admission ? admission.refusal : statusRefusal(this.#status)
    if (refusal !== undefined) this.#reject(command.number, refusal)
    else if ('hold' in admission) this.#matchAndRest(command, admission, postings)
  }

  cancel(command: CancelOrder, postings: Postings): void {
    const slot = this.book.find(command.number)
    if (slot === NO_SLOT) return
    this.#endResting(slot, command.reason, postings)
    this.book.remove(slot)
  }

  move(to: MarketStatus, postings: Postings): void {
    this.#status = moveMarket(this.#status, to)
    if (to === 'closed') {
      for (const order of [...this.book.orders()]) {
        const slot = this.book.find(order.number)
        this.#endResting(slot, 'market_closed', postings)
        this.book.remove(slot)
      }
    }
    this.#tell({ type: 'market_moved', status: to })
  }

  merge(account: AccountNumber, quantity: QuantityLots, postings: Postings): void {
    postMerge(postings, this.terms, account, quantity)
    this.#openPairs = lots(this.#openPairs - quantity)
    assert(this.#openPairs >= 0, 'a market never burns more pairs than are open')
  }

  /** Ends the batch for this market: adds one message for all changed levels, answers all that happened. */
  takeOutcome(): {
    events: EngineEvent[]
    orders: OrderChange[]
    market: MarketChange
  } {
    const { bids, asks } = this.book.takeChanges()
    if (bids.length + asks.length > 0) this.#tell({ type: 'book_changed', bids, asks })
    const events = this.#events
    const orders = [...this.#orderChanges.values()]
    this.#events = []
    this.#orderChanges.clear()
    return {
      events,
      orders,
      market: { code: this.terms.code, ...this.progress },
    }
  }

  #matchAndRest(command: CreateOrder, admission: Admitted, postings: Postings): void {
    const { side } = command.data
    const isLimit = command.orderType === 'LO'
    const taker: Taker = {
      owner: command.account,
      side,
      limit: isLimit ? admission.price : anyPrice(side, this.terms.payout),
      selfTrade: command.selfTrade,
      lots: admission.quantity,
      covered: admission.covered,
      hold: admission.hold,
    }
    postPlaced(postings, this.terms, taker, admission.hold)
    const fills: Fill[] = []
    const change = this.#change(command.number)
    const stop = match(
      this.book,
      taker,
      lots(this.terms.capacity - this.#openPairs),
      this.#listener(taker, change, fills, postings),
    )

    const rests = isLimit && stop === undefined && taker.lots > 0
    const left = {
      owner: command.account,
      side,
      covered: rests ? NO_LOTS : taker.covered,
    }
    const stays = rests
      ? times(unitCost(side, admission.price, this.terms.payout), lots(taker.lots - taker.covered))
      : NOTHING
    postReleased(postings, this.terms, left, amount(taker.hold - stays))
    const executed = lots(admission.quantity - taker.lots)
    this.#tell({
      type: 'order_placed',
      order: command.number,
      executed,
      fills,
    })
    if (fills.length > 0) {
      const told = {
        taker: command.number,
        takerOwner: command.account,
        takerSide: side,
        fills,
      }
      this.#tell({ type: 'traded', ...told })
    }
    if (rests) {
      this.book.rest(command.number, command.account, side, admission.price, taker.lots, taker.covered)
      change.covered = taker.covered
      change.state = executed > 0 ? 'partially_filled' : 'resting'
    } else if (taker.lots > 0) {
      const cut = stop === 'funds_insufficient' && admission.cappedByBet ? 'bet_above_max' : stop
      this.#cancelled(change, taker.lots, cut ?? 'no_liquidity')
    } else {
      change.state = 'filled'
    }
  }

  #listener(taker: Taker, change: OrderChange, fills: Fill[], postings: Postings): MatchListener {
    return {
      filled: (slot, price, quantity, takerCovered, makerCovered) => {
        const maker = this.book.numberAt(slot)
        const makerOwner = this.book.ownerAt(slot)
        this.#trades++
        this.#lastPrice = price
        this.#volume = lots(this.#volume + quantity)
        fills.push({ trade: this.#trades, price, quantity, maker, makerOwner })

        const makerSide = taker.side === 'yes' ? 'no' : 'yes'
        const pairs = postFill(
          postings,
          this.terms,
          price,
          quantity,
          { owner: taker.owner, side: taker.side, covered: takerCovered },
          { owner: makerOwner, side: makerSide, covered: makerCovered },
        )
        this.#openPairs = lots(this.#openPairs + pairs)

        this.#countFill(change, price, quantity)
        const makerChange = this.#change(maker)
        this.#countFill(makerChange, price, quantity)
        makerChange.covered = lots(this.book.coveredAt(slot) - makerCovered)
        makerChange.state = this.book.lotsAt(slot) === quantity ? 'filled' : 'partially_filled'
      },
      makerCancelled: slot => this.#endResting(slot, 'self_trade', postings),
    }
  }

  /** Gives back what a resting order holds and says that it ended; the caller takes it out of the book. */
  #endResting(slot: Slot, reason: CancelReason, postings: Postings): void {
    const order = this.book.read(slot)
    const uncovered = lots(order.lots - order.covered)
    const held = times(unitCost(order.side, order.price, this.terms.payout), uncovered)
    postReleased(postings, this.terms, order, held)
    this.#cancelled(this.#change(order.number), order.lots, reason)
  }

  #cancelled(change: OrderChange, remaining: QuantityLots, reason: CancelReason): void {
    change.state = 'cancelled'
    change.reason = reason
    change.covered = NO_LOTS
    this.#tell({
      type: 'order_cancelled',
      order: change.number,
      remaining,
      reason,
    })
  }

  #reject(order: OrderNumber, reason: Refusal): void {
    const change = this.#change(order)
    change.state = 'rejected'
    change.reason = reason
    this.#tell({ type: 'order_rejected', order, reason })
  }

  #countFill(change: OrderChange, price: PriceTicks, quantity: QuantityLots): void {
    change.filled = lots(change.filled + quantity)
    change.filledValue = amount(change.filledValue + times(price, quantity))
  }

  #change(number: OrderNumber): OrderChange {
    const known = this.#orderChanges.get(number)
    if (known !== undefined) return known
    const state: OrderState = 'queued'
    const change: OrderChange = {
      market: this.terms.code,
      number,
      filled: NO_LOTS,
      filledValue: NOTHING,
      covered: NO_LOTS,
      state,
      reason: undefined,
    }
    this.#orderChanges.set(number, change)
    return change
  }

  #tell(body: EventBody): void {
    this.#seq++
    this.#events.push({
      market: this.terms.code,
      seq: this.#seq,
      ...body,
    } as EngineEvent)
  }
}
