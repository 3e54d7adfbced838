import type { ChartMark } from './chart-content.js'
import type { Plot } from './plot.js'

export interface MarkStyle {
  readonly font: string
  readonly ink: string
  readonly ground: string
}

const DASH = [3, 4]
const GAP = 6
const LINE_HEIGHT = 16

/** Draws the labels of a chart’s marks, and a dashed line at those that have one. */
export function drawMarks(
  { ctx, area, xOf }: Plot,
  marks: readonly ChartMark[],
  { font, ink, ground }: MarkStyle,
): void {
  const bottom = area.top + area.height
  ctx.save()
  Object.assign(ctx, { font, textAlign: 'right', textBaseline: 'middle', strokeStyle: ink, lineWidth: 1 })
  ctx.setLineDash(DASH)
  for (const { at, text, edge, hasLine } of marks) {
    const x = Math.round(xOf(at))
    if (x < area.left || x > area.left + area.width) continue
    if (hasLine) {
      ctx.beginPath()
      ctx.moveTo(x + 0.5, area.top)
      ctx.lineTo(x + 0.5, bottom)
      ctx.stroke()
    }
    const middle = edge === 'top' ? area.top + LINE_HEIGHT : bottom - LINE_HEIGHT
    const width = ctx.measureText(text).width + GAP
    ctx.fillStyle = ground
    ctx.fillRect(x - width - GAP, middle - LINE_HEIGHT / 2, width + GAP / 2, LINE_HEIGHT)
    ctx.fillStyle = ink
    ctx.fillText(text, x - GAP, middle)
  }
  ctx.restore()
}
