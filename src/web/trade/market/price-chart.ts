import uPlot from 'uplot'

/** A moment, in ms since 1970, and the chance then, from 0 to 1. */
export interface ChancePoint {
  readonly at: number
  readonly chance: number
}

export interface PriceChart {
  /** Extends the line to a point. */
  add(point: ChancePoint): void
  destroy(): void
}

const HEIGHT = 240
const DAY_SECONDS = 86_400
/** The smallest span of the axis, in percent, so that small moves look small. */
const SPAN_MIN = 10

/** Draws a stepped line of chances into an element and follows its width. */
export function drawPriceChart(place: HTMLElement, points: readonly ChancePoint[]): PriceChart {
  const times = points.map(({ at }) => at / 1000)
  const chances = points.map(({ chance }) => chance * 100)
  const plot = new uPlot(optionsFor(place), [times, chances], place)
  const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }))
  observer.observe(place)
  return {
    add: ({ at, chance }) => {
      // Candles go on to the end of their interval, which is a little ahead of now.
      while (at / 1000 <= (times.at(-1) ?? 0)) {
        times.pop()
        chances.pop()
      }
      times.push(at / 1000)
      chances.push(chance * 100)
      plot.setData([times, chances])
    },
    destroy: () => {
      observer.disconnect()
      plot.destroy()
    },
  }
}

function optionsFor(place: HTMLElement): uPlot.Options {
  const colour = (name: string) => colourOf(place, name)
  const grid = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--ink-faint'), grid, ticks: { show: false }, font: '12px system-ui' }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [10, 0, 0, 18],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, low, high) => rangeAround(low ?? 50, high ?? 50) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        space: 84,
        values: (_, splits, _axis, _space, step) => splits.map(timeAt(step)),
      },
      {
        ...axis,
        side: 1,
        size: 44,
        incrs: [1, 5, 10, 20, 25, 50],
        values: (_, splits) => splits.map(value => `${value}%`),
      },
    ],
    series: [
      {},
      {
        stroke: colour('--yes'),
        fill: colour('--yes-soft'),
        width: 2,
        points: { show: false },
        ...(uPlot.paths.stepped !== undefined && { paths: uPlot.paths.stepped({ align: 1 }) }),
      },
    ],
    hooks: { setCursor: [showAtCursor(place)] },
  }
}

/** Returns the formatter of axis labels, in local time: the day for steps of days, else the time. */
function timeAt(stepSeconds: number): (seconds: number) => string {
  const form = new Intl.DateTimeFormat(
    'en-IN',
    stepSeconds >= DAY_SECONDS
      ? { day: 'numeric', month: 'short' }
      : {
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
          ...(stepSeconds < 60 && { second: '2-digit' }),
        },
  )
  return seconds => form.format(seconds * 1000)
}

/** Rounds the range outwards to multiples of five, within 0 to 100. */
function rangeAround(low: number, high: number): [number, number] {
  const missing = Math.max(0, SPAN_MIN - (high - low)) / 2
  return [
    Math.max(0, Math.floor((low - missing) / 5) * 5),
    Math.min(100, Math.ceil((high + missing) / 5) * 5),
  ]
}

/** Shows the value under the pointer beside the line. */
function showAtCursor(place: HTMLElement): (plot: uPlot) => void {
  const text = document.createElement('p')
  text.className = 'chart-at'
  return plot => {
    if (text.parentElement === null) place.append(text)
    const { idx } = plot.cursor
    const at = idx === null || idx === undefined ? undefined : plot.data[0][idx]
    const chance = idx === null || idx === undefined ? undefined : plot.data[1]?.[idx]
    if (at === undefined || chance === undefined || chance === null) {
      text.textContent = ''
      return
    }
    const time = new Date(at * 1000).toLocaleString('en-IN', { dateStyle: 'medium', timeStyle: 'short' })
    text.textContent = `${Math.round(chance * 10) / 10}% · ${time}`
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
