import type { FillFee } from '../fees.js'
import { affordableWithFee, chargeFill, NO_FILL_FEE } from '../fees.js'
import type { CancelReason, SelfTradePrevention, Side } from '../order.js'
import { unitCost } from '../order.js'
import type { AccountNumber, Amount, PriceTicks, QuantityLots } from '../units.js'
import { amount, least, lots, NO_LOTS, ticks } from '../units.js'
import type { Level, OrderBook, Slot } from './order-book.js'
import { NO_PRICE } from './order-book.js'

/**
 * The incoming order during matching. `lots`, `covered` and `hold` shrink as it fills: the remaining
 * quantity, its remaining covered part, and the money still held for the rest. So does `makersLeft`, the
 * number of resting orders that it may still fill or cancel.
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
  makersLeft: number
  /** Undefined without fees. */
  readonly fees?: TakerFees | undefined
}

/** The fees of an incoming order. */
export interface TakerFees {
  readonly rate: number
  credit: number
  /** The cost that a market order has left, without fees; undefined for a limit order: it holds for all. */
  costLeft: number | undefined
}

/** Receives each step of a match. The maker is still in its slot when this is called. */
export interface MatchListener {
  /** `takerCovered` and `makerCovered` are the parts of `quantity` that sell contracts; they fill first. */
  filled(
    maker: Slot,
    price: PriceTicks,
    quantity: QuantityLots,
    takerCovered: QuantityLots,
    makerCovered: QuantityLots,
    takerFee: FillFee,
  ): void
  /** The resting order is cancelled because taker and maker have one owner (self-trade rule `maker`). */
  makerCancelled(maker: Slot): void
}

/** Why a match stopped before the book or the order was exhausted. */
export type MatchStop = Extract<
  CancelReason,
  'self_trade' | 'funds_insufficient' | 'bet_above_max' | 'event_capacity' | 'match_limit'
>

/** Returns the limit of a market order: the most extreme YES price of its side. */
export function marketOrderLimit(side: Side, payout: PriceTicks): PriceTicks {
  return ticks(side === 'yes' ? payout - 1 : 1)
}

/**
 * Fills the taker against the other side, best price first, then oldest order, at the maker's price, until
 * the order is filled, the limit is reached or the book is empty. Returns the reason if it had to stop
 * earlier; the caller then cancels the rest.
 *
 * @param pairsFree lots of new YES/NO pairs the market may still mint
 */
export function match(
  book: OrderBook,
  taker: Taker,
  pairsFree: QuantityLots,
  listener: MatchListener,
): MatchStop | undefined {
  // Most orders rest. The fill loop is a function of its own, so that V8 optimises it on fills alone and
  // inlines its calls whichever kind of order came first: up to 1.6 times the orders per second.
  if (!wouldTake(book, taker.side, taker.limit)) return undefined
  return fillTaker(book, taker, pairsFree, listener)
}

/** The effect of a match: the fills by price, the lots left, and why it would stop before that. */
export interface DryRun {
  readonly fills: readonly Level[]
  readonly left: QuantityLots
  /** The fee of the fills. */
  readonly fee: Amount
  readonly stop: MatchStop | undefined
}

/** Returns what `match` would do. Changes nothing. */
export function dryRun(book: OrderBook, taker: Taker, pairsFree: QuantityLots): DryRun {
  const left = { ...taker, fees: taker.fees && { ...taker.fees } }
  const fills: [PriceTicks, QuantityLots][] = []
  let [minted, fee] = [0, 0]
  const stopped = (stop?: MatchStop): DryRun => ({ fills, left: left.lots, fee: amount(fee), stop })
  for (const maker of book.queue(taker.side === 'yes' ? 'no' : 'yes')) {
    const { price, owner, lots: offered, covered: makerOpen } = book.read(maker)
    if (left.lots === 0 || isWorse(price, taker)) break
    const isOwn = taker.selfTrade !== 'off' && owner === taker.owner
    if (isOwn && taker.selfTrade === 'taker') return stopped('self_trade')
    const wanted = isOwn ? NO_LOTS : least(left.lots, offered)
    const unit = unitCost(taker.side, price, book.payout)
    const affordable = affordableLots(wanted, left, unit, book.payout)
    const quantity = mintableLots(affordable, left, makerOpen, pairsFree - minted)
    const cut = affordable < wanted ? cutBy(left, unit, book.payout) : 'event_capacity'
    if (!isOwn && quantity === 0) return stopped(affordable === 0 ? cut : 'event_capacity')
    if (left.makersLeft === 0) return stopped('match_limit')
    left.makersLeft--
    if (isOwn) continue
    const covered = least(left.covered, quantity)
    minted += quantity - covered - least(makerOpen, quantity)
    fee += pay(left, price, quantity, covered, book.payout).due
    const last = fills.at(-1)
    if (last?.[0] === price) last[1] = lots(last[1] + quantity)
    else fills.push([price, quantity])
    // What pays for only a part of a maker is then used up.
    if (quantity < wanted) return stopped(quantity < affordable ? 'event_capacity' : cut)
  }
  return stopped()
}

/** Returns true if the taker would fill completely now; decides a fill-or-kill order. */
export function fillsCompletely(book: OrderBook, taker: Taker, pairsFree: QuantityLots): boolean {
  return dryRun(book, taker, pairsFree).left === 0
}

/** Returns true if an order at this YES price would match at once. */
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
  let minted = 0
  while (taker.lots > 0) {
    const price = book.best(makerSide)
    if (price === NO_PRICE || isWorse(price, taker)) return undefined

    const maker = book.oldestAt(price)
    if (taker.selfTrade !== 'off' && book.ownerAt(maker) === taker.owner) {
      if (taker.selfTrade === 'taker') return 'self_trade'
      if (taker.makersLeft === 0) return 'match_limit'
      taker.makersLeft--
      listener.makerCancelled(maker)
      book.remove(maker)
      continue
    }

    const wanted = least(taker.lots, book.lotsAt(maker))
    const unit = unitCost(taker.side, price, book.payout)
    const affordable = affordableLots(wanted, taker, unit, book.payout)
    const quantity = mintableLots(affordable, taker, book.coveredAt(maker), pairsFree - minted)
    if (quantity === 0) return affordable === 0 ? cutBy(taker, unit, book.payout) : 'event_capacity'
    if (taker.makersLeft === 0) return 'match_limit'
    taker.makersLeft--

    const takerCovered = least(taker.covered, quantity)
    const makerCovered = least(book.coveredAt(maker), quantity)
    const fee = pay(taker, price, quantity, takerCovered, book.payout)
    minted += quantity - takerCovered - makerCovered
    listener.filled(maker, price, quantity, takerCovered, makerCovered, fee)
    book.reduce(maker, quantity, makerCovered)
  }
  return undefined
}

function isWorse(price: PriceTicks, taker: Taker): boolean {
  return taker.side === 'yes' ? price > taker.limit : price < taker.limit
}

/** Takes a fill off what is left of the taker; returns the fee. */
function pay(
  taker: Taker,
  price: PriceTicks,
  quantity: QuantityLots,
  covered: QuantityLots,
  payout: PriceTicks,
): FillFee {
  const uncovered = lots(quantity - covered)
  const cost = unitCost(taker.side, price, payout) * uncovered
  taker.lots = lots(taker.lots - quantity)
  taker.covered = lots(taker.covered - covered)
  taker.hold = amount(taker.hold - cost)
  const { fees } = taker
  if (fees === undefined) return NO_FILL_FEE
  const fee = chargeFill(fees, price, payout, covered, uncovered)
  taker.hold = amount(taker.hold - fee.held)
  fees.credit = fee.credit
  if (fees.costLeft !== undefined) fees.costLeft -= cost
  return fee
}

/** Returns the part of `wanted` that the remaining hold pays for; contracts sold need no money. */
function affordableLots(
  wanted: QuantityLots,
  taker: Taker,
  unit: PriceTicks,
  payout: PriceTicks,
): QuantityLots {
  const paid = wanted - least(taker.covered, wanted)
  if (taker.fees !== undefined) {
    const most = affordableAfterFees(taker.fees, taker.hold, unit, payout)
    return paid <= most ? wanted : lots(taker.covered + most)
  }
  return paid * unit <= taker.hold ? wanted : lots(taker.covered + Math.floor(taker.hold / unit))
}

/** Returns the lots that money and `max_bet` pay for, beside the fees. */
function affordableAfterFees(fees: TakerFees, hold: Amount, unit: PriceTicks, payout: PriceTicks): number {
  if (fees.costLeft === undefined) return Number.POSITIVE_INFINITY
  return Math.min(affordableWithFee(hold, unit, payout, fees.rate), Math.floor(fees.costLeft / unit))
}

/** Returns what cuts a market order: its money, or `max_bet`, which does not include fees. */
function cutBy({ fees, hold }: Taker, unit: PriceTicks, payout: PriceTicks): MatchStop {
  if (fees?.costLeft === undefined) return 'funds_insufficient'
  const isMoney = affordableWithFee(hold, unit, payout, fees.rate) <= Math.floor(fees.costLeft / unit)
  return isMoney ? 'funds_insufficient' : 'bet_above_max'
}

/** Returns the part of `wanted` that the cap on open pairs allows; a covered part mints nothing. */
function mintableLots(
  wanted: QuantityLots,
  taker: Taker,
  makerCovered: QuantityLots,
  free: number,
): QuantityLots {
  const sold = least(taker.covered, wanted) + least(makerCovered, wanted)
  return wanted - sold <= free ? wanted : lots(free + sold)
}
