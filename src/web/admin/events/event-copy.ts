import type { Market } from '../../../client/client.js'
import type { EventDraft } from './event-draft.js'
import { draftOf } from './event-draft.js'
import { writtenMoment } from './moment-input.js'

const WEEK_MS = 7 * 86_400_000

/** Starts a copy of an event a whole number of weeks later, so that it closes in the future. */
export function copyOf(market: Market, nowMs: number): EventDraft {
  const [start, end] = [Date.parse(market.start_date), Date.parse(market.end_date)]
  const weeks = Math.max(1, Math.floor((nowMs - end) / WEEK_MS) + 1)
  return {
    ...draftOf(market),
    start_date: writtenMoment(start + weeks * WEEK_MS),
    end_date: writtenMoment(end + weeks * WEEK_MS),
  }
}
