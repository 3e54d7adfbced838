import type { EventSchedule } from '../../../../client/shapes.js'
import { translatedReason } from '../../../kit/error-text.js'
import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/admin-templates.js'
import { locale } from '../../../texts/language.js'

const SHORT = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })
const DAY = new Intl.DateTimeFormat(locale, {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
})
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000

/** The weekdays, by their numbers in ISO 8601. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7].map(
  day => [day, SHORT.format(MONDAY + (day - 1) * DAY_MS)] as const,
)

/** Says when a schedule creates events, and how far it has come. */
export function standingText(schedule: EventSchedule): string {
  const { next, created, is_paused } = schedule
  const [first] = next
  const standing = is_paused ? t.paused : first === undefined ? t.over : t.nextAt(dayTimeText(first))
  return `${daysText(schedule)} · ${standing} · ${t.created(created)}`
}

/** Says why the last event was not created; undefined if it was. */
export function troubleText({ trouble }: EventSchedule): string | undefined {
  if (trouble === null) return undefined
  const words = translatedReason(trouble.reason) ?? trouble.message
  return t.trouble(DAY.format(Date.parse(trouble.day)), /[.।]$/.test(words) ? words : `${words}.`)
}

/** Says on which days a schedule creates events. */
function daysText({ repeat, weekdays, month_day }: EventSchedule): string {
  const names = WEEKDAYS.filter(([day]) => weekdays.includes(day)).map(([, name]) => name)
  if (repeat === 'weekly') return t.everyWeekOn(names.join(', '))
  return repeat === 'daily' ? t.repeats.daily : t.everyMonthOn(month_day)
}
