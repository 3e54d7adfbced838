import type { Context } from 'hono'
import { Hono } from 'hono'
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
import { callerWith, checkUser, withOwnUser } from '../middleware/caller.js'
import { busy } from '../middleware/capacity-refusal.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { marketOf } from './event-handlers.js'
import { cancelMessage, cancelOne, viewOf } from './order-ending.js'
import { checkOwner } from './order-owner.js'

const ALL_CANCELLED = DONE.ordersCancelled

/** Cancels one order or all, and amends orders (specification 11). */
export function orderChangeRoutes(exchange: Exchange): Hono {
  return new Hono()
    .delete('/', c => cancelAll(exchange, c))
    .delete('/:id', async c => {
      const order = await cancelOne(exchange, callerWith(c, 'trade'), c.req.param('id'))
      return success(c, 200, cancelMessage(order), viewOf(exchange, order))
    })
    .post('/:id/amend', c => amend(exchange, c, c.req.param('id')))
}

async function cancelAll(exchange: Exchange, c: Context): Promise<Response> {
  const caller = callerWith(c, 'trade')
  const { userid, event_id } = validate(cancelAllQuery, withOwnUser(caller, c.req.query()))
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
  return success(c, 200, openCount === 0 ? ALL_CANCELLED : stillOpen(openCount), additional)
}

async function amend(exchange: Exchange, c: Context, id: string): Promise<Response> {
  const caller = callerWith(c, 'trade')
  const body = validate(amendSchema, await readJson(c))
  if (caller.kind !== 'open') await checkOwner(exchange, caller, id)
  const order = await exchange.amendOrder(id, body)
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  if (typeof order === 'string') throw busy(order)
  if ('endedBefore' in order) throw new ApiError(409, ended(order.endedBefore), 'order_ended')
  if (order.state === 'rejected') throw notAmended(order)
  const text = successJson(200, DONE.orderAmended, viewOf(exchange, order))
  return envelopeText(c, 200, text, { 'X-Order-Id': orderId(order) })
}

function notAmended({ reason }: OrderRecord): ApiError {
  assert(reason !== undefined, 'a rejected order has a reason')
  return new ApiError(409, `Order is not amended: ${reasonWords(reason)}`, reason)
}

function ended({ state }: OrderRecord): string {
  return `Order is ${state}: only an open order can be amended`
}
