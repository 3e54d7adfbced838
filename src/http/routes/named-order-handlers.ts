import { z } from 'zod'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { keyField } from '../../api/orders/order-key.js'
import { namedOrderQuery } from '../../api/orders/order-query.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy, unlessBusy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { cancelMessage, viewOf } from './order-ending.js'
import { checkUser, withOwnUser } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { namedOrderRoutes } from '../../api/orders/named-order-routes.js'

const nameSchema = z.object({ key: keyField })

/** Shows and cancels orders by the names that their users gave them (specification 11). */
export function namedOrderHandlers(exchange: Exchange): Binding[] {
  return [
    handle(namedOrderRoutes.getNamedOrder, async call => {
      const order = await namedOrder(exchange, call, call.params.key)
      return success(call, 200, DONE.orderFetched, viewOf(exchange, order))
    }),
    handle(namedOrderRoutes.cancelNamedOrder, async call => {
      const order = await cancelNamed(exchange, call, call.params.key)
      return success(call, 200, cancelMessage(order), viewOf(exchange, order))
    }),
  ]
}

/** Cancels the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function cancelNamed(exchange: Exchange, call: Call, name: string): Promise<OrderRecord> {
  const { userId, key } = nameIn(exchange, call, name, 'trade')
  const order = await exchange.cancelOrderNamed(userId, key)
  if (typeof order === 'string') throw busy(order)
  return found(order)
}

/** Returns the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function namedOrder(exchange: Exchange, call: Call, name: string): Promise<OrderRecord> {
  const { userId, key } = nameIn(exchange, call, name, 'read')
  return found(unlessBusy(await exchange.findOrderNamed(userId, key)))
}

/** Returns a user's name for an order, if the caller may act for the user. */
function nameIn(exchange: Exchange, call: Call, name: string, scope: 'read' | 'trade') {
  const caller = call.caller
  const { userid } = validate(namedOrderQuery, withOwnUser(caller, call.c.req.query()))
  checkUser(caller, userid, scope)
  const { key } = validate(nameSchema, { key: name })
  return { userId: exchange.archive.userNamed(userid).userId, key }
}

function found(order: OrderRecord | undefined): OrderRecord {
  if (order === undefined) throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  return order
}
