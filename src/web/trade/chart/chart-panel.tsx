import type { ReadonlySignal, Signal } from '@preact/signals'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Market, Trade } from '../../../client/shapes.js'
import type { Side } from '../../../core/order.js'
import { nowMs, secondClock } from '../../kit/browser-clock.js'
import { Choice } from '../../kit/choice.jsx'
import { theme } from '../../kit/theme-button.jsx'
import { t } from '../../texts/market.js'
import { connectionState, exchange } from '../exchange-client.js'
import { tradeNumber } from '../market/latest-trades.js'
import type { ChartContent } from './chart-content.js'
import { chartContent } from './chart-content.js'
import type { ChartRange } from './chart-range.js'
import { candlesFor, CHART_RANGES, intervalMsOf } from './chart-range.js'
import { ChartSeries } from './chart-series.js'
import { firstRange, tradingEnd } from './chart-window.js'
import type { PriceChart } from './price-chart.js'
import { readoutTexts } from './readout-texts.js'
import type { ChartReading } from './readout-texts.js'

const RANGES = [...(Object.keys(CHART_RANGES) as (keyof typeof CHART_RANGES)[]), 'ALL'] as const
/** How often the axis moves on while nothing is traded. */
const STEP_MS = 10_000

interface ChartPanelProps {
  readonly market: Market
  /** Newest first. */
  readonly trades: ReadonlySignal<readonly Trade[] | undefined>
}

/** The course of a market: its chance over time and the volume, live. */
export function ChartPanel({ market, trades }: ChartPanelProps) {
  const outcome = useSignal<Side>('yes')
  const range = useSignal<ChartRange>(firstRange(market, nowMs()))
  const index = useSignal<number | undefined>(undefined)
  const gaps = useSignal(0)
  const series = useSeries(market, range.value, trades, gaps.value)
  const content = useContent(series, market, range.value, trades.value, gaps)
  const { place, chart } = usePriceChart(content, outcome.value, market.payout, index)
  const points = content?.points ?? []
  const lastTrade = trades.value?.[0]
  const point = index.value === undefined ? undefined : points[index.value]
  const shown = { market, outcome: outcome.value, point, lastTrade }

  const press = (event: KeyboardEvent) => {
    const next = indexAfter(event, index.value, points.length)
    if (next === null) return
    event.preventDefault()
    chart.current?.pointAt(next)
  }
  return (
    <section class="card chart" aria-label={t.chart}>
      <div class="chart-head">
        <ChartReadout {...shown} />
        <Choice name="chart-outcome" legend={t.chanceOf} value={outcome} options={outcomeOptions()} />
      </div>
      <div
        ref={place}
        class="chart-place"
        onKeyDown={press}
        onBlur={() => chart.current?.pointAt(undefined)}
        role="slider"
        tabIndex={0}
        aria-label={t.chart}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={index.value ?? Math.max(0, points.length - 1)}
        aria-valuetext={readoutTexts(shown, nowMs()).join(', ')}
      />
      {series !== undefined && points.length === 0 && <p class="chart-empty">{noTradesText(market)}</p>}
      <RangeChips range={range} />
    </section>
  )
}

function noTradesText(market: Market): string {
  return tradingEnd(market, nowMs()) === undefined ? t.noTradesYet : t.neverTraded
}

function outcomeOptions() {
  return (['yes', 'no'] as const).map(side => [side, t.outcomes[side]] as const)
}

/** Fetches the candles of a range unless all trades are here; again after an outage, a new status, a gap. */
function useSeries(
  { event_id, createdAt, status, ...life }: Market,
  range: ChartRange,
  trades: ChartPanelProps['trades'],
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
function useContent(
  series: ChartSeries | undefined,
  market: Market,
  range: ChartRange,
  trades: readonly Trade[] | undefined,
  gaps: Signal<number>,
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
    return series && chartContent(series, market, range, nowMs(), t.marks)
  }, [series, market, range, trades, step])
}

/** Draws the chart once its library is loaded, and again for another outcome or theme. */
function usePriceChart(
  content: ChartContent | undefined,
  outcome: Side,
  payout: number,
  index: Signal<number | undefined>,
) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<PriceChart | undefined>(undefined)
  const latest = useRef(content)
  latest.current = content
  const colours = theme.value
  useEffect(() => {
    let isOver = false
    const draw = async () => {
      const { drawPriceChart } = await import('./price-chart.js')
      if (isOver || place.current === null) return
      const onCursor = (at: number | undefined) => {
        index.value = at
      }
      chart.current = drawPriceChart(place.current, { outcome, payout, onCursor })
      if (latest.current !== undefined) chart.current.show(latest.current)
    }
    draw().catch(() => {})
    return () => {
      isOver = true
      index.value = undefined
      chart.current?.destroy()
      chart.current = undefined
    }
  }, [outcome, payout, colours, index])
  useEffect(() => {
    if (content !== undefined) chart.current?.show(content)
  }, [content])
  return { place, chart }
}

/** Returns where a key moves the cursor among the points; null if it is not a key for that. */
function indexAfter(
  { key, shiftKey }: KeyboardEvent,
  index: number | undefined,
  count: number,
): number | undefined | null {
  const from = index ?? count - 1
  const step = shiftKey ? 10 : 1
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, from - step),
    ArrowRight: Math.min(count - 1, from + step),
    Home: 0,
    End: count - 1,
  }
  if (key === 'Escape') return undefined
  return count === 0 ? null : (moves[key] ?? null)
}

function RangeChips({ range }: { readonly range: Signal<ChartRange> }) {
  return (
    <fieldset class="chips chart-ranges">
      <legend class="unseen">{t.range}</legend>
      {RANGES.map(name => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={range.value === name}
          aria-label={`${t.rangeLabels[name]}: ${t.rangeNames[name]}`}
          onClick={() => {
            range.value = name
          }}
        >
          {t.rangeLabels[name]}
        </button>
      ))}
    </fieldset>
  )
}

/** Two lines above the chart: chance and price, then when, and how much was traded. */
function ChartReadout(reading: ChartReading) {
  const [what, when] = readoutTexts(reading, nowMs())
  return (
    <p class="chart-readout">
      <b class={reading.outcome}>{what}</b>
      <small>{when}</small>
    </p>
  )
}
