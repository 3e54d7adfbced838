import { nowMs } from '../../kit/browser-clock.js'
import type { ChartReading } from './readout-texts.js'
import { readoutTexts } from './readout-texts.js'

/** Two lines above the chart: chance and price, then when, and how much was traded. */
export function ChartReadout(reading: ChartReading) {
  const [what, when] = readoutTexts(reading, nowMs())
  return (
    <p class="chart-readout">
      <b class={reading.outcome}>{what}</b>
      <small>{when}</small>
    </p>
  )
}
