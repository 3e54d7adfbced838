import { chargeFee, feeMax } from '../../core/fees.js'
import { isOpen, unitCost } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { orderId, unfilledContracts, unfilledOf } from '../../core/order-record.js'
import type { Amount, PriceTicks } from '../../core/units.js'
import {
  amount,
  amountToRupees,
  complement,
  NOTHING,
  ticks,
  toContracts,
  toRupees,
} from '../../core/units.js'
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
    ...(order.feeTaker + order.feeMaker > 0 && feesOf(order, payout)),
    updatedAt: iso(order.updatedAt),
  }
}

function feesOf(order: OrderRecord, payout: PriceTicks): Pick<OrderAnswer, 'fee_max' | 'fee_paid'> {
  const { feePaid } = order
  const most = amount(feePaid + (isOpen(order.state) ? feeLeft(order, payout) : NOTHING))
  return { fee_max: amountToRupees(most), fee_paid: amountToRupees(feePaid) }
}

/** Returns the most that the open part may still pay: while it rests, it fills at its own price. */
function feeLeft(order: OrderRecord, payout: PriceTicks): Amount {
  const { side, price, state, feeTaker, feeMaker } = order
  if (state !== 'queued') return chargeFee(feeMaker, price, payout, unfilledOf(order), 0).due
  const unit = order.orderType === 'MO' ? payout : unitCost(side, price, payout)
  return feeMax(Math.max(feeTaker, feeMaker), unit, payout, order.quantity)
}
