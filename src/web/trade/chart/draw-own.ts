import type { Side } from '../../../core/order.js'
import { chanceText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'
import type { MarkedPlot, MarkStyle } from './chart-marks.js'
import type { OwnMarks } from './own-marks.js'

interface Shown {
  readonly outcome: Side
  readonly payout: number
  readonly unit: 'chance' | 'rupees'
}

const DASH = [6, 4]
const LABEL_GAP = 5
const ARROW = 5

/** Draws the user’s average price as a line, and their trades as arrows: up for more of the outcome shown. */
export function drawOwn(
  plot: MarkedPlot,
  { average, fills }: OwnMarks,
  { outcome, payout, unit }: Shown,
  { font, ink, ground }: MarkStyle,
): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const ofOutcome = (yesPrice: number) => (outcome === 'yes' ? yesPrice : payout - yesPrice)
  const heightOf = (yesPrice: number) => plot.valToPos((ofOutcome(yesPrice) / payout) * 100, 'y', true)
  const isInside = (y: number) => y >= bbox.top && y <= bbox.top + bbox.height
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = ink
  ctx.lineWidth = ratio
  if (average !== undefined && isInside(heightOf(average))) {
    const y = Math.round(heightOf(average))
    ctx.setLineDash(DASH.map(length => length * ratio))
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const price = ofOutcome(average)
    const label = t.yourAverage(unit === 'chance' ? chanceText(price / payout) : rupeesText(price))
    ctx.font = font.replace(/^(\d+)px/, (_, size) => `${Number(size) * ratio}px`)
    ctx.textBaseline = 'bottom'
    const [left, width] = [bbox.left + LABEL_GAP * ratio, ctx.measureText(label).width]
    ctx.fillStyle = ground
    ctx.fillRect(left - 2 * ratio, y - 17 * ratio, width + 4 * ratio, 16 * ratio)
    ctx.fillStyle = ink
    ctx.fillText(label, left, y - 2 * ratio)
  }
  ctx.setLineDash([])
  for (const { at, price, side } of fills) {
    const [x, y] = [plot.valToPos(at / 1000, 'x', true), heightOf(price)]
    if (x < bbox.left || x > bbox.left + bbox.width || !isInside(y)) continue
    const [way, size] = [side === outcome ? 1 : -1, ARROW * ratio]
    ctx.beginPath()
    ctx.moveTo(x, y + way * size * 0.4)
    ctx.lineTo(x - size, y + way * size * 2.2)
    ctx.lineTo(x + size, y + way * size * 2.2)
    ctx.closePath()
    ctx.fillStyle = ink
    ctx.strokeStyle = ground
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}
