import { momentAt, wallTime } from '../../../api/calendar/zone-time.js'
import { timeZone } from '../../texts/language.js'

/** Reads a date-time field, in the time zone of the instance, as ISO 8601 in UTC. */
export function momentIn(text: string): string | undefined {
  const [, wall = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  const moment = momentAt(wall, timeZone)
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString()
}

/** Formats a time for a date-time field, in the time zone of the instance, to the minute. */
export function writtenMoment(ms: number): string {
  return wallTime(ms, timeZone)
}
