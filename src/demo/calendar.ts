import type { TimeMs } from '../core/units.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js'

/** India has one clock, five and a half hours ahead of UTC all year. */
const INDIA_MS = 5.5 * HOUR_MS
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day in India, counted from 1 January 1970. */
export interface Day {
  readonly number: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** 0 is January. */
  readonly month: number
  /** `24 Nov 2026` */
  readonly text: string
}

/** Returns the day in India at a moment. */
export function dayOf(at: TimeMs): Day {
  const number = Math.floor((at + INDIA_MS) / DAY_MS)
  const date = new Date(number * DAY_MS)
  const month = date.getUTCMonth()
  const text = `${date.getUTCDate()} ${MONTHS[month]} ${date.getUTCFullYear()}`
  return { number, weekday: (number + FIRST_WEEKDAY) % 7, month, text }
}

/**
 * Returns the first moment after another at which India's clocks show one of the given times, on a day that
 * fits.
 *
 * @param minutes minutes since midnight, ascending; 1440 is the end of the day
 */
export function nextTime(after: TimeMs, minutes: readonly number[], fits: (day: Day) => boolean): TimeMs {
  for (let day = dayOf((after - DAY_MS) as TimeMs); ; day = dayOf((startOf(day) + DAY_MS) as TimeMs)) {
    if (!fits(day)) continue
    for (const minute of minutes) {
      const at = startOf(day) + minute * MINUTE_MS
      if (at > after) return at as TimeMs
    }
  }
}

function startOf({ number }: Day): number {
  return number * DAY_MS - INDIA_MS
}
