import type { Side } from '../../../core/order.js'
import { rupeesText } from '../../kit/number-texts.js'
import { percentSplits, timeSplits } from './axis-splits.js'
import type { ChartContent } from './chart-content.js'
import { drawMarks } from './chart-marks.js'
import { drawOwn } from './draw-own.js'
import type { OwnMarks } from './own-marks.js'
import type { Plot, Scales } from './plot.js'
import { PlotCanvas } from './plot.js'
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

interface ChartStyle {
  readonly font: string
  readonly ink: string
  readonly ground: string
  readonly label: string
  readonly grid: string
  readonly line: string
  readonly fill: string
  readonly volume: string
}

const HEIGHT = 240
/** The smallest span of the axis, in percent, so that small moves look small. */
const SPAN_MIN = 10
/** The share of the height below the line that is the volume’s, and how much of it the bars may fill. */
const STRIP = 0.2
const STRIP_FILL = 0.85
/** Up to this many trades are drawn as dots of their own. */
const DOTS_MAX = 6
const DOT_RADIUS = 3.5
const BAR_SHARE = 0.7
const BAR_WIDTH_MIN = 2
const BAR_WIDTH_MAX = 8
const LABEL_GAP = 6
const LABEL_LINE = 18

/** Draws a stepped line of chances above a strip with bars of volume, and follows the element’s width. */
export function drawPriceChart(
  place: HTMLElement,
  settings: ChartSettings,
  first: readonly [ChartContent, OwnMarks],
): PriceChart {
  let [content, own] = first
  /** The moment that the cursor is at. */
  let pointed: number | undefined
  const { outcome, payout, unit, onCursor } = settings
  const chance = (price: number) => ((outcome === 'yes' ? price : payout - price) / payout) * 100
  const style = styleOf(place, outcome)
  place.style.setProperty('--plot-line', style.line)
  const point = (at: number | undefined) => {
    pointed = at
    const index = at === undefined ? undefined : nearest(content, at)
    const found = index === undefined ? undefined : content.points[index]
    canvas.mark(found && { at: found.at, percent: chance(found.price) })
    onCursor(index)
  }
  const canvas: PlotCanvas = new PlotCanvas(place, {
    height: HEIGHT,
    right: unit === 'chance' ? 44 : 56,
    scales: () => scalesOf(content, chance),
    draw: plot => {
      drawAxes(plot, settings, style)
      drawCourse(plot, content, chance, style)
      drawOwn(plot, own, content.points, settings, style)
      drawMarks(plot, content.marks, style)
    },
    onPointer: point,
  })
  return {
    show: (next, marks) => {
      content = next
      own = marks
      canvas.draw()
      if (pointed !== undefined) point(pointed)
    },
    pointAt: index => point(index === undefined ? undefined : content.points[index]?.at),
    destroy: () => canvas.destroy(),
  }
}

function styleOf(place: HTMLElement, outcome: Side): ChartStyle {
  return {
    font: `12px ${getComputedStyle(place).fontFamily}`,
    ink: colourOf(place, '--ink-soft'),
    ground: colourOf(place, '--paper'),
    label: colourOf(place, '--ink-faint'),
    grid: colourOf(place, '--line'),
    line: colourOf(place, `--${outcome}`),
    fill: colourOf(place, `--${outcome}-soft`),
    volume: colourOf(place, '--volume'),
  }
}

function scalesOf(content: ChartContent, chance: (price: number) => number): Scales {
  const { window, points } = content
  const chances = points.map(({ price }) => chance(price))
  return {
    time: [window.from, window.to],
    percent: aboveStrip(isResolved(content) ? [0, 100] : rangeAround(chances)),
  }
}

function drawAxes({ ctx, area, scales, xOf, yOf }: Plot, settings: ChartSettings, style: ChartStyle): void {
  const { unit, payout } = settings
  const [low, high] = scales.percent
  const right = area.left + area.width
  Object.assign(ctx, { font: style.font, strokeStyle: style.grid, fillStyle: style.label, lineWidth: 1 })
  Object.assign(ctx, { textAlign: 'left', textBaseline: 'middle' })
  for (const value of percentSplits(low, high, area.height).at) {
    // Below the line is the strip of the volume, which has no scale.
    if (value < floorOf(scales) - 1e-9) continue
    const y = Math.round(yOf(value)) + 0.5
    ctx.beginPath()
    ctx.moveTo(area.left, y)
    ctx.lineTo(right, y)
    ctx.stroke()
    ctx.fillText(unit === 'chance' ? `${value}%` : rupeesText((value / 100) * payout), right + LABEL_GAP, y)
  }
  Object.assign(ctx, { textAlign: 'center', textBaseline: 'top' })
  const [from, to] = scales.time
  const { step, at } = timeSplits(from, to, area.width)
  const seconds = at.map(moment => moment / 1000)
  axisTimeTexts(seconds, step / 1000).forEach((text, index) => {
    text.split('\n').forEach((line, place) => {
      ctx.fillText(line, xOf(at[index] ?? from), area.top + area.height + LABEL_GAP + place * LABEL_LINE)
    })
  })
}

/** Draws the bars of the volume, the line of the chance, and the dots of its trades. */
function drawCourse(
  plot: Plot,
  content: ChartContent,
  chance: (price: number) => number,
  { line, fill, volume }: ChartStyle,
): void {
  const { ctx, area, scales, xOf, yOf } = plot
  const at = content.points.map(point => ({ ...point, x: xOf(point.at), y: yOf(chance(point.price)) }))
  const [first, last] = [at[0], at.at(-1)]
  if (first === undefined || last === undefined) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(area.left, area.top, area.width, area.height)
  ctx.clip()
  const course = new Path2D()
  course.moveTo(first.x, first.y)
  // A price holds until the next.
  at.slice(1).forEach(({ x, y }, index) => {
    course.lineTo(x, at[index]?.y ?? y)
    course.lineTo(x, y)
  })
  const ground = new Path2D(course)
  const floor = yOf(floorOf(scales))
  ground.lineTo(last.x, floor)
  ground.lineTo(first.x, floor)
  Object.assign(ctx, { fillStyle: fill, strokeStyle: line, lineWidth: 2, lineJoin: 'round' })
  ctx.fill(ground)
  ctx.stroke(course)
  const most = at.reduce((max, { volume = 0 }) => Math.max(max, volume), 1)
  const apart = at
    .slice(1)
    .reduce((least, { x }, index) => Math.min(least, x - (at[index]?.x ?? x)), area.width)
  const width = Math.min(BAR_WIDTH_MAX, Math.max(BAR_WIDTH_MIN, apart * BAR_SHARE))
  ctx.fillStyle = volume
  for (const { x, volume: traded = 0 } of at) {
    const height = (traded / most) * STRIP * STRIP_FILL * area.height
    ctx.fillRect(x, area.top + area.height - height, width, height)
  }
  ctx.restore()
  ctx.fillStyle = line
  for (const index of dotsOf(content)) {
    const { x, y } = at[index] ?? last
    if (x < area.left) continue
    ctx.beginPath()
    ctx.arc(x, y, DOT_RADIUS, 0, 2 * Math.PI)
    ctx.fill()
  }
}

/** Returns the index of the point next to a moment. */
function nearest({ points }: ChartContent, at: number): number | undefined {
  const after = points.findIndex(point => point.at >= at)
  if (after === -1) return points.length === 0 ? undefined : points.length - 1
  const [before, next] = [points[after - 1], points[after]]
  return before !== undefined && next !== undefined && at - before.at < next.at - at ? after - 1 : after
}

/** Makes room for the volume below a range. */
function aboveStrip([low, high]: readonly [number, number]): [number, number] {
  return [low - ((high - low) * STRIP) / (1 - STRIP), high]
}

/** Returns the chance at which the line’s part of the plot begins. */
function floorOf({ percent: [low, high] }: Scales): number {
  return low + (high - low) * STRIP
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

/** Rounds outwards to multiples of five, with the line off the edges; from 0 to 100 without trades. */
function rangeAround(chances: readonly number[]): [number, number] {
  if (chances.length === 0) return [0, 100]
  const low = chances.reduce((least, its) => Math.min(least, its))
  const high = chances.reduce((most, its) => Math.max(most, its))
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
