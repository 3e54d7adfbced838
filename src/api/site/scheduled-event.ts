import type { NewMarket } from '../../core/market.js'
import { withDay } from '../calendar/day-placeholders.js'
import type { Occurrence } from '../calendar/recurrence.js'
import { eventSchema, toMarketRequest } from '../events/event-schema.js'
import { validate } from '../validation.js'
import type { EventTemplateRequest } from './template-shape.js'

/** Languages of dates, as the pages write them. */
const LOCALES = { en: 'en-IN', hi: 'hi-IN' }

interface Written {
  readonly zone: string
  readonly language: keyof typeof LOCALES
}

/** Returns the event of an occurrence. Throws 422 if its dates or filled-in texts make none. */
export function scheduledEvent(
  template: Omit<EventTemplateRequest, 'name'>,
  { opensAt, closesAt }: Occurrence,
  { zone, language }: Written,
): NewMarket {
  const { opens_at, closes_at, days, ...fields } = template
  const fill = (text: string) => withDay(text, closesAt, LOCALES[language], zone)
  return toMarketRequest(
    validate(eventSchema, {
      ...fields,
      title: fill(fields.title),
      description: fill(fields.description),
      start_date: new Date(opensAt).toISOString(),
      end_date: new Date(closesAt).toISOString(),
    }),
  )
}
