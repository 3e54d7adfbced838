import type { CategoryAnswer } from '../api/events/event-answer.js'
import type { Categories } from '../exchange/markets/categories.js'

/** Returns the categories of all events, those with the most events to trade first. */
export function categoryCounts(categories: Categories): readonly CategoryAnswer[] {
  return Array.from(categories.all(), ({ spelling, trading, events }) => ({
    category: spelling,
    trading,
    events,
  })).sort((a, b) => b.trading - a.trading || b.events - a.events || (a.category < b.category ? -1 : 1))
}
