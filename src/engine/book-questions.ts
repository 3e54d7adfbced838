import { dryRun } from '../core/book/matching.js'
import type { Level } from '../core/book/order-book.js'
import { NO_SLOT } from '../core/book/order-book.js'
import type { CancelReason, OrderState, Refusal, Side } from '../core/order.js'
import type { Amount, MarketCode, OrderNumber, QuantityLots, TimeMs } from '../core/units.js'
import { lots, NO_LOTS, NOTHING } from '../core/units.js'
import type { ArrivingOrder } from './arrival-check.js'
import { mayRest, refusalOf, takerOf } from './arrival-check.js'
import type { ShardMarket } from './shard-market.js'

/** The most orders of a side that are counted to find places in its queue. */
export const QUEUE_COUNT_MAX = 10_000

/** A question about one book as it is now. */
export type BookQuestion =
  | {
      readonly kind: 'preview'
      readonly market: MarketCode
      readonly order: ArrivingOrder
      readonly at: TimeMs
    }
  | { readonly kind: 'places'; readonly market: MarketCode; readonly numbers: readonly OrderNumber[] }

/** The effect of an order if it arrived now. */
export interface OrderPreview {
  readonly state: OrderState
  readonly reason: Refusal | CancelReason | undefined
  /** By YES price, in the order of the fills. */
  readonly fills: readonly Level[]
  /** The lots that would not fill, whether they would rest or be cancelled. */
  readonly left: QuantityLots
  /** The fee of the fills. */
  readonly fee: Amount
}

/** The orders that fill before an order. */
export interface QueuePlace {
  readonly number: OrderNumber
  readonly lotsAhead: QuantityLots
  readonly ordersAhead: number
  /** Set if the order lies beyond those that were counted. */
  readonly isAtLeast?: true
}

export type BookAnswer = OrderPreview | readonly QueuePlace[]

export function answerOf(market: ShardMarket, question: BookQuestion): BookAnswer {
  return question.kind === 'preview'
    ? previewOf(market, question.order, question.at)
    : placesOf(market, question.numbers)
}

function previewOf(market: ShardMarket, order: ArrivingOrder, at: TimeMs): OrderPreview {
  const { terms, progress, book, house } = market
  const { admission } = order
  const refusal = refusalOf(order, { terms, status: progress.status, book, at, house })
  if (refusal !== undefined || 'refusal' in admission) {
    const reason = 'refusal' in admission ? admission.refusal : refusal
    const left = 'refusal' in admission ? NO_LOTS : admission.quantity
    return { state: 'rejected', reason, fills: [], left, fee: NOTHING }
  }
  const taker = takerOf(order, admission, terms)
  const { fills, left, fee, stop } = dryRun(book, taker, market.pairsFree)
  if (left === 0) return { state: 'filled', reason: undefined, fills, left, fee }
  if (order.timeInForce === 'FOK') {
    return { state: 'cancelled', reason: 'fill_or_kill', fills: [], left: admission.quantity, fee: NOTHING }
  }
  if (mayRest(order) && stop === undefined) {
    return { state: fills.length > 0 ? 'partially_filled' : 'resting', reason: undefined, fills, left, fee }
  }
  const isCapped = admission.cappedByBet || taker.hold < admission.hold
  const cut = stop === 'funds_insufficient' && isCapped ? 'bet_above_max' : stop
  return { state: 'cancelled', reason: cut ?? 'no_liquidity', fills, left, fee }
}

/** Counts each side once; orders that do not rest have no place. */
function placesOf(market: ShardMarket, numbers: readonly OrderNumber[]): QueuePlace[] {
  const sides: Record<Side, Set<OrderNumber>> = { yes: new Set(), no: new Set() }
  for (const number of numbers) {
    const slot = market.book.find(number)
    if (slot !== NO_SLOT) sides[market.book.read(slot).side].add(number)
  }
  return [...placesOn(market, 'yes', sides.yes), ...placesOn(market, 'no', sides.no)]
}

function placesOn({ book }: ShardMarket, side: Side, wanted: Set<OrderNumber>): QueuePlace[] {
  const places: QueuePlace[] = []
  if (wanted.size === 0) return places
  let [lotsAhead, ordersAhead] = [NO_LOTS, 0]
  for (const slot of book.queue(side)) {
    const number = book.numberAt(slot)
    if (wanted.delete(number)) places.push({ number, lotsAhead, ordersAhead })
    if (wanted.size === 0) return places
    if (ordersAhead === QUEUE_COUNT_MAX) break
    lotsAhead = lots(lotsAhead + book.lotsAt(slot))
    ordersAhead++
  }
  for (const number of wanted) places.push({ number, lotsAhead, ordersAhead, isAtLeast: true })
  return places
}
