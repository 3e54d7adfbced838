import { LIMITS } from '../../../../api/limits.js'
import type { Occurrence } from '../../../../api/calendar/recurrence.js'
import { nextOccurrences } from '../../../../api/calendar/recurrence.js'
import { daysAfter } from '../../../../api/calendar/zone-time.js'
import type { EventSchedule, EventScheduleRequest, EventTemplate } from '../../../../client/shapes.js'
import type { FieldFault } from '../../../forms/field-faults.js'
import { t } from '../../../texts/admin-templates.js'
import { isHindi, timeZone } from '../../../texts/language.js'
import { numberIn } from '../../number-input.js'

const SHOWN_MAX = 3

const DAY = /^\d{4}-\d\d-\d\d$/

/** The form of a schedule as typed. */
export interface ScheduleDraft {
  readonly repeat: EventSchedule['repeat']
  readonly weekdays: readonly number[]
  readonly month_day: string
  readonly hours_before: string
  readonly end: 'never' | 'on' | 'after'
  readonly ends_on: string
  readonly ends_after: string
}

/** Puts a schedule into the form, or proposes one: every day, created a day ahead. */
export function scheduleDraft(schedule: EventSchedule | null): ScheduleDraft {
  const { ends_on = null, ends_after = null } = schedule ?? {}
  return {
    repeat: schedule?.repeat ?? 'daily',
    weekdays: schedule?.weekdays ?? [],
    month_day: String(schedule?.month_day ?? 1),
    hours_before: String(schedule?.hours_before ?? 24),
    end: ends_on !== null ? 'on' : ends_after !== null ? 'after' : 'never',
    ends_on: ends_on ?? '',
    ends_after: ends_after === null ? '' : String(ends_after),
  }
}

/** Reads the form; returns the first field that cannot be read instead. */
export function scheduleIn(draft: ScheduleDraft): Required<EventScheduleRequest> | FieldFault {
  const { repeat, weekdays, end } = draft
  const month_day = wholeIn(draft.month_day, 1, 31)
  const hours_before = wholeIn(draft.hours_before, 0, LIMITS.scheduleHoursBeforeMax)
  const ends_after = wholeIn(draft.ends_after, 1, LIMITS.scheduleEventsMax)
  if (repeat === 'weekly' && weekdays.length === 0) return { field: undefined, words: t.weekdaysWanted }
  if (repeat === 'monthly' && month_day === undefined) return { field: 'month_day', words: t.monthDayWanted }
  if (hours_before === undefined) return { field: 'hours_before', words: t.hoursWanted }
  if (end === 'on' && !DAY.test(draft.ends_on)) return { field: 'ends_on', words: t.lastDayWanted }
  if (end === 'after' && ends_after === undefined) return { field: 'ends_after', words: t.countWanted }
  return {
    ...{ repeat, weekdays: [...weekdays].sort(), month_day: month_day ?? 1, hours_before },
    ends_on: end === 'on' ? draft.ends_on : null,
    ends_after: end === 'after' ? (ends_after ?? null) : null,
    language: isHindi ? 'hi' : 'en',
    is_paused: false,
  }
}

/** Returns the next occurrences of a template under a schedule, as the exchange counts them. */
export function upcoming(
  schedule: Required<EventScheduleRequest>,
  template: EventTemplate,
  now: number,
): Occurrence[] {
  const { created = 0, through = null } = template.schedule ?? {}
  const left = (schedule.ends_after ?? Number.POSITIVE_INFINITY) - created
  const count = Math.max(0, Math.min(SHOWN_MAX, left))
  const from = through === null ? {} : { from: daysAfter(through, 1) }
  return nextOccurrences(schedule, template, { since: now, ...from, zone: timeZone, count })
}

function wholeIn(text: string, min: number, max: number): number | undefined {
  const value = numberIn(text)
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
