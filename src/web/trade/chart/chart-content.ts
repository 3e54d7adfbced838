import type { Market } from '../../../client/shapes.js'
import type { ChartRange } from './chart-range.js'
import type { ChartPoint, ChartSeries } from './chart-series.js'
import type { ChartWindow } from './chart-window.js'
import { tradingEnd, windowOf } from './chart-window.js'

/** A moment on a chart, with a label on the left of its line. */
export interface ChartMark {
  /** In ms since 1970. */
  readonly at: number
  readonly text: string
  readonly edge: 'top' | 'bottom'
  readonly hasLine: boolean
}

/** A market’s course in a range. */
export interface ChartContent {
  readonly window: ChartWindow
  /** Oldest first; may be empty. */
  readonly points: readonly ChartPoint[]
  readonly marks: readonly ChartMark[]
}

/** Marks that are closer, as a share of the window, would be one line. */
const APART = 0.02

/** The labels of a chart’s marks. */
export interface MarkTexts {
  readonly closed: string
  readonly result: Readonly<Record<'yes' | 'no' | 'void', string>>
}

/** The end of a course while trading goes on. */
interface Present {
  readonly clockMs: number
  /** The chance of YES now, from 0 to 1; undefined without prices. */
  readonly chance: number | undefined
}

type ChartedMarket = Pick<Market, 'status' | 'createdAt' | 'end_date' | 'resolvedAt' | 'outcome' | 'payout'>

/**
 * Returns a market’s course in a range: to now, or to the end of trading and from there to the result, where
 * the line jumps to what was paid.
 */
export function chartContent(
  series: ChartSeries,
  market: ChartedMarket,
  range: ChartRange,
  { clockMs, chance }: Present,
  texts: MarkTexts,
): ChartContent {
  // The clock of this browser may be behind that of the exchange.
  const now = Math.max(clockMs, series.latest ?? 0)
  const window = windowOf(range, market, series.firstTrade, now)
  const end = tradingEnd(market, now)
  const points = series.points(window, end ?? now)
  if (end === undefined) return { window, points: upTo(points, now, chance, market.payout), marks: [] }

  const { outcome, resolvedAt, payout } = market
  const closed: ChartMark = {
    at: end,
    text: texts.closed,
    edge: outcome === 'no' ? 'top' : 'bottom',
    hasLine: true,
  }
  if (outcome === null || resolvedAt === null) return { window, points, marks: [closed] }
  const at = Math.min(Date.parse(resolvedAt), window.to)
  const text = texts.result[outcome]
  const isPaid = outcome !== 'void' && points.length > 0
  // The jump of the line is mark enough.
  const result: ChartMark = { at, text, edge: outcome === 'no' ? 'bottom' : 'top', hasLine: !isPaid }
  const isApart = at - end > (window.to - window.from) * APART
  const marks = isApart ? [closed, result] : [result]
  if (!isPaid) return { window, points, marks }
  const paid = outcome === 'yes' ? payout : 0
  return { window, points: [...points, { at, price: paid, volume: undefined, label: text }], marks }
}

/** Ends a line at the chance that is shown beside the chart: the last trade may be older than the book. */
function upTo(
  points: readonly ChartPoint[],
  now: number,
  chance: number | undefined,
  payout: number,
): readonly ChartPoint[] {
  const last = points.at(-1)
  if (last === undefined || chance === undefined) return points
  const traded = last.volume === undefined ? points.slice(0, -1) : points
  return [...traded, { at: now, price: chance * payout, volume: undefined }]
}
