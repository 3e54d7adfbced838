import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { DayOfFees } from './operator-shape.js'

/** The fees of one event on one day. */
const dayOfFees = z
  .object({
    date: z.string().meta({ description: 'The day in UTC, such as 2026-11-24' }),
    event_id: answerField.eventCode,
    fees: answerField.rupees.meta({ description: 'INR charged; refunded if the event is voided' }),
  })
  .meta({ id: 'DayOfFees' })

/** A page of fees, and the fees of all settled events. */
export const feesAnswer = z.object({
  days: z.array(dayOfFees),
  collected: answerField.rupees.meta({ description: 'INR on the account of fees: of all settled events' }),
  next_cursor: answerField.nextCursor,
})

export type DayOfFeesAnswer = Checked<DayOfFees, Same<DayOfFees, z.output<typeof dayOfFees>>>
