import { z } from 'zod'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { rangeQuery } from '../page-query.js'
import type { Checked, Same } from '../same-shape.js'
import { wholeNumber } from '../whole-number.js'
import type { Performance } from './performance-shape.js'

const { rupees, moment } = answerField
const POINTS_DEFAULT = 100

/** Selects the range of a performance, and its detail. */
export const performanceQuery = z.object({
  from: rangeQuery.shape.from.meta({ description: 'The beginning; the first statement line by default' }),
  to: rangeQuery.shape.to.meta({ description: 'The end; now by default' }),
  points: wholeNumber(2, LIMITS.performancePointsMax)
    .default(POINTS_DEFAULT)
    .meta({ description: 'Points in the answer, at most', default: POINTS_DEFAULT }),
})

/** How a user's portfolio did in a range of time. */
export const performanceAnswer = z
  .object({
    from: moment,
    to: moment,
    complete: z.boolean().meta({ description: 'False if the range begins later than requested' }),
    lines: z.int().min(0).meta({ description: 'Number of statement lines in the range' }),
    totals: z
      .object({
        opening: rupees,
        deposit: rupees,
        withdrawal: rupees,
        trade: rupees,
        merge: rupees,
        conversion: rupees,
        settlement: rupees,
        void: rupees,
        shortfall: rupees,
        brought_forward: rupees,
      })
      .meta({ description: 'Changes of the cash in the range, by the type of their statement lines' }),
    points: z
      .array(
        z.object({
          ts: moment,
          cash: rupees.meta({ description: 'Cash right before this moment' }),
          positions_value: rupees.meta({ description: 'Contracts at the last price before this moment' }),
          paid_in: rupees.meta({
            description: 'Deposits since the first point, less withdrawals; neither profit nor loss',
          }),
        }),
      )
      .meta({ description: 'Oldest first, at equal distances; none for a user of more than 5,000 events' }),
  })
  .meta({ id: 'Performance' })

export type PerformanceAnswer = Checked<Performance, Same<Performance, z.output<typeof performanceAnswer>>>
