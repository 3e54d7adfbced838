import { DONE } from '../answer-texts.js'
import { adminAnswers } from './admin-answer.js'
import { healthHistoryQuery } from './health-query.js'
import { REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'

const curve = {
  ...{ step_seconds: 300, times: [1_769_947_200_000], orders_per_second: [9.5], latency_p99: [28.7] },
  ...{ queue: [3], event_loop_delay: [4.2], connections: [5] },
  ...{ memory_bytes: [142_606_336], disk_free_bytes: [84_825_604_096] },
}

/** Routes of health over time, and of the part that an exchange has. */
export const healthRoutes = {
  getHealthHistory: route({
    id: 'getHealthHistory',
    method: 'GET',
    path: '/admin/health/history',
    needs: 'operator:read',
    isOfProcess: true,
    group: 'Operator',
    summary: 'Get the health of the exchange over the last hour or day',
    description: 'At most 360 points, kept in memory since the start of the process.',
    query: healthHistoryQuery,
    querySample: { range: 'day' },
    answers: [
      {
        code: 200,
        message: DONE.healthFetched,
        additional: adminAnswers.curve,
        samples: { 'one point': { additional: curve } },
      },
    ],
    refusals: { 422: ["range: Invalid enum value. Expected 'hour' | 'day', received 'week'"] },
  }),
  promote: route({
    id: 'promote',
    method: 'POST',
    path: '/admin/promote',
    needs: 'operator:operate',
    isOfProcess: true,
    group: 'Operator',
    summary: 'Make a standby lead',
    description:
      'Answers once it leads, within 30 seconds; one that leads already answers at once. No body needed.',
    answers: [
      {
        code: 200,
        message: DONE.promoted,
        additional: adminAnswers.promoted,
        samples: { leads: { additional: { sequence: 480 } } },
      },
    ],
    refusals: { 409: [REFUSED.notPromoted] },
  }),
}
