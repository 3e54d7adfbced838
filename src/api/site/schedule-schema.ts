import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'

const { scheduleHoursBeforeMax, scheduleEventsMax } = LIMITS
const WEEKDAY = 'Expected weekdays from 1 (Monday) to 7 (Sunday)'
const MONTH_DAY = 'Expected a day of the month, 1 to 31'
const HOURS = `Expected whole hours from 0 to ${scheduleHoursBeforeMax}`
const COUNT = `Expected 1 to ${scheduleEventsMax} events`
const DAY = 'Expected a day such as 2026-12-31'

const fields = z.strictObject({
  repeat: z.enum(['daily', 'weekly', 'monthly']),
  weekdays: z
    .array(z.number().int(WEEKDAY).min(1, WEEKDAY).max(7, WEEKDAY))
    .max(7, WEEKDAY)
    .transform(days => [...new Set(days)].sort())
    .default([])
    .meta({ description: 'Weekdays of opening, 1 for Monday to 7 for Sunday; for `weekly`' }),
  month_day: z
    .number()
    .int(MONTH_DAY)
    .min(1, MONTH_DAY)
    .max(31, MONTH_DAY)
    .default(1)
    .meta({ description: 'Day of opening, the last day in shorter months; for `monthly`' }),
  hours_before: z
    .number()
    .int(HOURS)
    .min(0, HOURS)
    .max(scheduleHoursBeforeMax, HOURS)
    .default(24)
    .meta({ description: 'Hours before its opening at which an event is created' }),
  ends_on: z.iso
    .date({ error: issue => (typeof issue.input === 'string' ? DAY : undefined) })
    .nullable()
    .default(null)
    .meta({ description: 'The last day of opening; null for no end' }),
  ends_after: z
    .number()
    .int(COUNT)
    .min(1, COUNT)
    .max(scheduleEventsMax, COUNT)
    .nullable()
    .default(null)
    .meta({
      description: 'The number of events after which it ends, those created so far included; null for no end',
    }),
  language: z
    .enum(['en', 'hi'])
    .default('en')
    .meta({ description: 'The language of `{date}` and `{weekday}`' }),
  is_paused: z.boolean().default(false),
})

/** The body of `PUT /admin/templates/:number/schedule`. */
export const scheduleSchema = fields
  .refine(({ repeat, weekdays }) => repeat !== 'weekly' || weekdays.length > 0, {
    path: ['weekdays'],
    message: REFUSED.weekdaysMissing,
  })
  .meta({ id: 'NewEventSchedule' })

/** The fields of a schedule, as they are kept. */
export type ScheduleFields = z.output<typeof fields>

export const scheduleAnswer = z
  .object({
    repeat: z.enum(['daily', 'weekly', 'monthly']),
    ...{ weekdays: z.array(z.int()), month_day: z.int(), hours_before: z.int() },
    ...{ ends_on: z.string().nullable(), ends_after: z.int().nullable() },
    ...{ language: z.enum(['en', 'hi']), is_paused: z.boolean() },
    created: z.int().meta({ description: 'How many events it has created' }),
    through: z
      .string()
      .nullable()
      .meta({ description: 'The last day of opening that is done with; null before the first' }),
    next: z
      .array(z.iso.datetime())
      .meta({ description: 'When the next events open, three at most; none if it is paused or over' }),
    trouble: z
      .object({ day: z.string(), message: z.string(), reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'Why the event of a day has not been created; null if the last one was' }),
  })
  .meta({ id: 'EventSchedule' })
