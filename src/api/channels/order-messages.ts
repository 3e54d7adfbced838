import { z } from 'zod'
import { amendFields, amendmentName, HAS_AMENDMENT, hasAmendment } from '../orders/order-amend-schema.js'
import { itemsOf } from '../orders/order-batch-schema.js'
import { keyField } from '../orders/order-key.js'
import { orderRoutes } from '../orders/order-routes.js'
import { previewRoutes } from '../orders/preview-routes.js'
import { quoteRoutes, quotesSample, quotesSchema } from '../orders/quote-routes.js'
import { cancelAfterSchema, timerRoutes } from '../orders/timer-routes.js'
import { orderSchema } from '../orders/order-schema.js'
import type { RefusalReason } from '../reasons.js'
import { samples } from '../samples.js'
import { userIdField } from '../user-id.js'
import { orderMessage } from './order-message.js'
import { order, orderPreviewed, orders, ordersCancelled, quotesReplaced, timerSet } from './order-replies.js'

/** The messages about orders. Their handlers are bound in `ws/orders/order-bindings.ts`. */

const OWNER = 'By default the caller; required in open mode'
const NAME = 'Your name for the batch, as Idempotency-Key over HTTP: repeating it has no further effect'
const GROWTH: readonly RefusalReason[] = [
  'busy',
  'disk_low',
  'key_used',
  'trading_suspended',
  'season_turn',
  'open_orders_full',
  'numbers_used_up',
  'accounts_full',
  'user_id_taken',
]
const batchName = keyField.optional().meta({ description: NAME })
const owner = userIdField.meta({ description: OWNER })
const orderId = z.string().meta({ description: 'The id of an order', examples: [samples.orderId] })

export const placeOrder = orderMessage(orderRoutes.placeOrder, {
  verb: 'place_order',
  schema: orderSchema,
  answer: order,
  refuses: ['event_not_found', ...GROWTH],
  says: 'Place an order',
  sample: samples.newOrder,
})

export const placeOrdersSchema = z.strictObject({
  orders: itemsOf({ $ref: '#/components/schemas/NewOrder' }).meta({ description: 'Orders to be placed' }),
  idempotency_key: batchName,
})

export const placeOrders = orderMessage(
  { cost: orderRoutes.placeOrder.cost, placesOrders: true },
  {
    verb: 'place_orders',
    schema: placeOrdersSchema,
    list: 'orders',
    answer: orders,
    refuses: GROWTH,
    says: 'Place up to 100 orders',
    sample: { orders: [samples.newOrder] },
  },
)

export const amendOrderSchema = z
  .strictObject({ id: orderId, ...amendFields, idempotency_key: amendmentName })
  .refine(hasAmendment, HAS_AMENDMENT)

export const amendOrder = orderMessage(orderRoutes.amendOrder, {
  verb: 'amend_order',
  schema: amendOrderSchema,
  answer: order,
  refuses: ['order_not_found', 'order_ended', 'key_used', 'trading_suspended', 'numbers_used_up', 'disk_low'],
  says: 'Amend an open order',
  sample: { id: samples.orderId, price: 6.6, idempotency_key: 'amend-3' },
})

export const cancelOrderSchema = z
  .strictObject({
    id: orderId.optional(),
    client_order_id: keyField.optional(),
    userid: owner.optional(),
  })
  .refine(({ id, client_order_id: name }) => (id === undefined) !== (name === undefined), {
    path: ['id'],
    message: 'Expected either an id or a client_order_id',
  })

export const cancelOrder = orderMessage(orderRoutes.cancelOrder, {
  verb: 'cancel_order',
  schema: cancelOrderSchema,
  answer: order,
  refuses: ['order_not_found'],
  says: 'Cancel an order by its id or its client_order_id',
  sample: { client_order_id: 'bid-17', userid: 'asha' },
})

export const cancelOrdersSchema = z.strictObject({
  ids: itemsOf({ type: 'string' }).meta({ description: 'Ids of orders to be cancelled' }),
  idempotency_key: batchName,
})

export const cancelOrders = orderMessage(orderRoutes.cancelOrder, {
  verb: 'cancel_orders',
  schema: cancelOrdersSchema,
  list: 'ids',
  answer: orders,
  refuses: ['key_used'],
  says: 'Cancel up to 100 orders',
  sample: { ids: [samples.orderId] },
})

export const cancelAllSchema = z.strictObject({
  userid: owner,
  event_id: z.string().optional().meta({ description: 'An event code; all events if left out' }),
})

export const cancelAll = orderMessage(orderRoutes.cancelOrders, {
  verb: 'cancel_all',
  schema: cancelAllSchema,
  answer: ordersCancelled,
  refuses: ['event_not_found'],
  says: 'Cancel the open orders of a user, in one event or in all',
  sample: { userid: 'asha', event_id: '1000001' },
})

export const replaceQuotes = orderMessage(quoteRoutes.replaceQuotes, {
  verb: 'replace_quotes',
  schema: quotesSchema,
  list: 'quotes',
  answer: quotesReplaced,
  refuses: ['event_not_found', ...GROWTH.filter(reason => reason !== 'key_used')],
  says: 'Replace the quotes of a user in an event',
  sample: quotesSample,
})

export const cancelAfter = orderMessage(timerRoutes.cancelAfter, {
  verb: 'cancel_after',
  schema: cancelAfterSchema,
  answer: timerSet,
  refuses: ['event_not_found', 'disk_low', 'accounts_full', 'user_id_taken'],
  says: 'Cancel the orders of a user unless this is repeated in time',
  sample: { timeout_s: 30, userid: 'asha' },
})

export const previewOrder = orderMessage(previewRoutes.previewOrder, {
  verb: 'preview_order',
  schema: orderSchema,
  answer: orderPreviewed,
  refuses: ['event_not_found', 'trading_suspended', 'open_orders_full', 'numbers_used_up'],
  says: 'Preview an order: what it would do now',
  sample: samples.newOrder,
})

export const ORDER_MESSAGES = [
  ...[placeOrder, placeOrders, amendOrder, cancelOrder, cancelOrders, cancelAll],
  ...[replaceQuotes, cancelAfter, previewOrder],
]
