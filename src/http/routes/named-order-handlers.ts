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
import type { Exchange } from '../../exchange/exchange.js'
import { callerWith, checkUser, withOwnUser } from '../middleware/caller.js'
import { busy, unlessBusy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { cancelMessage, viewOf } from './order-ending.js'

const nameSchema = z.object({ key: keyField })

/** Shows and cancels orders by the names that their users gave them (specification 11). */
export function namedOrderRoutes(exchange: Exchange): Hono {
  return new Hono()
    .get('/by-client-id/:key', async c => {
      const order = await namedOrder(exchange, c, c.req.param('key'))
      return success(c, 200, DONE.orderFetched, viewOf(exchange, order))
    })
    .delete('/by-client-id/:key', async c => {
      const order = await cancelNamed(exchange, c, c.req.param('key'))
      return success(c, 200, cancelMessage(order), viewOf(exchange, order))
    })
}

/** Cancels the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function cancelNamed(exchange: Exchange, c: Context, name: string): Promise<OrderRecord> {
  const { userId, key } = nameIn(exchange, c, name, 'trade')
  const order = await exchange.cancelOrderNamed(userId, key)
  if (typeof order === 'string') throw busy(order)
  return found(order)
}

/** Returns the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function namedOrder(exchange: Exchange, c: Context, name: string): Promise<OrderRecord> {
  const { userId, key } = nameIn(exchange, c, name, 'read')
  return found(unlessBusy(await exchange.findOrderNamed(userId, key)))
}

/** Returns a user's name for an order, if the caller may act for the user. */
function nameIn(exchange: Exchange, c: Context, name: string, scope: 'read' | 'trade') {
  const caller = callerWith(c, scope)
  const { userid } = validate(namedOrderQuery, withOwnUser(caller, c.req.query()))
  checkUser(caller, userid, scope)
  const { key } = validate(nameSchema, { key: name })
  return { userId: exchange.archive.userNamed(userid).userId, key }
}

function found(order: OrderRecord | undefined): OrderRecord {
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  return order
}
