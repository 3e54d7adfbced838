import type { ListedMarket } from '../../../client/shapes.js'

/** The figures of a market from which its change in a day follows. */
export type DayFigures = Pick<ListedMarket, 'change_24h' | 'last_price' | 'payout'>

/**
 * Returns how much the chance has changed in 24 hours, in whole percentage points; undefined before the first
 * trade.
 *
 * @param last the latest price, which may be newer than the market's figures
 */
export function changePoints(
  { change_24h, last_price, payout }: DayFigures,
  last: number | null,
): number | undefined {
  if (change_24h === null || last_price === null || last === null) return undefined
  return Math.round(((last - (last_price - change_24h)) / payout) * 100)
}
