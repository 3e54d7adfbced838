import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Market } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { chanceText } from '../../kit/number-texts.js'
import { theme } from '../../kit/theme.js'
import { connectionState, exchange } from '../exchange-client.js'
import type { ChartRange } from './chart-range.js'
import { CHART_RANGES, candlesFor } from './chart-range.js'
import type { PriceChart } from './price-chart.js'

const RANGES = [...(Object.keys(CHART_RANGES) as (keyof typeof CHART_RANGES)[]), 'ALL'] as const
const RANGE_NAMES: Readonly<Record<ChartRange, string>> = {
  '1H': 'Last hour',
  '6H': 'Last 6 hours',
  '1D': 'Last day',
  '1W': 'Last week',
  '1M': 'Last month',
  ALL: 'All time',
}

interface ChartPanelProps {
  readonly market: Market
  /** The last trade’s price of YES, in rupees. */
  readonly lastPrice: number | null
}

/** The chart of the chance over time; grows with each trade. */
export function ChartPanel({ market, lastPrice }: ChartPanelProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<PriceChart | undefined>(undefined)
  const range = useSignal<ChartRange>('1D')
  const { event_id, createdAt, payout } = market
  const { comebacks } = connectionState.value
  const colours = theme.value
  const chance = lastPrice === null ? undefined : lastPrice / payout

  useEffect(() => {
    let isOver = false
    const load = async () => {
      const query = candlesFor(range.value, nowMs(), Date.parse(createdAt))
      // Loads the chart library with the candles, only when there is something to draw.
      const [{ drawPriceChart }, candles] = await Promise.all([
        import('./price-chart.js'),
        exchange.fetchCandles(event_id, query),
      ])
      if (isOver || place.current === null) return
      const points = candles.map(({ ts, close }) => ({ at: Date.parse(ts), chance: close / payout }))
      chart.current?.destroy()
      chart.current = drawPriceChart(place.current, points)
    }
    // A failed chart does not stop trading; the next range or reconnection retries.
    load().catch(() => {})
    return () => {
      isOver = true
    }
  }, [event_id, createdAt, payout, range.value, comebacks, colours])
  useEffect(() => () => chart.current?.destroy(), [])
  useEffect(() => {
    if (lastPrice !== null) chart.current?.add({ at: nowMs(), chance: lastPrice / payout })
  }, [lastPrice, payout])

  return (
    <section class="card chart" aria-label="Chance over time">
      <RangeChips range={range} />
      <div
        ref={place}
        class="chart-place"
        role="img"
        aria-label={`Chance of YES over time; last trade at ${chanceText(chance)}`}
      />
      {lastPrice === null && <p class="chart-empty">No trades yet.</p>}
    </section>
  )
}

function RangeChips({ range }: { readonly range: Signal<ChartRange> }) {
  return (
    <div class="chips chart-ranges">
      {RANGES.map(name => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={range.value === name}
          title={RANGE_NAMES[name]}
          onClick={() => {
            range.value = name
          }}
        >
          {name === 'ALL' ? 'All' : name}
        </button>
      ))}
    </div>
  )
}
