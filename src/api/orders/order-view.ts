import type { OrderRecord } from '../../core/order-record.js'
import { orderId, unfilledContracts } from '../../core/order-record.js'
import type { PriceTicks } from '../../core/units.js'
import { complement, ticks, toContracts, toRupees } from '../../core/units.js'
import type { OrderAnswer } from './order-answer.js'

/** The last moment written: all orders of a batch have the same, and writing one takes a microsecond. */
let last = { ms: Number.NaN, text: '' }

function iso(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

/**
 * Returns an order as clients see it (specification 2.3 and 11). Prices refer to the outcome that the client
 * named, so that they read as they were sent.
 *
 * @param payout the market's payout: the YES price and the NO price sum to it
 */
export function orderView(order: OrderRecord, payout: PriceTicks): OrderAnswer {
  const isTaken = order.state !== 'queued' && order.state !== 'rejected'
  const named = (yesPrice: PriceTicks) =>
    toRupees(order.outcome === 'yes' ? yesPrice : complement(yesPrice, payout))
  const average = order.filled > 0 ? named(ticks(Math.round(order.filledValue / order.filled))) : null
  return {
    id: orderId(order),
    orderBookId: String(order.market),
    price: order.asked?.price ?? named(order.price),
    quantity: order.asked?.quantity ?? toContracts(order.quantity),
    status: isTaken ? 'PLACED' : 'PENDING',
    createdAt: iso(order.createdAt),
    event_id: String(order.market),
    userid: order.userId,
    offer_type: order.side === order.outcome ? 'buy' : 'sell',
    outcome: order.outcome,
    order_type: order.orderType,
    side: order.side,
    time_in_force: order.timeInForce,
    expires_at: order.expiresAt === undefined ? null : iso(order.expiresAt),
    state: order.state,
    reason: order.reason ?? null,
    filled_quantity: toContracts(order.filled),
    remaining_quantity: unfilledContracts(order),
    average_price: average,
    post_only: order.postOnly,
    reduce_only: order.reduceOnly,
    client_order_id: order.key ?? null,
    quote_set: order.quoteSet ?? null,
    updatedAt: iso(order.updatedAt),
  }
}
