import { DONE } from '../../api/answer-texts.js'
import { orderAnswer } from '../../api/orders/order-answer.js'
import { namedOrderQuery } from '../../api/orders/order-query.js'
import { FULL, REFUSED } from '../../api/refusal-texts.js'
import type { Operation } from './operation.js'
import { samples } from './samples.js'

const LAST_OF_NAME =
  'The order placed with this client_order_id, or the one that replaced it after an amendment. A refused ' +
  'replacement leaves the name with the order in force.'
const refusals = { 404: [REFUSED.orderNotFound], 422: ['userid: Required'] }
const common = {
  path: '/order/by-client-id/:key',
  group: 'Orders',
  description: LAST_OF_NAME,
  query: namedOrderQuery,
  querySample: { userid: 'asha' },
  readsHistory: true,
} as const

/** Orders by their client_order_id (specification 11). */
export const namedOrderOperations: readonly Operation[] = [
  {
    ...common,
    id: 'getNamedOrder',
    method: 'get',
    summary: 'Get an order by its client_order_id',
    answers: [
      {
        code: 200,
        message: DONE.orderFetched,
        additional: orderAnswer,
        samples: { 'an order': { additional: samples.order } },
      },
    ],
    refusals,
  },
  {
    ...common,
    id: 'cancelNamedOrder',
    method: 'delete',
    summary: 'Cancel an order by its client_order_id',
    answers: [
      {
        code: 200,
        message: /^(?:Order cancelled successfully|Order had ended already)$/,
        additional: orderAnswer,
        samples: {
          cancelled: { message: DONE.orderCancelled, additional: samples.cancelledOrder },
        },
      },
    ],
    refusals: { ...refusals, 503: [FULL.queue_full] },
  },
]
