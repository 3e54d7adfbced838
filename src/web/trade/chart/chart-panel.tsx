import type { ReadonlySignal, Signal } from '@preact/signals'
import { signal, useSignal } from '@preact/signals'
import type { Market, Trade } from '../../../client/shapes.js'
import type { Side } from '../../../core/order.js'
import { nowMs } from '../../kit/browser-clock.js'
import { remember, remembered } from '../../kit/browser-memory.js'
import { Choice } from '../../kit/choice.jsx'
import { t } from '../../texts/market.js'
import type { ChartRange } from './chart-range.js'
import { CHART_RANGES } from './chart-range.js'
import { firstRange, tradingEnd } from './chart-window.js'
import type { ChartUnit } from './price-chart.js'
import { readoutTexts } from './readout-texts.js'
import type { ChartReading } from './readout-texts.js'
import { useContent, useSeries } from './use-content.js'
import { useOwnMarks } from './use-own-marks.js'
import { usePriceChart } from './use-price-chart.js'

const RANGES = [...(Object.keys(CHART_RANGES) as (keyof typeof CHART_RANGES)[]), 'ALL'] as const
/** The unit of the axis, as chosen in this browser. */
const unit = signal<ChartUnit>(remembered('chart-unit') === 'rupees' ? 'rupees' : 'chance')

interface ChartPanelProps {
  readonly market: Market
  /** The chance of YES now, from 0 to 1. */
  readonly chance: number | undefined
  /** Newest first. */
  readonly trades: ReadonlySignal<readonly Trade[] | undefined>
}

/** The course of a market: its chance over time and the volume, live. */
export function ChartPanel({ market, chance, trades }: ChartPanelProps) {
  const outcome = useSignal<Side>('yes')
  const range = useSignal<ChartRange>(firstRange(market, nowMs()))
  const index = useSignal<number | undefined>(undefined)
  const gaps = useSignal(0)
  const series = useSeries(market, range.value, trades, gaps.value)
  const content = useContent(series, market, range.value, trades.value, gaps, chance)
  const own = useOwnMarks(market)
  const drawn = { outcome: outcome.value, payout: market.payout, unit: unit.value }
  const { place, chart } = usePriceChart(content, own, drawn, index)
  const points = content?.points ?? []
  const lastTrade = trades.value?.[0]
  const point = index.value === undefined ? undefined : points[index.value]
  const shown = { market, ...drawn, chance, point, lastTrade }

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
      <div class="chart-foot">
        <RangeChips range={range} />
        <Choice
          name="chart-unit"
          legend={t.axis}
          value={unit}
          onChoose={chosen => remember('chart-unit', chosen)}
          options={[
            ['chance', t.units.chance],
            ['rupees', t.units.rupees],
          ]}
        />
      </div>
    </section>
  )
}

function noTradesText(market: Market): string {
  return tradingEnd(market, nowMs()) === undefined ? t.noTradesYet : t.neverTraded
}

function outcomeOptions() {
  return (['yes', 'no'] as const).map(side => [side, t.outcomes[side]] as const)
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
