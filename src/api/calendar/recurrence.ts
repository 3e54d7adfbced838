import type { Day } from './zone-time.js'
import { dayAt, daysAfter, momentAt } from './zone-time.js'

/** The days on which something recurs. */
export interface Recurrence {
  readonly repeat: 'daily' | 'weekly' | 'monthly'
  /** ISO 8601 weekdays, 1 for Monday to 7 for Sunday; for `weekly`. */
  readonly weekdays: readonly number[]
  /** 1 to 31, the last day in shorter months; for `monthly`. */
  readonly month_day: number
  /** The last day on which it may recur; null for no end. */
  readonly ends_on: Day | null
}

/** The times of day of what recurs. */
export interface DayTimes {
  /** Such as `09:00`. */
  readonly opens_at: string
  readonly closes_at: string
  /** From the day of opening to that of closing. */
  readonly days: number
}

/** One occurrence, known by the day on which it opens. */
export interface Occurrence {
  readonly day: Day
  readonly opensAt: number
  readonly closesAt: number
}

/** No two days of any recurrence are further apart. */
const GAP_DAYS_MAX = 31

/** Returns the next day on which something recurs, from the given one on; undefined after its end. */
export function nextDay(recurrence: Recurrence, from: Day): Day | undefined {
  let day = from
  for (let tries = 0; tries <= GAP_DAYS_MAX; tries++) {
    if (recurrence.ends_on !== null && day > recurrence.ends_on) return undefined
    if (recursOn(recurrence, day)) return day
    day = daysAfter(day, 1)
  }
  return undefined
}

/** Returns the occurrence that opens on a day of the zone. */
export function occurrenceOn(day: Day, { opens_at, closes_at, days }: DayTimes, zone: string): Occurrence {
  const opensAt = momentAt(`${day}T${opens_at}`, zone)
  return { day, opensAt, closesAt: momentAt(`${daysAfter(day, days)}T${closes_at}`, zone) }
}

/** Returns the next occurrences that open at a moment or later, from a day on. */
export function nextOccurrences(
  recurrence: Recurrence,
  times: DayTimes,
  { since, from, zone, count }: { since: number; from?: Day; zone: string; count: number },
): Occurrence[] {
  const found: Occurrence[] = []
  const today = dayAt(since, zone)
  let day = nextDay(recurrence, from !== undefined && from > today ? from : today)
  while (day !== undefined && found.length < count) {
    const occurrence = occurrenceOn(day, times, zone)
    if (occurrence.opensAt >= since) found.push(occurrence)
    day = nextDay(recurrence, daysAfter(day, 1))
  }
  return found
}

function recursOn({ repeat, weekdays, month_day }: Recurrence, day: Day): boolean {
  switch (repeat) {
    case 'daily':
      return true
    case 'weekly':
      return weekdays.includes(new Date(`${day}T00:00Z`).getUTCDay() || 7)
    case 'monthly': {
      const date = Number(day.slice(8))
      return date === month_day || (date < month_day && daysAfter(day, 1).endsWith('-01'))
    }
  }
}
