import uPlot from 'uplot'
import type { Side } from '../../../core/order.js'
import { rupeesText } from '../../kit/number-texts.js'
import { timeZone } from '../../texts/language.js'
import type { ChartContent } from './chart-content.js'
import { drawMarks } from './chart-marks.js'
import { drawOwn } from './draw-own.js'
import type { OwnMarks } from './own-marks.js'
import { axisTimeTexts } from './when-texts.js'

interface ChartSettings {
  /** The outcome whose chance is drawn. */
  readonly outcome: Side
  readonly payout: number
  /** The unit of the axis. */
  readonly unit: ChartUnit
  /** Called with the index of the point under the pointer, or undefined when it leaves. */
  readonly onCursor: (index: number | undefined) => void
}

export type ChartUnit = 'chance' | 'rupees'

export interface PriceChart {
  show(content: ChartContent, own: OwnMarks): void
  /** Moves the cursor to a point, or removes it. */
  pointAt(index: number | undefined): void
  destroy(): void
}

const HEIGHT = 240
/** The smallest span of the axis, in percent, so that small moves look small. */
const SPAN_MIN = 10
/** The share of the height below the line that is the volume’s, and how much of it the bars may fill. */
const STRIP = 0.2
const STRIP_FILL = 0.85
/** Up to this many trades are drawn as dots of their own. */
const DOTS_MAX = 6
const BAR_WIDTH_MIN = 2
const BAR_WIDTH_MAX = 8

/** Draws a stepped line of chances above a strip with bars of volume, and follows the element’s width. */
export function drawPriceChart(
  place: HTMLElement,
  settings: ChartSettings,
  first: readonly [ChartContent, OwnMarks],
): PriceChart {
  let [content, own] = first
  const plot = new uPlot(
    optionsFor(place, settings, () => [content, own]),
    columnsOf(content, settings),
    place,
  )
  const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }))
  observer.observe(place)
  const stopTouch = followTouch(plot)
  return {
    show: (next, marks) => {
      content = next
      own = marks
      plot.setData(columnsOf(next, settings))
    },
    pointAt: index => {
      const at = index === undefined ? undefined : plot.data[0][index]
      plot.setCursor({
        left: at === undefined ? -10 : plot.valToPos(at, 'x'),
        top: at === undefined ? -10 : 10,
      })
    },
    destroy: () => {
      observer.disconnect()
      stopTouch()
      plot.destroy()
    },
  }
}

type Columns = [number[], (number | null)[], (number | null | undefined)[]]

/** Without points, the ends of the window keep its axis. */
function columnsOf({ window, points }: ChartContent, { outcome, payout }: ChartSettings): Columns {
  if (points.length === 0)
    return [
      [window.from / 1000, window.to / 1000],
      [null, null],
      [null, null],
    ]
  const chance = (price: number) => ((outcome === 'yes' ? price : payout - price) / payout) * 100
  return [
    points.map(({ at }) => at / 1000),
    points.map(({ price }) => chance(price)),
    points.map(({ volume }) => volume),
  ]
}

function optionsFor(
  place: HTMLElement,
  settings: ChartSettings,
  shown: () => readonly [ChartContent, OwnMarks],
): uPlot.Options {
  const { outcome, onCursor } = settings
  const content = () => shown()[0]
  const font = `12px ${getComputedStyle(place).fontFamily}`
  const style = { font, ink: colourOf(place, '--ink-soft'), ground: colourOf(place, '--paper') }
  return {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    padding: [10, 0, 0, 18],
    legend: { show: false },
    // The dot under the cursor is on the line, not on the bars.
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: (_, series) => (series === 1 ? 9 : 0) },
    },
    scales: {
      x: { range: () => [content().window.from / 1000, content().window.to / 1000] },
      y: { range: (_, low, high) => aboveStrip(isResolved(content()) ? [0, 100] : rangeAround(low, high)) },
      volume: { range: (_, _low, high) => [0, Math.max(1, high ?? 0) / (STRIP * STRIP_FILL)] },
    },
    axes: axesFor(place, font, settings),
    series: seriesFor(place, outcome, content),
    hooks: {
      setCursor: [({ cursor, data }) => onCursor(indexIn(data, cursor.idx))],
      draw: [
        plot => {
          drawOwn(plot, shown()[1], settings, style)
          drawMarks(plot, content().marks, style)
        },
      ],
    },
  }
}

function axesFor(place: HTMLElement, font: string, { unit, payout }: ChartSettings): uPlot.Axis[] {
  // Below the line is the strip of the volume, which has no scale.
  const aboveFloor = (plot: uPlot, splits: readonly number[]) =>
    splits.map(value => (value >= floorOf(plot) - 1e-9 ? value : null))
  const grid = { stroke: colourOf(place, '--line'), width: 1 }
  const axis = { stroke: colourOf(place, '--ink-faint'), grid, ticks: { show: false }, font }
  return [
    {
      ...axis,
      grid: { show: false },
      size: 42,
      space: 84,
      values: (_, splits, _axis, _space, step) => axisTimeTexts(splits, step),
    },
    {
      ...axis,
      side: 1,
      size: unit === 'chance' ? 44 : 56,
      incrs: [1, 5, 10, 20, 25, 50],
      grid: { ...grid, filter: (plot, splits) => aboveFloor(plot, splits) },
      filter: (plot, splits) => aboveFloor(plot, splits),
      values: (_, splits: readonly (number | null)[]) =>
        splits.map(value => {
          if (value === null) return null
          return unit === 'chance' ? `${value}%` : rupeesText((value / 100) * payout)
        }),
    },
  ]
}

function seriesFor(place: HTMLElement, outcome: Side, content: () => ChartContent): uPlot.Series[] {
  const { stepped, bars } = uPlot.paths
  const line = colourOf(place, `--${outcome}`)
  return [
    {},
    {
      stroke: line,
      fill: colourOf(place, `--${outcome}-soft`),
      fillTo: floorOf,
      width: 2,
      points: { show: true, size: 7, fill: line, filter: () => dotsOf(content()) },
      ...(stepped !== undefined && { paths: stepped({ align: 1 }) }),
    },
    {
      scale: 'volume',
      fill: colourOf(place, '--volume'),
      width: 0,
      points: { show: false },
      ...(bars !== undefined && { paths: bars({ size: [0.7, BAR_WIDTH_MAX, BAR_WIDTH_MIN], align: 1 }) }),
    },
  ]
}

function indexIn(data: uPlot.AlignedData, index: number | null | undefined): number | undefined {
  return index === null || index === undefined || data[1]?.[index] == null ? undefined : index
}

/** Makes room for the volume below a range. */
function aboveStrip([low, high]: readonly [number, number]): [number, number] {
  return [low - ((high - low) * STRIP) / (1 - STRIP), high]
}

/** Returns the chance at which the line’s part of the plot begins. */
function floorOf({ scales }: Pick<uPlot, 'scales'>): number {
  const { min = 0, max = 100 } = (scales.y ?? {}) as { readonly min?: number; readonly max?: number }
  return min + (max - min) * STRIP
}

/** The result is at an end of the axis: its middle is half way. */
function isResolved({ points }: ChartContent): boolean {
  return points.at(-1)?.label !== undefined
}

/** A dot at the end of the line, and at each trade while there are few. */
function dotsOf({ points }: ChartContent): number[] {
  const traded = points.flatMap(({ volume = 0 }, index) => (volume > 0 ? [index] : []))
  const last = points.length - 1
  return traded.length > DOTS_MAX ? [last] : [...traded.filter(index => index !== last), last]
}

/** Moves the cursor with a finger; up and down still scroll the page. */
function followTouch({ over, setCursor }: uPlot): () => void {
  const move = ({ pointerType, clientX }: PointerEvent) => {
    if (pointerType !== 'touch') return
    setCursor({ left: clientX - over.getBoundingClientRect().left, top: 10 })
  }
  over.addEventListener('pointerdown', move)
  over.addEventListener('pointermove', move)
  return () => {
    over.removeEventListener('pointerdown', move)
    over.removeEventListener('pointermove', move)
  }
}

/** Rounds outwards to multiples of five, with the line off the edges; from 0 to 100 without trades. */
function rangeAround(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 100]
  const missing = Math.max(0, SPAN_MIN - (high - low)) / 2
  return [
    Math.max(0, Math.floor((low - missing - 1) / 5) * 5),
    Math.min(100, Math.ceil((high + missing + 1) / 5) * 5),
  ]
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
