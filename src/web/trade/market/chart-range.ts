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

/** More points than this do not fit on a screen. */
const POINTS_MAX = 720
/** One answer of the exchange has 1,000 at most. */
const CANDLES_MAX = 998

/** How far back a chart looks. */
export const CHART_RANGES = { '1H': HOUR, '6H': 6 * HOUR, '1D': DAY, '1W': 7 * DAY, '1M': 30 * DAY } as const
export type ChartRange = keyof typeof CHART_RANGES | 'ALL'

/** What to ask the exchange for. */
export interface CandleWish {
  readonly interval: (typeof INTERVALS)[number][0]
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

/**
 * The finest candles that show a range whole.
 *
 * @param now in ms since 1970, and so is `beganAt`, when the market opened or was created
 */
export function candlesFor(range: ChartRange, now: number, beganAt: number): CandleWish {
  const span = range === 'ALL' ? Math.max(HOUR, now - beganAt) : CHART_RANGES[range]
  const fitting = INTERVALS.find(([, intervalMs]) => span / intervalMs <= POINTS_MAX) ?? ['1d', DAY]
  const [interval, intervalMs] = fitting
  const to = Math.ceil(now / intervalMs) * intervalMs
  const earliest = Math.floor((now - span) / intervalMs) * intervalMs
  const from = Math.max(0, earliest, to - CANDLES_MAX * intervalMs)
  return { interval, from: new Date(from).toISOString(), to: new Date(to + intervalMs).toISOString() }
}
