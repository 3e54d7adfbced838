import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { amendHeaders, amendSchema } from './order-amend-schema.js'
import { cancelledAnswer, orderAnswer } from './order-answer.js'
import { batchAnswer } from './order-batch-answer.js'
import { batchSchema } from './order-batch-schema.js'
import { keyField } from './order-key.js'
import { cancelAllQuery, orderListQuery } from './order-query.js'
import { orderSchema } from './order-schema.js'
import { orderInQueue, queueSample } from './preview-answer.js'
import { rangedPage } from '../page-query.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { IGNORED, IGNORED_HEADER } from '../unknown-fields.js'
import { PAGE_FAULTS, RANGE, route } from '../route.js'
import { samples } from '../samples.js'

const { newOrder, order, cancelledOrder } = samples
const [NO_ORDER, NO_EVENT] = [{ 404: [REFUSED.orderNotFound] }, { 404: [REFUSED.eventNotFound] }]
const BUSY = { 503: [FULL.queue_full] }
const ORDER_ID = { description: 'The order id' }
const CANCELLED = /^(?:Order cancelled successfully|Order had ended already)$/

const headers = z.object({
  Prefer: z.string().optional().meta({ description: '`wait`: return the order after matching' }),
  'Idempotency-Key': keyField.optional().meta({ description: 'Same as client_order_id' }),
})

const batchHeaders = z.object({
  'Idempotency-Key': keyField.optional().meta({
    description:
      'Your key for the batch, separate from order keys and kept permanently. Repeating it with the same ' +
      'body returns the existing orders and places the missing ones; a different body returns 409. ' +
      'Without authentication all orders must be of one user',
  }),
})

/** Orders: place, look at, cancel, amend, many at once (specification 4.3, 11). */
export const orderRoutes = {
  placeOrder: route({
    id: 'placeOrder',
    method: 'POST',
    path: '/order/initiate',
    needs: 'trade',
    cost: { kind: 'orders', points: 1 },
    placesOrders: true,
    group: 'Orders',
    summary: 'Place an order',
    description:
      '201: the order is on disk. The result of matching is in the state and reason of the order, and on ' +
      'the event channel. The price is the YES price unless `outcome` is `no`.',
    headers,
    headersSample: { Prefer: 'wait', 'Idempotency-Key': 'a-name-of-your-own' },
    body: {
      schema: orderSchema,
      samples: {
        'a limit order': newOrder,
        'a market order': { ...newOrder, userid: 'ravi', offer_type: 'sell', order_type: 'MO' },
        'optional fields': {
          ...newOrder,
          outcome: 'no',
          time_in_force: 'GTD',
          expires_at: '2035-01-01T00:00:00.000Z',
          post_only: true,
          self_trade_prevention: 'maker',
          client_order_id: 'bid-17',
          valid_until: '2034-01-01T00:00:00.000Z',
        },
      },
    },
    answers: [
      {
        code: 201,
        message: DONE.orderPlaced,
        additional: orderAnswer.optional().meta({ description: 'With `Prefer: wait` only' }),
        samples: { placed: {}, 'with Prefer: wait': { additional: order } },
        headers: {
          'X-Order-Id': ORDER_ID,
          Location: { description: 'The address of the order' },
          'Raay-Reason': { description: 'The reason, if the order was rejected', isOptional: true },
          [IGNORED_HEADER]: IGNORED,
          'Preference-Applied': { description: '`wait`, with `Prefer: wait`', isOptional: true },
        },
      },
    ],
    refusals: {
      ...NO_EVENT,
      ...BUSY,
      403: [FULL.trading_suspended],
      409: [REFUSED.orderKeyUsed, FULL.accounts_full, FULL.open_orders_full, FULL.numbers_used_up],
      422: [
        'l1_expected_price: Order price must be a positive integer',
        'l1_order_quantity: Order quantity must be a positive integer',
        "offer_type: Invalid enum value. Expected 'buy' | 'sell', received 'hold'",
        'postOnly: Unknown field. Did you mean `post_only`?',
        'userid: Required',
        'expires_at: Required',
        'body: Expected object, received array',
      ],
    },
  }),
  getOrder: route({
    id: 'getOrder',
    method: 'GET',
    path: '/order/:id',
    needs: 'read',
    group: 'Orders',
    summary: 'Get an order',
    answers: [
      {
        code: 200,
        message: DONE.orderFetched,
        additional: orderInQueue,
        samples: { 'partly filled': { additional: { ...order, queue: queueSample } } },
      },
    ],
    looksUp: true,
    refusals: NO_ORDER,
  }),
  listOrders: route({
    id: 'listOrders',
    method: 'GET',
    path: '/order',
    needs: 'read',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Orders',
    summary: 'List the orders of a user, newest first',
    description: 'A page may be short or empty and still have a next_cursor.',
    query: z.object({ ...orderListQuery.shape, ...rangedPage.shape }),
    querySample: {
      userid: 'asha',
      event_id: '1000001',
      state: 'partially_filled',
      ...RANGE.sample,
      limit: 100,
      cursor: '1769938260000-1000001-2',
    },
    answers: [
      {
        code: 200,
        message: DONE.ordersFetched,
        additional: z.object({ orders: z.array(orderAnswer), next_cursor: answerField.nextCursor }),
        samples: { 'the last page': { additional: { orders: [order], next_cursor: null } } },
      },
    ],
    refusals: {
      404: [REFUSED.userNotFound, REFUSED.eventNotFound],
      422: [...RANGE.faults, 'userid: Required', ...PAGE_FAULTS],
    },
  }),
  cancelOrder: route({
    id: 'cancelOrder',
    method: 'DELETE',
    path: '/order/:id',
    needs: 'trade',
    cost: { kind: 'cancels', points: 1 },
    group: 'Orders',
    summary: 'Cancel an order',
    description: 'Returns the final state of the order. Idempotent.',
    answers: [
      {
        code: 200,
        message: CANCELLED,
        additional: orderAnswer,
        samples: { cancelled: { message: DONE.orderCancelled, additional: cancelledOrder } },
      },
    ],
    looksUp: true,
    refusals: { ...NO_ORDER, ...BUSY },
  }),
  cancelOrders: route({
    id: 'cancelOrders',
    method: 'DELETE',
    path: '/order',
    needs: 'trade',
    cost: { kind: 'cancels', points: 10 },
    group: 'Orders',
    summary: 'Cancel the orders of a user, in one event or in all',
    query: cancelAllQuery,
    querySample: { userid: 'asha', event_id: '1000001' },
    answers: [
      {
        code: 200,
        message: /^(?:Orders cancelled successfully|\d+ orders? (?:is|are) still open because .+)$/,
        additional: cancelledAnswer,
        samples: {
          cancelled: {
            message: DONE.ordersCancelled,
            additional: { orders: [cancelledOrder], ended: 1, still_open: 0 },
          },
        },
      },
    ],
    refusals: { ...NO_EVENT, ...BUSY, 422: ['userid: Required'] },
  }),
  amendOrder: route({
    id: 'amendOrder',
    method: 'POST',
    path: '/order/:id/amend',
    needs: 'trade',
    cost: { kind: 'orders', points: 1 },
    group: 'Orders',
    summary: 'Amend an open order',
    description:
      'A smaller quantity keeps its place in the queue. Any other change places a replacement with a new ' +
      'id; if the replacement is rejected, the original stays.',
    ...amendHeaders,
    body: {
      schema: amendSchema,
      samples: { 'a smaller quantity': { quantity: 5 }, both: { price: 6.6, quantity: 8 } },
    },
    answers: [
      {
        code: 200,
        message: DONE.orderAmended,
        additional: orderAnswer,
        samples: { amended: { additional: { ...order, quantity: 5, remaining_quantity: 1 } } },
        headers: { 'X-Order-Id': ORDER_ID },
      },
    ],
    looksUp: true,
    refusals: {
      ...NO_ORDER,
      ...BUSY,
      409: [
        'Order is filled: only an open order can be amended',
        'Order is not amended: the price is not a multiple of this market’s price step',
        REFUSED.amendmentKeyUsed,
        FULL.numbers_used_up,
      ],
      422: ['price: Expected a price, a quantity, or both', 'quantity: Expected more than 0'],
    },
  }),
  batchOrders: route({
    id: 'batchOrders',
    method: 'POST',
    path: '/order/batch',
    needs: 'trade',
    cost: { kind: 'cancels', points: 1 },
    group: 'Orders',
    summary: 'Place or cancel orders in a batch',
    description:
      '1 to 100 orders or cancels. Results are in request order, each in the envelope of the single ' +
      'request; a refusal includes its reason.',
    headers: batchHeaders,
    headersSample: { 'Idempotency-Key': 'a-batch-of-your-own' },
    body: {
      schema: batchSchema,
      samples: { orders: { orders: [newOrder] }, cancels: { cancels: [samples.orderId] } },
    },
    answers: [
      {
        code: 200,
        message: /^\d+ of \d+ orders (?:placed|cancelled)$/,
        additional: batchAnswer,
        headers: { [IGNORED_HEADER]: IGNORED },
        samples: {
          placed: {
            message: '1 of 2 orders placed',
            additional: {
              results: [
                { status: true, code: 201, message: DONE.orderPlaced, additional: order },
                {
                  status: false,
                  code: 404,
                  name: 'Resource not found',
                  message: REFUSED.eventNotFound,
                  reason: 'event_not_found',
                },
              ],
            },
          },
          cancelled: {
            message: '1 of 1 orders cancelled',
            additional: {
              results: [
                {
                  status: true,
                  code: 200,
                  message: DONE.orderCancelled,
                  additional: cancelledOrder,
                },
              ],
            },
          },
        },
      },
    ],
    refusals: {
      ...BUSY,
      409: [REFUSED.batchKeyUsed],
      422: [
        `orders: Expected 1 to ${LIMITS.batchLengthMax}, received 0`,
        'cancels: Send cancels and orders in separate requests',
        REFUSED.batchOfSeveral,
      ],
    },
  }),
}
