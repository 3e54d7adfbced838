import type { Identity } from '../../access/identity.js'
import { mayActFor } from '../../access/rights.js'
import { DONE, stillOpen } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { LIMITS } from '../../api/limits.js'
import type { CancelledAnswer } from '../../api/orders/order-answer.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { MayTouch } from '../../exchange/orders/order-cancels.js'
import { busy } from '../capacity-refusal.js'
import { marketOf } from '../market-of.js'
import { checkUser } from '../own-user.js'
import type { Envelope, OrderEnvelope } from './order-envelope.js'
import { orderEnvelope, viewOf } from './order-envelope.js'

/** The orders to cancel: of a user, in one event or in all. */
export interface CancelAllBody {
  readonly userid: string
  readonly event_id?: string | undefined
}

/**
 * Cancels an order if it is open; returns its final state. Throws 404, also for an order of a user for whom
 * the caller may not act, and 503.
 */
export async function cancelOne(exchange: Exchange, caller: Identity, id: string): Promise<OrderEnvelope> {
  return cancelled(exchange, await exchange.cancelOrder(id, mayTouchAs(caller)))
}

/** Cancels the order of a user that goes by a name. Throws 403, 404, 503. */
export async function cancelNamed(
  exchange: Exchange,
  caller: Identity,
  userid: string,
  name: string,
): Promise<OrderEnvelope> {
  checkUser(caller, userid, 'trade')
  return cancelled(exchange, await exchange.cancelOrderNamed(exchange.archive.userNamed(userid).userId, name))
}

/** Cancels the open orders of a user, in one event or in all. Throws 403, 404, 503. */
export async function cancelOrdersOf(
  exchange: Exchange,
  caller: Identity,
  { userid, event_id }: CancelAllBody,
): Promise<Envelope<200, CancelledAnswer>> {
  checkUser(caller, userid, 'trade')
  const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
  const done = await exchange.cancelOrders(exchange.archive.userNamed(userid).userId, market)
  if (typeof done === 'string') throw busy(done)
  const { ended, openCount } = done
  const additional: CancelledAnswer = {
    orders: ended.slice(0, LIMITS.cancelledShownMax).map(order => viewOf(exchange, order)),
    ended: ended.length,
    still_open: openCount,
  }
  const message = openCount === 0 ? DONE.ordersCancelled : stillOpen(openCount)
  return { status: true, code: 200, message, additional }
}

/** Returns which orders a caller may cancel and amend; the others do not exist for them. */
export function mayTouchAs(caller: Identity): MayTouch | undefined {
  return caller.kind === 'open' ? undefined : ({ userId }) => mayActFor(caller, userId, 'trade')
}

/** Returns an order that was looked for. Throws 404 if there is none, 503 if it could not be looked up. */
export function found(order: OrderRecord | Parameters<typeof busy>[0] | undefined): OrderRecord {
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  if (typeof order === 'string') throw busy(order)
  return order
}

/** Returns the envelope of a cancelled order; one that had already ended, or been replaced, says so. */
function cancelled(exchange: Exchange, ended: Parameters<typeof found>[0]): OrderEnvelope {
  const order = found(ended)
  const isCancelled = order.state === 'cancelled' && order.reason !== 'order_replaced'
  return orderEnvelope(exchange, isCancelled ? DONE.orderCancelled : 'Order had ended already', order)
}
