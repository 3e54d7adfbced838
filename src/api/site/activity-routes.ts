import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import type { Checked, Same } from '../same-shape.js'
import type { Taking } from './activity-shape.js'

const { eventCode, contracts, rupees, moment, side } = answerField

/** The query of `GET /activity`. */
export const activityQuery = z.object({
  event_id: z
    .string()
    .optional()
    .meta({ description: 'Only this event', examples: ['1000001'] }),
})

const taking = z
  .object({
    number: z.int().min(1).meta({ description: '1, 2, 3, … since the exchange started' }),
    event_id: eventCode,
    title: z.string(),
    userid: z.string().nullable().meta({ description: 'Null unless the profile of the user is public' }),
    offer_type: z.enum(['buy', 'sell']),
    outcome: side,
    qty: contracts,
    amount: rupees.meta({ description: 'Paid or received for it in INR, without fees' }),
    ts: moment,
  })
  .meta({ id: 'Taking' })

export type TakingAnswer = Checked<Taking, Same<Taking, z.output<typeof taking>>>

/** The latest trades of people. */
export const activityRoutes = {
  getActivity: route({
    id: 'getActivity',
    method: 'GET',
    path: '/activity',
    needs: 'markets',
    group: 'People',
    summary: 'Get the latest trades and who made them',
    description:
      'The latest 20 orders that filled on arrival, newest first. They are kept in memory: of the ' +
      'last 500 orders since the start. Users without a public profile have no name.',
    query: activityQuery,
    querySample: { event_id: '1000001' },
    answers: [
      {
        code: 200,
        message: DONE.activityFetched,
        additional: z.object({ activity: z.array(taking) }),
        samples: {
          'one order': {
            additional: {
              activity: [
                {
                  ...{ number: 7, event_id: '1000001', title: 'Will it rain in Mumbai on Sunday?' },
                  ...{ userid: 'asha', offer_type: 'buy', outcome: 'yes', qty: 25, amount: 100 },
                  ts: '2026-02-01T09:31:00.000Z',
                },
              ],
            },
          },
        },
      },
    ],
    refusals: { 404: [REFUSED.eventNotFound] },
  }),
}
