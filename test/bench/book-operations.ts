import type { MatchListener, Taker } from '../../src/core/book/matching.js'
import { marketOrderLimit, match } from '../../src/core/book/matching.js'
import type { OrderBook, Slot } from '../../src/core/book/order-book.js'
import { NO_SLOT } from '../../src/core/book/order-book.js'
import { unitCost } from '../../src/core/order.js'
import type { AccountNumber, OrderNumber, PriceTicks, QuantityLots } from '../../src/core/units.js'
import { amount, lots, ticks } from '../../src/core/units.js'

export const PAYOUT = ticks(1000)
export const LIMIT = 0
export const MARKET = 1
export const CANCEL = 2

/** Operations, one array per field, so that reading the list costs almost nothing. */
export interface Operations {
  readonly count: number
  readonly kind: Uint8Array
  readonly isYes: Uint8Array
  readonly price: Int32Array
  readonly lots: Int32Array
  /** The order's own number, or the one to cancel. */
  readonly number: Int32Array
}

/** The engine asks for the changed levels once a batch. */
const BATCH = 64
const PAIRS_FREE = lots(1e15)

/**
 * Calls the book and the matching as the engine does: a taker with its hold, a listener, changes once a
 * batch.
 */
export function playBook(book: OrderBook, operations: Operations, from: number, to: number): number {
  const listener = new CountingListener(book)
  let levels = 0
  for (let at = from; at < to; at++) {
    const number = operations.number[at] as OrderNumber
    if (operations.kind[at] === CANCEL) {
      const slot = book.find(number)
      if (slot !== NO_SLOT) book.remove(slot)
    } else {
      place(book, operations, at, number, listener)
    }
    if (at % BATCH === 0) {
      const { bids, asks } = book.takeChanges()
      levels += bids.length + asks.length
    }
  }
  return levels + listener.lots
}

function place(
  book: OrderBook,
  operations: Operations,
  at: number,
  number: OrderNumber,
  listener: MatchListener,
): void {
  const side = operations.isYes[at] === 1 ? 'yes' : 'no'
  const isMarket = operations.kind[at] === MARKET
  const limit = isMarket ? marketOrderLimit(side, PAYOUT) : ticks(operations.price[at] as number)
  const quantity = lots(operations.lots[at] as number)
  const owner = number as number as AccountNumber
  const taker: Taker = {
    owner,
    side,
    limit,
    selfTrade: 'taker',
    lots: quantity,
    covered: lots(0),
    hold: amount(unitCost(side, limit, PAYOUT) * quantity),
    makersLeft: Number.POSITIVE_INFINITY,
  }
  const stop = match(book, taker, PAIRS_FREE, listener)
  if (stop === undefined && !isMarket && taker.lots > 0)
    book.rest(number, owner, side, limit, taker.lots, taker.covered)
}

/** Reads the same maker fields as the engine, and keeps only sums. */
class CountingListener implements MatchListener {
  lots = 0
  value = 0
  readonly #book: OrderBook

  constructor(book: OrderBook) {
    this.#book = book
  }

  filled(maker: Slot, price: PriceTicks, quantity: QuantityLots): void {
    this.lots += quantity
    this.value += price * quantity + this.#book.numberAt(maker) + this.#book.ownerAt(maker)
  }

  makerCancelled(): void {
    this.lots = Number.NaN
  }
}
