import { mayActFor } from '../../access/rights.js'
import { ApiError } from '../../api/api-error.js'
import { orderView } from '../../api/orders/order-view.js'
import { REASON_HEADER } from '../../api/refusal-headers.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { orderId } from '../../core/order-record.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { placedEnvelope, placeFrom } from '../../doors/orders/placing.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { headerOf } from '../middleware/header-of.js'
import { marketOf } from '../../doors/market-of.js'
import { withIdempotencyKey, idempotencyKeyOf } from './idempotency-key.js'
import type { OrderInQueueAnswer } from '../../api/orders/preview-answer.js'
import { previewRoutes } from '../../api/orders/preview-routes.js'
import { previewFrom, queueFrom, queueOf } from '../../doors/orders/previewing.js'
import { batchSchema } from '../../api/orders/order-batch-schema.js'
import { orderSchema } from '../../api/orders/order-schema.js'
import { ignoredInAny } from '../../api/unknown-fields.js'
import type { Fault } from '../../doors/error-refusal.js'
import { runBatch } from '../../doors/orders/batches.js'
import { ignoredHeader } from '../middleware/ignored-header.js'
import { checkLoad } from '../middleware/load-check.js'
import { z } from 'zod'
import { DONE } from '../../api/answer-texts.js'
import { keyField } from '../../api/orders/order-key.js'
import { namedOrderQuery, cancelAllQuery } from '../../api/orders/order-query.js'
import type { OrderRecord } from '../../core/order-record.js'
import { cancelNamed, found, cancelOne, cancelOrdersOf } from '../../doors/orders/ending.js'
import type { Envelope } from '../../doors/orders/order-envelope.js'
import { viewOf } from '../../doors/orders/order-envelope.js'
import { checkUser, withOwnUser } from '../../doors/own-user.js'
import type { Binding, Call } from '../routing/handle.js'
import { namedOrderRoutes } from '../../api/orders/named-order-routes.js'
import { amendSchema } from '../../api/orders/order-amend-schema.js'
import { orderRoutes } from '../../api/orders/order-routes.js'
import { quoteRoutes } from '../../api/orders/quote-routes.js'
import { timerRoutes } from '../../api/orders/timer-routes.js'
import { validate } from '../../api/validation.js'
import { amendOne } from '../../doors/orders/amending.js'
import { replaceQuotesFrom } from '../../doors/orders/quoting.js'
import { setTimerFrom } from '../../doors/orders/timing.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { handle } from '../routing/handle.js'

const nameSchema = z.object({ key: keyField })
const PLACED = DONE.orderPlaced
/** The answer of specification 4.3 to the letter, the same for every order. */
const PLACED_JSON = successJson(201, PLACED)

/** Places, shows, amends and cancels orders (specification 4.3, 10, 11). */
export function orderHandlers(exchange: Exchange, fault: Fault): Binding[] {
  return [
    handle(orderRoutes.placeOrder, call => placeOrder(exchange, call)),
    handle(orderRoutes.batchOrders, call => placeBatch(exchange, call, fault)),
    handle(orderRoutes.getOrder, call => showOrder(exchange, call, call.params.id)),
    handle(orderRoutes.cancelOrder, async call =>
      answer(call, await cancelOne(exchange, call.caller, call.params.id)),
    ),
    handle(orderRoutes.cancelOrders, async call => {
      const query = validate(cancelAllQuery, withOwnUser(call.caller, call.c.req.query()))
      return answer(call, await cancelOrdersOf(exchange, call.caller, query))
    }),
    handle(namedOrderRoutes.getNamedOrder, async call => {
      const order = await namedOrder(exchange, call, call.params.key)
      return success(call, 200, DONE.orderFetched, viewOf(exchange, order))
    }),
    handle(namedOrderRoutes.cancelNamedOrder, async call => {
      const { userid, key } = nameIn(call, call.params.key)
      return answer(call, await cancelNamed(exchange, call.caller, userid, key))
    }),
    handle(previewRoutes.previewOrder, async call =>
      answer(call, await previewFrom(exchange, call.caller, await readJson(call))),
    ),
    handle(previewRoutes.getQueue, async call =>
      answer(call, await queueFrom(exchange, call.caller, call.c.req.query())),
    ),
    handle(timerRoutes.cancelAfter, async call =>
      answer(call, await setTimerFrom(exchange, call.caller, await readJson(call))),
    ),
    handle(quoteRoutes.replaceQuotes, async call => {
      // The request itself has been counted as one order.
      const charge = (quotes: number) => quotes > 1 && call.charge?.countBatch('orders', quotes - 1)
      return answer(call, await replaceQuotesFrom(exchange, call.caller, await readJson(call), charge))
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

/** Sends the envelope that a door has filled. */
function answer(call: Call, { code, message, additional }: Envelope<200 | 201, unknown>): Answer {
  return success(call, code, message, additional)
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

/** Places or cancels many orders at once. */
async function placeBatch(exchange: Exchange, call: Call, fault: Fault): Promise<Response> {
  const { orders, cancels } = validate(batchSchema, await readJson(call))
  if (orders !== undefined) checkLoad(call)
  if (orders === undefined) call.charge?.countBatch('cancels', cancels?.length ?? 0)
  else call.charge?.countBatch('orders', orders.length)
  const batch = { orders, cancels, name: idempotencyKeyOf(call) }
  const { code, message, additional } = await runBatch(exchange, call.caller, batch, fault)
  const text = JSON.stringify({ status: true, code, message, additional })
  return envelopeText(call, code, text, { ...ignoredHeader(ignoredInAny(orderSchema, orders ?? [])) })
}

/** Shows an order with its place in the queue. Throws 404 to all but those who may read its user's. */
async function showOrder(exchange: Exchange, call: Call, id: string): Promise<Response> {
  const order = unlessBusy(await exchange.findOrder(id))
  if (order === undefined || !mayActFor(call.caller, order.userId, 'read')) {
    throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  }
  const { payout } = marketOf(exchange, String(order.market)).terms
  const queue = await queueOf(exchange, order)
  const view: OrderInQueueAnswer = { ...orderView(order, payout), queue }
  return success(call, 200, DONE.orderFetched, view)
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
