import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import { samples } from '../samples.js'
import { userIdText } from '../user-id.js'
import { orderSchema } from './order-schema.js'
import { previewAnswer, previewSample, queueAnswer, queueSample } from './preview-answer.js'

/** The query of `GET /order/queue`. */
export const queueQuery = z.object({
  userid: userIdText,
  event_id: z.string().meta({ description: 'The event code' }),
})

/** Previews of orders, and the places of open orders in the book. */
export const previewRoutes = {
  previewOrder: route({
    id: 'previewOrder',
    method: 'POST',
    path: '/order/preview',
    needs: 'trade',
    cost: { kind: 'reads', points: 5 },
    group: 'Orders',
    summary: 'Preview an order: what it would do now',
    description:
      'Takes the body of an order. Places nothing and holds no money; the book may change meanwhile.',
    body: { schema: orderSchema, samples: { 'a limit order': samples.newOrder } },
    answers: [
      {
        code: 200,
        message: DONE.orderPreviewed,
        additional: previewAnswer,
        samples: {
          'partly filled': {
            additional: previewSample,
          },
        },
      },
    ],
    looksUp: true,
    refusals: {
      403: [FULL.trading_suspended],
      404: [REFUSED.eventNotFound],
      409: [FULL.open_orders_full, FULL.numbers_used_up],
      422: ['userid: Required', 'l1_expected_price: Order price must be a positive integer'],
    },
  }),
  getQueue: route({
    id: 'getQueue',
    method: 'GET',
    path: '/order/queue',
    needs: 'read',
    cost: { kind: 'reads', points: 5 },
    group: 'Orders',
    summary: 'Get what is ahead of a user’s open orders in an event',
    query: queueQuery,
    querySample: { userid: 'asha', event_id: '1000001' },
    answers: [
      {
        code: 200,
        message: DONE.queueFetched,
        additional: queueAnswer,
        samples: {
          'an order': {
            additional: { orders: [{ id: samples.orderId, ...queueSample }] },
          },
        },
      },
    ],
    looksUp: true,
    refusals: { 404: [REFUSED.eventNotFound], 422: ['userid: Required', 'event_id: Required'] },
  }),
}
