import { daysAfter, momentAt, wallTime } from '../../../api/calendar/zone-time.js'
import type { Market } from '../../../client/client.js'
import { timeZone } from '../../texts/language.js'
import type { EventDraft } from './event-draft.js'
import { draftOf, NO_RATES } from './event-draft.js'

const WEEK_DAYS = 7
const WEEK_MS = WEEK_DAYS * 86_400_000
const DAY_LENGTH = 10

/**
 * Starts a copy of an event a whole number of weeks later, so that it closes in the future. Its times of day
 * stay, also where the clocks of the zone change meanwhile.
 */
export function copyOf(market: Market, nowMs: number, zone = timeZone): EventDraft {
  const later = (moment: string, weeks: number) => {
    const wall = wallTime(Date.parse(moment), zone)
    return daysAfter(wall.slice(0, DAY_LENGTH), weeks * WEEK_DAYS) + wall.slice(DAY_LENGTH)
  }
  const isOver = (weeks: number) => momentAt(later(market.end_date, weeks), zone) <= nowMs
  let weeks = Math.max(1, Math.floor((nowMs - Date.parse(market.end_date)) / WEEK_MS))
  while (isOver(weeks)) weeks++
  return {
    ...draftOf(market),
    start_date: later(market.start_date, weeks),
    end_date: later(market.end_date, weeks),
    // Without fees it has no rates of its own that would keep those of the exchange away.
    ...(market.fee_taker_bp === undefined && NO_RATES),
  }
}
