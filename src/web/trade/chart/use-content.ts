import type { ReadonlySignal, Signal } from '@preact/signals'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Market, Trade } from '../../../client/shapes.js'
import { nowMs, secondClock } from '../../kit/browser-clock.js'
import { t } from '../../texts/market.js'
import { connectionState, exchange } from '../exchange-client.js'
import { tradeNumber } from '../market/latest-trades.js'
import type { ChartContent } from './chart-content.js'
import { chartContent } from './chart-content.js'
import type { ChartRange } from './chart-range.js'
import { candlesFor, intervalMsOf } from './chart-range.js'
import { ChartSeries } from './chart-series.js'
import { tradingEnd } from './chart-window.js'

/** How often the axis moves on while nothing is traded. */
const STEP_MS = 10_000

/** Fetches the candles of a range unless all trades are here; again after an outage, a new status, a gap. */
export function useSeries(
  { event_id, createdAt, status, ...life }: Market,
  range: ChartRange,
  trades: ReadonlySignal<readonly Trade[] | undefined>,
  gaps: number,
): ChartSeries | undefined {
  const series = useSignal<ChartSeries | undefined>(undefined)
  const { comebacks } = connectionState.value
  const isLoaded = trades.value !== undefined
  useEffect(() => {
    const latest = trades.peek()
    if (latest === undefined) return
    if (areAll(latest, life.last_price)) {
      series.value = ChartSeries.ofTrades(latest)
      return
    }
    let isOver = false
    const last = tradingEnd({ ...life, createdAt, status }, nowMs()) ?? nowMs()
    const query = candlesFor(range, last, Date.parse(createdAt))
    exchange.fetchCandles(event_id, query).then(
      candles => {
        if (!isOver) series.value = new ChartSeries(candles, intervalMsOf(query), trades.peek())
      },
      // A failed chart does not stop trading; the next range or reconnection retries.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [event_id, createdAt, status, range, comebacks, isLoaded, gaps])
  return series.value
}

/** Returns whether these are all trades of a market; without any, its last price has to say so. */
function areAll(trades: readonly Trade[], lastPrice: number | null): boolean {
  const oldest = trades.at(-1)
  return oldest === undefined ? lastPrice === null : tradeNumber(oldest) === 1
}

/** Extends the series by the latest trades and the time that has passed. */
export function useContent(
  series: ChartSeries | undefined,
  market: Market,
  range: ChartRange,
  trades: readonly Trade[] | undefined,
  gaps: Signal<number>,
  chance: number | undefined,
): ChartContent | undefined {
  const step = useComputed(() => Math.floor(secondClock.value / STEP_MS)).value
  const whole = useMemo(
    () => trades === undefined || series === undefined || series.add(trades),
    [series, trades],
  )
  useEffect(() => {
    if (!whole) gaps.value++
  }, [whole, series, trades])
  return useMemo(() => {
    return series && chartContent(series, market, range, { clockMs: nowMs(), chance }, t.marks)
  }, [series, market, range, trades, step, chance])
}
