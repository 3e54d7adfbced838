import type { CategoryAnswer } from '../api/events/event-answer.js'
import { keepsOrders } from '../core/market.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'

/** Returns the categories of all events, those with the most events to trade first. */
export function categoryCounts(markets: Iterable<DeskMarket>): readonly CategoryAnswer[] {
  const counts = new Map<string, { trading: number; events: number }>()
  for (const { listing, progress } of markets) {
    if (listing.category === undefined) continue
    const count = counts.get(listing.category) ?? { trading: 0, events: 0 }
    counts.set(listing.category, count)
    count.events++
    if (keepsOrders(progress.status)) count.trading++
  }
  return Array.from(counts, ([category, count]) => ({ category, ...count })).sort(
    (a, b) => b.trading - a.trading || b.events - a.events || (a.category < b.category ? -1 : 1),
  )
}
