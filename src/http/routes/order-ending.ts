import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { OrderAnswer } from '../../api/orders/order-answer.js'
import { orderView } from '../../api/orders/order-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy } from '../middleware/capacity-refusal.js'
import { marketOf } from './event-handlers.js'
import { checkOwner } from './order-owner.js'

/**
 * Cancels an order if it is open; returns its final state. Throws 404, also for an order of a user for whom
 * the caller may not act, and 503.
 */
export async function cancelOne(exchange: Exchange, caller: Identity, id: string): Promise<OrderRecord> {
  if (caller.kind !== 'open') await checkOwner(exchange, caller, id)
  const order = await exchange.cancelOrder(id)
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  if (typeof order === 'string') throw busy(order)
  return order
}

/** Returns the message for a cancelled order; one that had already ended, or been replaced, says so. */
export function cancelMessage({ state, reason }: OrderRecord): string {
  return state === 'cancelled' && reason !== 'order_replaced'
    ? DONE.orderCancelled
    : 'Order had ended already'
}

/** Returns an order as clients see it. */
export function viewOf(exchange: Exchange, order: OrderRecord): OrderAnswer {
  return orderView(order, marketOf(exchange, String(order.market)).terms.payout)
}
