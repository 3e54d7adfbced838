import type { Market } from '../../../client/shapes.js'
import type { ChartRange } from './chart-range.js'
import { CHART_RANGES } from './chart-range.js'
import { isTrading } from '../markets/market-filter.js'

/** The stretch of time on a chart’s axis, in ms since 1970. */
export interface ChartWindow {
  readonly from: number
  readonly to: number
}

type Life = Pick<Market, 'status' | 'createdAt' | 'end_date' | 'resolvedAt'>

const ALL_MIN_MS = 10_000
/** The room left of the first trade and, once trading is over, right of its end: a share of the window. */
const LEAD = 0.04
const TRAIL = 0.08

/** Returns when trading ended, or undefined while it has not. */
export function tradingEnd({ status, end_date, resolvedAt }: Life, now: number): number | undefined {
  if (isTrading({ status })) return undefined
  return Math.min(Date.parse(end_date), resolvedAt === null ? now : Date.parse(resolvedAt), now)
}

/**
 * Returns what a range shows: a fixed span that ends now, or shortly after the end of trading. `ALL` begins
 * with the first trade and spans at least ten seconds.
 *
 * @param firstTrade in ms since 1970; undefined without trades
 */
export function windowOf(
  range: ChartRange,
  market: Life,
  firstTrade: number | undefined,
  now: number,
): ChartWindow {
  const end = tradingEnd(market, now)
  const last = end ?? now
  const all = Math.max(ALL_MIN_MS, last - (firstTrade ?? Date.parse(market.createdAt)))
  const span = range === 'ALL' ? all * (1 + LEAD) : CHART_RANGES[range]
  const to = end === undefined ? now : end + span * TRAIL
  return { from: last - span, to }
}

/** Chooses the range that shows a market’s course best: the last day of a long one, else all of it. */
export function firstRange(market: Life, now: number): ChartRange {
  const isLong = now - Date.parse(market.createdAt) > 2 * CHART_RANGES['1D']
  return isLong && tradingEnd(market, now) === undefined ? '1D' : 'ALL'
}
