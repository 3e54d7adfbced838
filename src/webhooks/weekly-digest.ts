import { dayAt, daysAfter, momentAt } from '../api/calendar/zone-time.js'

const MONDAY = 1
const WEEK_DAYS = 7
const TIME = '09:00'

/** The week of an exchange in a few figures. */
export interface Digest {
  /** Events that are open, and those created in the last seven days. */
  readonly open: number
  readonly created: number
  /** The open events with the most contracts traded. */
  readonly top: readonly DigestLine[]
}

interface DigestLine {
  readonly code: number
  readonly title: string
  /** The chance of YES; null without prices. */
  readonly chance: number | null
}

/** Returns the last Monday, 9 o'clock, in a time zone. */
export function lastDigestDue(at: number, zone: string): number {
  const day = dayAt(at, zone)
  const sinceMonday = (new Date(`${day}T00:00Z`).getUTCDay() - MONDAY + WEEK_DAYS) % WEEK_DAYS
  const monday = daysAfter(day, -sinceMonday)
  const due = momentAt(`${monday}T${TIME}`, zone)
  return due <= at ? due : momentAt(`${daysAfter(monday, -WEEK_DAYS)}T${TIME}`, zone)
}
