import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { keyField } from '../../api/orders/order-key.js'
import { namedOrderQuery } from '../../api/orders/order-query.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { OrderRecord } from '../../core/order-record.js'
import { orderId } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { callerOf, callerWith, checkUser, withOwnUser } from '../middleware/caller.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { cancelMessage, cancelOne, viewOf } from './order-ending.js'

const nameSchema = z.object({ key: keyField })

/** Shows and cancels orders by the names that their users gave them (specification 11). */
export function namedOrderRoutes(exchange: Exchange): Hono {
  return new Hono()
    .get('/by-client-id/:key', async c => {
      const order = await namedOrder(exchange, c, c.req.param('key'), 'read')
      return success(c, 200, DONE.orderFetched, viewOf(exchange, order))
    })
    .delete('/by-client-id/:key', async c => {
      const order = await cancelNamed(exchange, c, c.req.param('key'))
      return success(c, 200, cancelMessage(order), viewOf(exchange, order))
    })
}

/** Cancels the order that goes by a name, even if an amendment on its way replaces it first. */
async function cancelNamed(exchange: Exchange, c: Context, name: string): Promise<OrderRecord> {
  let order = await namedOrder(exchange, c, name, 'trade')
  for (;;) {
    const ended = await cancelOne(exchange, callerOf(c), orderId(order))
    if (ended.reason !== 'order_replaced') return ended
    const next = await namedOrder(exchange, c, name, 'trade')
    if (next.number === order.number) return ended
    order = next
  }
}

/** Returns the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function namedOrder(
  exchange: Exchange,
  c: Context,
  name: string,
  scope: 'read' | 'trade',
): Promise<OrderRecord> {
  const caller = callerWith(c, scope)
  const { userid } = validate(namedOrderQuery, withOwnUser(caller, c.req.query()))
  checkUser(caller, userid, scope)
  const { key } = validate(nameSchema, { key: name })
  const order = unlessBusy(await exchange.findOrderNamed(userid, key))
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  return order
}
