import type { CancelReason, SelfTradePrevention, Side } from '../order.js'
import { unitCost } from '../order.js'
import type { AccountNumber, Amount, PriceTicks, QuantityLots } from '../units.js'
import { amount, least, lots, ticks } from '../units.js'
import type { OrderBook, Slot } from './order-book.js'
import { NO_PRICE } from './order-book.js'

/**
 * The incoming order while it meets the book. `lots`, `covered` and `hold` change as it fills: they are what
 * is left of the quantity, of its covered part, and of the money held for the rest.
 */
export interface Taker {
  readonly owner: AccountNumber
  readonly side: Side
  /** The worst acceptable YES price; for a market order any price is acceptable. */
  readonly limit: PriceTicks
  readonly selfTrade: SelfTradePrevention
  lots: QuantityLots
  covered: QuantityLots
  hold: Amount
}

/** What hears of each step of a match. The maker still lies at its slot when this is called. */
export interface MatchListener {
  /** The parts of `quantity` that sell contracts, for both sides: they fill first. */
  filled(
    maker: Slot,
    price: PriceTicks,
    quantity: QuantityLots,
    takerCovered: QuantityLots,
    makerCovered: QuantityLots,
  ): void
  /** The resting order goes, because its owner is the taker's (self-trade rule `maker`). */
  makerCancelled(maker: Slot): void
}

/** Why a match stopped before the book or the order was used up. */
export type MatchStop = Extract<CancelReason, 'self_trade' | 'funds_insufficient' | 'event_capacity'>

/** The YES price beyond which nothing lies: what a market order takes as its limit. */
export function anyPrice(side: Side, payout: PriceTicks): PriceTicks {
  return ticks(side === 'yes' ? payout - 1 : 1)
}

/**
 * Fills the taker against the other side, best price first, then oldest order, at the maker's price, until
 * the order is filled, the limit is reached or the book is empty. Answers why it had to stop earlier, if it
 * had to; the caller cancels what is left then.
 *
 * @param pairsFree how many lots of new YES/NO pairs the market may still mint
 */
export function match(
  book: OrderBook,
  taker: Taker,
  pairsFree: QuantityLots,
  listener: MatchListener,
): MatchStop | undefined {
  // Most orders rest. The fills are a function apart, so that the compiler judges them by what they do when
  // they happen, and inlines what they call whatever came first: up to 1.6 times as many a second.
  if (!wouldTake(book, taker.side, taker.limit)) return undefined
  return fillTaker(book, taker, pairsFree, listener)
}

/** Whether the taker would be filled whole, now: what a fill-or-kill order asks before anything happens. */
export function fillsWhole(book: OrderBook, taker: Taker, pairsFree: QuantityLots): boolean {
  const left = { ...taker }
  let free: number = pairsFree
  const makerSide = taker.side === 'yes' ? 'no' : 'yes'
  for (const maker of book.queue(makerSide)) {
    const price = book.read(maker).price
    if (left.lots === 0 || isWorse(price, taker)) break
    if (taker.selfTrade !== 'off' && book.ownerAt(maker) === taker.owner) {
      if (taker.selfTrade === 'taker') return false
      continue
    }
    const wanted = least(left.lots, book.lotsAt(maker))
    const unit = unitCost(taker.side, price, book.payout)
    const affordable = affordableLots(wanted, left, unit)
    const quantity = mintableLots(affordable, left, book.coveredAt(maker), free)
    if (quantity < wanted) return false
    const covered = least(left.covered, quantity)
    free -= quantity - covered - least(book.coveredAt(maker), quantity)
    left.lots = lots(left.lots - quantity)
    left.covered = lots(left.covered - covered)
    left.hold = amount(left.hold - unit * (quantity - covered))
  }
  return left.lots === 0
}

/** Whether an order of a side would meet anybody at its YES price. */
export function wouldTake(book: OrderBook, side: Side, limit: PriceTicks): boolean {
  const best = book.best(side === 'yes' ? 'no' : 'yes')
  return best !== NO_PRICE && (side === 'yes' ? best <= limit : best >= limit)
}

function fillTaker(
  book: OrderBook,
  taker: Taker,
  pairsFree: QuantityLots,
  listener: MatchListener,
): MatchStop | undefined {
  const makerSide = taker.side === 'yes' ? 'no' : 'yes'
  let free: number = pairsFree
  while (taker.lots > 0) {
    const price = book.best(makerSide)
    if (price === NO_PRICE || isWorse(price, taker)) return undefined

    const maker = book.oldestAt(price)
    if (taker.selfTrade !== 'off' && book.ownerAt(maker) === taker.owner) {
      if (taker.selfTrade === 'taker') return 'self_trade'
      listener.makerCancelled(maker)
      book.remove(maker)
      continue
    }

    const wanted = least(taker.lots, book.lotsAt(maker))
    const unit = unitCost(taker.side, price, book.payout)
    const affordable = affordableLots(wanted, taker, unit)
    const quantity = mintableLots(affordable, taker, book.coveredAt(maker), free)
    if (quantity === 0) return affordable === 0 ? 'funds_insufficient' : 'event_capacity'

    const takerCovered = least(taker.covered, quantity)
    const makerCovered = least(book.coveredAt(maker), quantity)
    taker.lots = lots(taker.lots - quantity)
    taker.covered = lots(taker.covered - takerCovered)
    taker.hold = amount(taker.hold - unit * (quantity - takerCovered))
    free -= quantity - takerCovered - makerCovered
    listener.filled(maker, price, quantity, takerCovered, makerCovered)
    book.take(maker, quantity, makerCovered)
  }
  return undefined
}

function isWorse(price: PriceTicks, taker: Taker): boolean {
  return taker.side === 'yes' ? price > taker.limit : price < taker.limit
}

/** As many of `wanted` as what is left of the hold pays for; contracts that are sold need no money. */
function affordableLots(wanted: QuantityLots, taker: Taker, unit: PriceTicks): QuantityLots {
  const paid = wanted - least(taker.covered, wanted)
  return paid * unit <= taker.hold ? wanted : lots(taker.covered + Math.floor(taker.hold / unit))
}

/** As many of `wanted` as the cap on open pairs allows; a covered part on either side mints nothing. */
function mintableLots(
  wanted: QuantityLots,
  taker: Taker,
  makerCovered: QuantityLots,
  free: number,
): QuantityLots {
  const sold = least(taker.covered, wanted) + least(makerCovered, wanted)
  return wanted - sold <= free ? wanted : lots(free + sold)
}
