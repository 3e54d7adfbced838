import type { ChartMark } from './chart-content.js'

/** The part of a plot that marks need; pixels are those of its canvas. */
export interface MarkedPlot {
  readonly ctx: CanvasRenderingContext2D
  readonly bbox: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  valToPos(seconds: number, scale: string, isCanvas: boolean): number
}

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
  plot: MarkedPlot,
  marks: readonly ChartMark[],
  { font, ink, ground }: MarkStyle,
): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = font.replace(/^(\d+)px/, (_, size) => `${Number(size) * ratio}px`)
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  ctx.strokeStyle = ink
  ctx.lineWidth = ratio
  ctx.setLineDash(DASH.map(length => length * ratio))
  for (const { at, text, edge, hasLine } of marks) {
    const x = Math.round(plot.valToPos(at / 1000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    if (hasLine) {
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
    }
    const middle =
      edge === 'top' ? bbox.top + LINE_HEIGHT * ratio : bbox.top + bbox.height - LINE_HEIGHT * ratio
    const width = ctx.measureText(text).width + GAP * ratio
    ctx.fillStyle = ground
    ctx.fillRect(
      x - width - GAP * ratio,
      middle - (LINE_HEIGHT / 2) * ratio,
      width + (GAP * ratio) / 2,
      LINE_HEIGHT * ratio,
    )
    ctx.fillStyle = ink
    ctx.fillText(text, x - GAP * ratio, middle)
  }
  ctx.restore()
}
