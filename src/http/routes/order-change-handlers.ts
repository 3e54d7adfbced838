import { amendSchema } from '../../api/orders/order-amend-schema.js'
import { cancelAllQuery } from '../../api/orders/order-query.js'
import { orderRoutes } from '../../api/orders/order-routes.js'
import { quoteRoutes } from '../../api/orders/quote-routes.js'
import { timerRoutes } from '../../api/orders/timer-routes.js'
import { validate } from '../../api/validation.js'
import { amendOne } from '../../doors/orders/amending.js'
import { cancelOne, cancelOrdersOf } from '../../doors/orders/ending.js'
import { replaceQuotesFrom } from '../../doors/orders/quoting.js'
import { setTimerFrom } from '../../doors/orders/timing.js'
import { withOwnUser } from '../../doors/own-user.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { envelopeText, success } from '../middleware/envelope.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { idempotencyKeyOf } from './idempotency-key.js'

/** Cancels one order or all, now or by a timer, and amends orders (specification 11). */
export function orderChangeHandlers(exchange: Exchange): Binding[] {
  return [
    handle(orderRoutes.cancelOrders, async call => {
      const query = validate(cancelAllQuery, withOwnUser(call.caller, call.c.req.query()))
      const { code, message, additional } = await cancelOrdersOf(exchange, call.caller, query)
      return success(call, code, message, additional)
    }),
    handle(orderRoutes.cancelOrder, async call => {
      const { code, message, additional } = await cancelOne(exchange, call.caller, call.params.id)
      return success(call, code, message, additional)
    }),
    handle(timerRoutes.cancelAfter, async call => {
      const { code, message, additional } = await setTimerFrom(exchange, call.caller, await readJson(call))
      return success(call, code, message, additional)
    }),
    handle(quoteRoutes.replaceQuotes, async call => {
      // The request itself has been counted as one order.
      const charge = (quotes: number) => quotes > 1 && call.charge?.countBatch('orders', quotes - 1)
      const body = await readJson(call)
      const { code, message, additional } = await replaceQuotesFrom(exchange, call.caller, body, charge)
      return success(call, code, message, additional)
    }),
    handle(orderRoutes.amendOrder, async call => {
      const body = validate(amendSchema, await readJson(call))
      const named = { id: call.params.id, key: idempotencyKeyOf(call) }
      const amended = await amendOne(exchange, call.caller, named, body)
      const headers = { 'X-Order-Id': amended.additional.id }
      return envelopeText(call, amended.code, JSON.stringify(amended), headers)
    }),
  ]
}
