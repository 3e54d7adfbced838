import type { Occurrence } from '../../api/calendar/recurrence.js'
import { nextOccurrences } from '../../api/calendar/recurrence.js'
import { daysAfter } from '../../api/calendar/zone-time.js'
import type { ScheduleFields } from '../../api/site/schedule-schema.js'
import type { TemplateAnswer } from '../../api/site/template-schema.js'
import { templateAnswer } from '../../api/site/template-schema.js'
import type { EventTemplateRequest } from '../../api/site/template-shape.js'
import type { SavedSchedule } from '../../site/event-schedules.js'
import type { SavedTemplate } from '../../site/event-templates.js'

const NEXT_MAX = 3

interface When {
  readonly now: number
  readonly zone: string
}

/** Formats a template with its schedule. */
export function templateView(
  { id, name, fields }: SavedTemplate,
  saved: SavedSchedule | undefined,
  when: When,
): TemplateAnswer {
  const schedule = saved === undefined ? null : scheduleView(fieldsOf({ fields }), saved, when)
  return templateAnswer.parse({ id, name, ...fields, schedule })
}

/** Returns the fields of a template as they were saved. */
export function fieldsOf({ fields }: Pick<SavedTemplate, 'fields'>): Omit<EventTemplateRequest, 'name'> {
  return fields as unknown as Omit<EventTemplateRequest, 'name'>
}

/** Returns the fields of a schedule as they were saved. */
export function scheduleOfSaved({ fields }: Pick<SavedSchedule, 'fields'>): ScheduleFields {
  return fields as unknown as ScheduleFields
}

/** Returns the next days on which a schedule creates events. */
export function nextOf(
  times: Omit<EventTemplateRequest, 'name'>,
  { through, ...schedule }: ScheduleFields & { readonly through: string | undefined },
  { now, zone }: When,
): Occurrence[] {
  const from = through === undefined ? {} : { from: daysAfter(through, 1) }
  return nextOccurrences(schedule, times, { since: now, ...from, zone, count: NEXT_MAX })
}

function scheduleView(times: Omit<EventTemplateRequest, 'name'>, saved: SavedSchedule, when: When) {
  const { created, through, trouble } = saved
  const schedule = scheduleOfSaved(saved)
  const left = (schedule.ends_after ?? Number.POSITIVE_INFINITY) - created
  const next = schedule.is_paused ? [] : nextOf(times, { ...schedule, through }, when)
  const opening = next.slice(0, Math.max(0, left)).map(({ opensAt }) => new Date(opensAt).toISOString())
  return { ...schedule, created, through: through ?? null, next: opening, trouble: trouble ?? null }
}
