import { z } from 'zod'
import { DONE } from '../../api/answer-texts.js'
import { keyField } from '../../api/orders/order-key.js'
import { namedOrderQuery } from '../../api/orders/order-query.js'
import { validate } from '../../api/validation.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { success } from '../middleware/envelope.js'
import { cancelNamed, found } from '../../doors/orders/ending.js'
import { viewOf } from '../../doors/orders/order-envelope.js'
import { checkUser, withOwnUser } from '../../doors/own-user.js'
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
      const { userid, key } = nameIn(call, call.params.key)
      const { code, message, additional } = await cancelNamed(exchange, call.caller, userid, key)
      return success(call, code, message, additional)
    }),
  ]
}

/** Returns the order of a user that goes by a name. Throws 401, 403, 404, 422, 503. */
async function namedOrder(exchange: Exchange, call: Call, name: string): Promise<OrderRecord> {
  const { userid, key } = nameIn(call, name)
  checkUser(call.caller, userid, 'read')
  return found(await exchange.findOrderNamed(exchange.archive.userNamed(userid).userId, key))
}

/** Returns a user's name for an order. Throws 422. */
function nameIn(call: Call, name: string) {
  const { userid } = validate(namedOrderQuery, withOwnUser(call.caller, call.c.req.query()))
  return { userid, ...validate(nameSchema, { key: name }) }
}
