import uPlot from 'uplot'
import { clockText, dayTimeText } from '../../kit/time-texts.js'

export interface CurveChart {
  destroy(): void
}

const HEIGHT = 120
const DAY_SECONDS = 12 * 3600

/** Draws a curve from zero upwards into an element and follows its width. */
export function drawCurve(
  place: HTMLElement,
  times: readonly number[],
  values: readonly (number | null)[],
  written: (value: number) => string,
): CurveChart {
  const seconds = times.map(at => at / 1000)
  const plot = new uPlot(optionsFor(place, written), [seconds, [...values]], place)
  const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }))
  observer.observe(place)
  return {
    destroy: () => {
      observer.disconnect()
      plot.destroy()
    },
  }
}

function optionsFor(place: HTMLElement, written: (value: number) => string): uPlot.Options {
  const colour = (name: string) => colourOf(place, name)
  const grid = { stroke: colour('--line'), width: 1 }
  const font = `11px ${getComputedStyle(place).fontFamily}`
  const axis = { stroke: colour('--ink-faint'), grid, ticks: { show: false }, font }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, _low, high) => [0, Math.max(1, (high ?? 1) * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (_, splits) => splits.map(second => clockText(second * 1000).slice(0, 5)),
      },
      { ...axis, size: 62, space: 36, values: (_, splits) => splits.map(written) },
    ],
    series: [
      {},
      { stroke: colour('--yes'), fill: colour('--yes-soft'), width: 1.5, points: { show: false } },
    ],
    hooks: { setCursor: [showAtCursor(place, written)] },
  }
}

/** Shows the value under the pointer above the curve. */
function showAtCursor(place: HTMLElement, written: (value: number) => string): (plot: uPlot) => void {
  const text = document.createElement('p')
  text.className = 'curve-at'
  return plot => {
    if (text.parentElement === null) place.append(text)
    const { idx } = plot.cursor
    const at = idx === null || idx === undefined ? undefined : plot.data[0][idx]
    const value = idx === null || idx === undefined ? undefined : plot.data[1]?.[idx]
    if (at === undefined || value === undefined || value === null) {
      text.textContent = ''
      return
    }
    const [first = at, last = at] = [plot.data[0][0], plot.data[0].at(-1)]
    const time = last - first > DAY_SECONDS ? dayTimeText(at * 1000) : clockText(at * 1000)
    text.textContent = `${written(value)} · ${time}`
  }
}

/** Resolves a colour of the current theme for the canvas. */
function colourOf(place: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
