import { z } from 'zod'
import { hiddenCharacter, plainName } from '../../core/plain-name.js'
import { eventSchema } from '../events/event-schema.js'
import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'
import type { Checked, Same } from '../same-shape.js'
import { storedText } from '../validation.js'
import { scheduleAnswer } from './schedule-schema.js'
import type { EventTemplate, EventTemplates } from './template-shape.js'

const { templateNameLengthMax, templateDaysMax } = LIMITS
const NAME_LENGTH = `Expected 1 to ${templateNameLengthMax} characters`
const DAYS = `Expected whole days from 0 to ${templateDaysMax}`

const { title, description, sot, min_bet, max_bet, quantity, payout, tick_size, category, source_url } =
  eventSchema.shape

const timeOfDay = storedText.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day such as 09:00')

/** The body of `PUT /admin/templates`. */
export const templateSchema = z
  .strictObject({
    name: storedText
      .transform(plainName)
      .refine(name => name.length >= 1 && name.length <= templateNameLengthMax, NAME_LENGTH)
      .superRefine((name, { addIssue }) => {
        const hidden = hiddenCharacter(name)
        if (hidden !== undefined) addIssue(`Expected no ${hidden}, which cannot be seen`)
      })
      .meta({ description: 'A template of this name is replaced' }),
    title: title.meta({ description: '`{date}` and `{weekday}` stand for the day of closing' }),
    description: description.meta({ description: 'Rules; with the same placeholders as the title' }),
    ...{ sot, min_bet, max_bet, quantity, payout, tick_size, category, source_url },
    opens_at: timeOfDay.meta({ description: 'Time of day in the time zone of the exchange' }),
    closes_at: timeOfDay.meta({ description: 'Time of day in the time zone of the exchange' }),
    days: z
      .number()
      .int(DAYS)
      .min(0, DAYS)
      .max(templateDaysMax, DAYS)
      .meta({ description: 'From the day of opening to that of closing' }),
  })
  .refine(({ days, opens_at, closes_at }) => days > 0 || closes_at > opens_at, {
    path: ['closes_at'],
    message: REFUSED.closesBeforeOpening,
  })
  .refine(body => body.max_bet >= body.min_bet, { path: ['max_bet'], message: REFUSED.maxBelowMin })
  .meta({ id: 'NewEventTemplate' })

const text = z.string()
const number = z.number()

export const templateAnswer = z
  .object({
    ...{ id: z.int().min(1), name: text, title: text, description: text, sot: text },
    ...{ min_bet: number, max_bet: number, quantity: number, payout: number, tick_size: number },
    ...{ category: text, source_url: text, opens_at: text, closes_at: text, days: z.int() },
    schedule: scheduleAnswer.nullable().meta({ description: 'When the exchange creates events from it' }),
  })
  .meta({ id: 'EventTemplate' })

export const templatesAnswer = z.object({ templates: z.array(templateAnswer) }).meta({ id: 'EventTemplates' })

export type TemplateAnswer = Checked<EventTemplate, Same<EventTemplate, z.output<typeof templateAnswer>>>
export type TemplatesAnswer = Checked<EventTemplates, Same<EventTemplates, z.output<typeof templatesAnswer>>>
