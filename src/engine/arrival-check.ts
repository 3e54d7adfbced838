import type { Taker } from '../core/book/matching.js'
import { marketOrderLimit, wouldTake } from '../core/book/matching.js'
import type { OrderBook } from '../core/book/order-book.js'
import type { Admission, CreateOrder, ReplaceOrder } from '../core/command.js'
import type { MarketStatus, MarketTerms } from '../core/market.js'
import { betRefusal, statusRefusal } from '../core/market.js'
import type { Refusal } from '../core/order.js'
import type { OrderOptions } from '../core/order-options.js'
import { expiryRefusal } from '../core/order-options.js'
import type { Amount, TimeMs } from '../core/units.js'
import { amount, NOTHING } from '../core/units.js'
import type { ShardHouse } from './shard-house.js'

/** The state of a market when an order reaches it. */
export interface Arrival {
  readonly terms: MarketTerms
  readonly status: MarketStatus
  readonly book: OrderBook
  readonly at: TimeMs
  readonly house: ShardHouse
}

/** An order that arrives, without its names. */
export type ArrivingOrder = Pick<
  CreateOrder,
  'market' | 'account' | 'data' | 'orderType' | 'selfTrade' | 'admission' | keyof OrderOptions
>

/** Returns the desk's refusal, or one for what changed while the order waited in the queue. */
export function refusalOf(order: ArrivingOrder, arrival: Arrival): Refusal | undefined {
  const { terms, status, book, at, house } = arrival
  const { admission, postOnly, data, orderType } = order
  if ('refusal' in admission) return admission.refusal
  const expired = expiryRefusal(order, at)
  if (expired !== undefined) return expired
  const { price, quantity, covered } = admission
  const closed = statusRefusal(status)
  if (closed !== undefined) return closed
  // Quotes of the house have the bounds of their table, and no others.
  if (house.owns(order.account))
    return house.refusalOf(order.account, { side: data.side, price, lots: quantity }, book)
  // The limits may have been edited while the order was queued.
  const bet = orderType === 'LO' ? betRefusal(terms, data.side, price, quantity, covered) : undefined
  if (bet !== undefined) return bet
  return postOnly && wouldTake(book, data.side, price) ? 'order_would_take' : undefined
}

/**
 * Returns the refusal of an order that is to replace another. The desk alone compares it with `min_bet`: what
 * is filled of the order before counts, and the engine does not know it. A replacement of an older journal is
 * decided as it was then.
 */
export function replacementRefusal(
  { order, isMinChecked }: Pick<ReplaceOrder, 'order' | 'isMinChecked'>,
  arrival: Arrival,
): Refusal | undefined {
  if (isMinChecked === undefined) return refusalOf(order, arrival)
  return refusalOf(order, { ...arrival, terms: { ...arrival.terms, minBet: NOTHING } })
}

export type Admitted = Extract<Admission, { readonly hold: unknown }>

/**
 * Returns the part of an order's hold that it may use: a market order stays within the current `maxBet`,
 * which one with fees has apart.
 */
export function usableHold(order: ArrivingOrder, admission: Admitted, { maxBet }: MarketTerms): Amount {
  const { hold, costMax } = admission
  return order.orderType === 'MO' && costMax === undefined ? amount(Math.min(hold, maxBet)) : hold
}

/** Returns an admitted order as it begins to match. */
export function takerOf(order: ArrivingOrder, admission: Admitted, terms: MarketTerms): Taker {
  const { side } = order.data
  return {
    owner: order.account,
    side,
    limit: order.orderType === 'LO' ? admission.price : marketOrderLimit(side, terms.payout),
    selfTrade: order.selfTrade,
    lots: admission.quantity,
    covered: admission.covered,
    hold: usableHold(order, admission, terms),
    makersLeft: admission.makersMax ?? Number.POSITIVE_INFINITY,
    fees: takerFees(order, admission, terms),
  }
}

function takerFees({ orderType }: ArrivingOrder, admission: Admitted, terms: MarketTerms) {
  const { fees, costMax } = admission
  if (fees === undefined || fees.taker === 0) return undefined
  const costLeft = orderType === 'LO' ? undefined : Math.min(costMax ?? terms.maxBet, terms.maxBet)
  return { rate: fees.taker, credit: 0, costLeft }
}

/** Returns whether an order may rest. */
export function mayRest({ orderType, timeInForce }: ArrivingOrder): boolean {
  return orderType === 'LO' && timeInForce !== 'IOC' && timeInForce !== 'FOK'
}
