import { priceBounds } from '../../../core/price-cap.js'
import { ticks } from '../../../core/units.js'
import type { TicketTerms } from './ticket-draft.js'

/** Returns the lowest and the highest price that the exchange accepts, in ticks of ₹0.01. */
export function priceRange({ payoutTicks, tickTicks }: TicketTerms): readonly [number, number] {
  return priceBounds({ payout: ticks(payoutTicks), tickSize: ticks(tickTicks) })
}

/** Returns the valid prices next to one that is not: one below and one above it, or the end of the range. */
export function nearestPrices(typedTicks: number, terms: TicketTerms): readonly number[] {
  const [lowest, highest] = priceRange(terms)
  if (lowest > highest) return []
  const clamp = (ticks: number) => Math.min(highest, Math.max(lowest, ticks))
  const below = Math.floor(typedTicks / terms.tickTicks) * terms.tickTicks
  return [...new Set([clamp(below), clamp(below + terms.tickTicks)])]
}
