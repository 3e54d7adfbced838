import { DONE } from '../answer-texts.js'
import { userLimitsAnswer, userLimitsSchema } from './user-limits-schema.js'
import { REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import { samples } from '../samples.js'

const limits = {
  ...{ userid: 'asha', suspended: true, reason: 'Identity check pending' },
  ...{ order_value_max: 500, open_orders_max: 20, changed_at: samples.at },
}

/** Routes of the limits of single users. */
export const userLimitRoutes = {
  getUserLimits: route({
    id: 'getUserLimits',
    method: 'GET',
    path: '/portfolio/:userid/limits',
    needs: 'read',
    group: 'Portfolio',
    summary: 'Get what operators have set for the orders of a user',
    answers: [
      {
        code: 200,
        message: DONE.userLimitsFetched,
        additional: userLimitsAnswer,
        samples: { suspended: { additional: limits } },
      },
    ],
    refusals: { 404: [REFUSED.userNotFound] },
  }),
  setUserLimits: route({
    id: 'setUserLimits',
    method: 'PATCH',
    path: '/portfolio/:userid/limits',
    needs: 'operator:operate',
    revokes: true,
    group: 'Operator',
    summary: 'Suspend or resume the trading of a user, and limit their orders',
    description:
      'Changes the given fields; null removes a bound. While trading is suspended, new orders and ' +
      'amendments that do more than reduce are refused with 403 `trading_suspended`; cancels, deposits ' +
      'and settlements are not. 200: it is on disk, and holds for the next order. Idempotent; each change ' +
      'is in the audit log.',
    body: {
      schema: userLimitsSchema,
      samples: {
        suspend: { suspended: true, reason: 'Identity check pending' },
        limit: { order_value_max: 500, open_orders_max: null },
      },
    },
    answers: [
      {
        code: 200,
        message: DONE.userLimitsChanged,
        additional: userLimitsAnswer,
        samples: { suspended: { additional: limits } },
      },
    ],
    refusals: {
      404: [REFUSED.userNotFound],
      422: ['order_value_max: Expected more than 0', 'open_orders_max: Expected 1 to 2000, or null'],
    },
  }),
}
