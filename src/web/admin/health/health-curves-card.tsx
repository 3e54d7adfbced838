import { useEffect, useRef } from 'preact/hooks'
import type { HealthHistory } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { theme } from '../../kit/theme-button.jsx'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import { usePolled } from '../polling.js'
import type { CurveChart } from './curve-chart.js'
import { sizeText } from '../../../api/size-text.js'
import { durationText } from './health-texts.js'

const POLL_PAUSE_MS = 10_000
const RANGES = [
  ['hour', t.lastHour],
  ['day', t.lastDay],
] as const

type Series = Exclude<keyof HealthHistory, 'step_seconds' | 'times'>
const CURVES: readonly (readonly [series: Series, label: string, written: (value: number) => string])[] = [
  ['orders_per_second', t.perSecond, value => countText(value)],
  ['latency_p99', t.latencyTail, durationText],
  ['queue', t.queue, value => countText(value)],
  ['event_loop_delay', t.loopLag, durationText],
  ['connections', t.connections, value => countText(value)],
  ['memory_bytes', t.memory, sizeText],
  ['disk_free_bytes', t.freeDisk, sizeText],
]

/** How the exchange was over the last hour or day, a small chart for each figure. */
export function HealthCurves() {
  const range = useAddressed('range', 'hour')
  const asked = range.value === 'day' ? 'day' : 'hour'
  const load = () => clients.asking.operator.fetchHealthHistory(asked)
  const { value: history } = usePolled(load, POLL_PAUSE_MS, asked)
  return (
    <section class="card" aria-labelledby="curves-title">
      <div class="card-head">
        <h2 id="curves-title">{t.overTime}</h2>
        <div class="chips">
          {RANGES.map(([name, words]) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={asked === name}
              onClick={() => {
                range.value = name
              }}
            >
              {words}
            </button>
          ))}
        </div>
      </div>
      {history !== undefined && history.times.length < 2 ? (
        <p class="empty">{t.noCurves}</p>
      ) : (
        <div class="curves">
          {CURVES.map(([series, label, written]) => (
            <Curve key={series} series={series} label={label} written={written} history={history} />
          ))}
        </div>
      )}
    </section>
  )
}

interface CurveProps {
  readonly series: Series
  readonly label: string
  readonly written: (value: number) => string
  readonly history: HealthHistory | undefined
}

function Curve({ series, label, written, history }: CurveProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<CurveChart | undefined>(undefined)
  const colours = theme.value
  useEffect(() => {
    if (history === undefined) return
    let isOver = false
    const draw = async () => {
      // The chart library is loaded here and on no other page of operators.
      const { drawCurve } = await import('./curve-chart.js')
      if (isOver || place.current === null) return
      chart.current?.destroy()
      chart.current = drawCurve(place.current, history.times, history[series], written)
    }
    // Without a chart the figures above and below remain.
    draw().catch(() => {})
    return () => {
      isOver = true
    }
  }, [history, series, colours])
  useEffect(() => () => chart.current?.destroy(), [])
  const last = history?.[series].findLast(value => value !== null)
  const now = last === undefined || last === null ? '–' : written(last)
  return (
    <figure class="curve">
      <figcaption>
        {label} <span class="faint">{t.now(now)}</span>
      </figcaption>
      <div ref={place} class="curve-place" role="img" aria-label={`${label}, ${t.now(now)}`} />
    </figure>
  )
}
