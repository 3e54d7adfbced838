import { momentAt, wallTime } from '../../../api/calendar/zone-time.js'
import { timeZone } from '../../texts/language.js'

/** Reads a date-time field, in the time zone of the instance, as ISO 8601 in UTC. */
export function momentIn(text: string): string | undefined {
  const [, wall = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  const moment = momentAt(wall, timeZone)
  return Number.isNaN(moment) || !isCalendarDay(wall.slice(0, 10))
    ? undefined
    : new Date(moment).toISOString()
}

/** True unless the calendar lacks the day, such as 31 November, which `Date` would take for another. */
export function isCalendarDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Formats a time for a date-time field, in the time zone of the instance, to the minute. */
export function writtenMoment(ms: number): string {
  return wallTime(ms, timeZone)
}
