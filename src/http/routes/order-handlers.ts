import { mayActFor } from '../../access/rights.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { orderView } from '../../api/orders/order-view.js'
import { REASON_HEADER } from '../../api/refusal-headers.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { orderId } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { placedEnvelope, placeFrom } from '../../doors/orders/placing.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { headerOf } from '../middleware/header-of.js'
import { marketOf } from '../../doors/market-of.js'
import { withIdempotencyKey } from './idempotency-key.js'
import { ignoredHeader } from '../middleware/ignored-header.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { orderRoutes } from '../../api/orders/order-routes.js'
import type { OrderInQueueAnswer } from '../../api/orders/preview-answer.js'
import { previewRoutes } from '../../api/orders/preview-routes.js'
import { previewFrom, queueFrom, queueOf } from '../../doors/orders/previewing.js'

const PLACED = DONE.orderPlaced
/** The answer of specification 4.3 to the letter, the same for every order. */
const PLACED_JSON = successJson(201, PLACED)

/** Places and shows orders (specification 4.3, 10). */
export function orderHandlers(exchange: Exchange): Binding[] {
  return [
    handle(orderRoutes.placeOrder, call => placeOrder(exchange, call)),
    handle(previewRoutes.previewOrder, async call => {
      const { code, message, additional } = await previewFrom(exchange, call.caller, await readJson(call))
      return success(call, code, message, additional)
    }),
    handle(previewRoutes.getQueue, async call => {
      const { code, message, additional } = await queueFrom(exchange, call.caller, call.c.req.query())
      return success(call, code, message, additional)
    }),
    handle(orderRoutes.getOrder, async call => {
      const caller = call.caller
      const order = unlessBusy(await exchange.findOrder(call.params.id))
      if (order === undefined || !mayActFor(caller, order.userId, 'read')) {
        throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
      }
      const { payout } = marketOf(exchange, String(order.market)).terms
      const queue = await queueOf(exchange, order)
      const view: OrderInQueueAnswer = { ...orderView(order, payout), queue }
      return success(call, 200, DONE.orderFetched, view)
    }),
  ]
}

/**
 * Places an order; 201 means that it is on disk. Its result is on the event's channel and at its `Location`.
 */
async function placeOrder(exchange: Exchange, call: Call): Promise<Response> {
  const caller = call.caller
  const placed = await placeFrom(exchange, caller, withIdempotencyKey(call, await readJson(call)))
  const { order, ignored } = placed
  const id = orderId(order)
  const base = call.c.req.path.slice(0, call.c.req.path.lastIndexOf('/'))
  const headers = {
    'X-Order-Id': id,
    Location: `${base}/${id}`,
    ...(order.state === 'rejected' && order.reason !== undefined && { [REASON_HEADER]: order.reason }),
    ...ignoredHeader(ignored),
  }
  if (!wantsResult(headerOf(call.c, 'prefer'))) return envelopeText(call, 201, PLACED_JSON, headers)
  const text = JSON.stringify(placedEnvelope(placed))
  return envelopeText(call, 201, text, { ...headers, 'Preference-Applied': 'wait' })
}

/** Returns whether the client wants the result in the answer: `Prefer: wait`, or `wait=10` (RFC 7240). */
function wantsResult(prefer: string | undefined): boolean {
  return (
    prefer?.split(/[,;]/).some(preference => preference.split('=')[0]?.trim().toLowerCase() === 'wait') ??
    false
  )
}
