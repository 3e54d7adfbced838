import { DONE } from '../answer-texts.js'
import { orderAnswer } from './order-answer.js'
import { namedOrderQuery } from './order-query.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import { samples } from '../samples.js'

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
  looksUp: true,
} as const

/** Orders by their client_order_id (specification 11). */
export const namedOrderRoutes = {
  getNamedOrder: route({
    ...common,
    id: 'getNamedOrder',
    method: 'GET',
    needs: 'read',
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
  }),
  cancelNamedOrder: route({
    ...common,
    id: 'cancelNamedOrder',
    method: 'DELETE',
    needs: 'trade',
    cost: { kind: 'cancels', points: 1 },
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
  }),
}
