import { z } from 'zod'
import { wholeParts } from '../../core/units.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import type { Checked, Same } from '../same-shape.js'
import { storedText } from '../validation.js'
import type { UserLimits } from './operator-shape.js'
import { PAISE_PER_RUPEE } from './transfer-schema.js'

const REASON_LENGTH_MAX = 200
const OPEN_ORDERS = `Expected 1 to ${LIMITS.openOrdersMax}, or null`

/** The body of `PATCH /portfolio/:userid/limits`: the fields to change; null removes a bound. */
export const userLimitsSchema = z
  .strictObject({
    suspended: z
      .boolean()
      .optional()
      .meta({ description: 'Refuses new orders and amendments; cancels stay possible' }),
    reason: storedText
      .max(REASON_LENGTH_MAX, `Expected at most ${REASON_LENGTH_MAX} characters`)
      .optional()
      .meta({ description: 'Why trading is suspended; the user can read it' }),
    order_value_max: z
      .number()
      .gt(0, 'Expected more than 0')
      .max(LIMITS.transferMax, `Expected at most ${LIMITS.transferMax}`)
      .refine(
        rupees => wholeParts(rupees, PAISE_PER_RUPEE) !== undefined,
        'Expected whole paise, at most 2 decimals',
      )
      .nullable()
      .optional()
      .meta({ description: 'INR: the most that one order may be worth, if less than in the event' }),
    open_orders_max: z
      .int(OPEN_ORDERS)
      .min(1, OPEN_ORDERS)
      .max(LIMITS.openOrdersMax, OPEN_ORDERS)
      .nullable()
      .optional(),
  })
  .meta({ id: 'NewUserLimits' })

/** The limits that operators have set for the orders of a user. */
export const userLimitsAnswer = z
  .object({
    userid: z.string(),
    suspended: z.boolean().meta({ description: 'True while new orders are refused: 403' }),
    reason: z.string().nullable().meta({ description: 'Why; null while trading is not suspended' }),
    order_value_max: answerField.rupees
      .nullable()
      .meta({ description: 'INR; null where only the bound of the event applies' }),
    open_orders_max: z.int().nullable().meta({ description: 'null where only the bound of all applies' }),
    changed_at: answerField.moment.nullable().meta({ description: 'null while nothing is limited' }),
  })
  .meta({ id: 'UserLimits' })

export type UserLimitsAnswer = Checked<UserLimits, Same<UserLimits, z.output<typeof userLimitsAnswer>>>
