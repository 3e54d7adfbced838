import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { LIMITS } from '../../api/limits.js'
import { amendSchema } from '../../api/orders/order-amend-schema.js'
import type { CancelledAnswer } from '../../api/orders/order-answer.js'
import { stillOpen } from '../../api/orders/order-answer.js'
import { cancelAllQuery } from '../../api/orders/order-query.js'
import { reasonWords } from '../../api/orders/order-reason-texts.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { assert } from '../../core/assert.js'
import type { OrderRecord } from '../../core/order-record.js'
import { orderId } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../middleware/capacity-refusal.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { marketOf } from './event-handlers.js'
import { cancelMessage, cancelOne, viewOf } from './order-ending.js'
import { checkOwner } from './order-owner.js'
import { checkUser, withOwnUser } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { orderRoutes } from '../../api/orders/order-routes.js'

const ALL_CANCELLED = DONE.ordersCancelled

/** Cancels one order or all, and amends orders (specification 11). */
export function orderChangeHandlers(exchange: Exchange): Binding[] {
  return [
    handle(orderRoutes.cancelOrders, call => cancelAll(exchange, call)),
    handle(orderRoutes.cancelOrder, async call => {
      const order = await cancelOne(exchange, call.caller, call.params.id)
      return success(call, 200, cancelMessage(order), viewOf(exchange, order))
    }),
    handle(orderRoutes.amendOrder, call => amend(exchange, call, call.params.id)),
  ]
}

async function cancelAll(exchange: Exchange, call: Call): Promise<Response> {
  const caller = call.caller
  const { userid, event_id } = validate(cancelAllQuery, withOwnUser(caller, call.c.req.query()))
  checkUser(caller, userid, 'trade')
  const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
  const cancelled = await exchange.cancelOrders(exchange.archive.userNamed(userid).userId, market)
  if (typeof cancelled === 'string') throw busy(cancelled)
  const { ended, openCount } = cancelled
  const additional: CancelledAnswer = {
    orders: ended.slice(0, LIMITS.cancelledShownMax).map(order => viewOf(exchange, order)),
    ended: ended.length,
    still_open: openCount,
  }
  return success(call, 200, openCount === 0 ? ALL_CANCELLED : stillOpen(openCount), additional)
}

async function amend(exchange: Exchange, call: Call, id: string): Promise<Response> {
  const caller = call.caller
  const body = validate(amendSchema, await readJson(call))
  if (caller.kind !== 'open') await checkOwner(exchange, caller, id)
  const order = await exchange.amendOrder(id, body)
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  if (typeof order === 'string') throw busy(order)
  if ('endedBefore' in order) throw new ApiError(409, ended(order.endedBefore), 'order_ended')
  if (order.state === 'rejected') throw notAmended(order)
  const text = successJson(200, DONE.orderAmended, viewOf(exchange, order))
  return envelopeText(call, 200, text, { 'X-Order-Id': orderId(order) })
}

function notAmended({ reason }: OrderRecord): ApiError {
  assert(reason !== undefined, 'a rejected order has a reason')
  return new ApiError(409, `Order is not amended: ${reasonWords(reason)}`, reason)
}

function ended({ state }: OrderRecord): string {
  return `Order is ${state}: only an open order can be amended`
}
