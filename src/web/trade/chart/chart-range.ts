const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const INTERVALS = [
  ['1m', MINUTE],
  ['5m', 5 * MINUTE],
  ['15m', 15 * MINUTE],
  ['1h', HOUR],
  ['1d', DAY],
] as const

/** The most points that a screen can show. */
const POINTS_MAX = 720
/** The exchange returns at most 1,000 candles per request. */
const CANDLES_MAX = 998

/** The ranges of a chart, in ms. */
export const CHART_RANGES = { '1H': HOUR, '6H': 6 * HOUR, '1D': DAY, '1W': 7 * DAY, '1M': 30 * DAY } as const
export type ChartRange = keyof typeof CHART_RANGES | 'ALL'

/** The query for a chart’s candles. */
export interface CandleQuery {
  readonly interval: (typeof INTERVALS)[number][0]
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

/**
 * Chooses the finest candles that cover a whole range.
 *
 * @param now or when trading ended, in ms since 1970, and so is `beganAt`, when the market was created
 */
export function candlesFor(range: ChartRange, now: number, beganAt: number): CandleQuery {
  const span = range === 'ALL' ? Math.max(HOUR, now - beganAt) : CHART_RANGES[range]
  const fitting = INTERVALS.find(([, intervalMs]) => span / intervalMs <= POINTS_MAX) ?? ['1d', DAY]
  const [interval, intervalMs] = fitting
  const to = Math.ceil(now / intervalMs) * intervalMs
  const earliest = Math.floor((now - span) / intervalMs) * intervalMs
  const from = Math.max(0, earliest, to - CANDLES_MAX * intervalMs)
  return { interval, from: new Date(from).toISOString(), to: new Date(to + intervalMs).toISOString() }
}

/** Returns the length of a query’s candles, in ms. */
export function intervalMsOf({ interval }: CandleQuery): number {
  return INTERVALS.find(([name]) => name === interval)?.[1] ?? DAY
}
