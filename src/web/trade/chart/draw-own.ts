import type { Side } from '../../../core/order.js'
import { chanceText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'
import type { ChartContent } from './chart-content.js'
import type { MarkStyle } from './chart-marks.js'
import { freePlace } from './free-place.js'
import type { OwnMarks } from './own-marks.js'
import type { Plot } from './plot.js'

interface Shown {
  readonly outcome: Side
  readonly payout: number
  readonly unit: 'chance' | 'rupees'
}

const DASH = [6, 4]
const LABEL_GAP = 5
const LABEL_HEIGHT = 14
const ARROW = 5

/** Draws the user’s average price as a line, and their trades as arrows: up for more of the outcome shown. */
export function drawOwn(
  { ctx, area, xOf, yOf }: Plot,
  { average, fills }: OwnMarks,
  points: ChartContent['points'],
  { outcome, payout, unit }: Shown,
  { font, ink, ground }: MarkStyle,
): void {
  const [right, bottom] = [area.left + area.width, area.top + area.height]
  const ofOutcome = (yesPrice: number) => (outcome === 'yes' ? yesPrice : payout - yesPrice)
  const heightOf = (yesPrice: number) => yOf((ofOutcome(yesPrice) / payout) * 100)
  const isInside = (y: number) => y >= area.top && y <= bottom
  ctx.save()
  Object.assign(ctx, { font, strokeStyle: ink, lineWidth: 1, textAlign: 'left', textBaseline: 'bottom' })
  if (average !== undefined && isInside(heightOf(average))) {
    const y = Math.round(heightOf(average))
    ctx.setLineDash(DASH)
    ctx.beginPath()
    ctx.moveTo(area.left, y + 0.5)
    ctx.lineTo(right, y + 0.5)
    ctx.stroke()
    const price = ofOutcome(average)
    const label = t.yourAverage(unit === 'chance' ? chanceText(price / payout) : rupeesText(price))
    const course = points.map(point => ({ x: xOf(point.at), y: heightOf(point.price) }))
    const room = { left: area.left + LABEL_GAP, right: right - LABEL_GAP, height: LABEL_HEIGHT }
    const { x, bottom } = freePlace(course, { level: y, width: ctx.measureText(label).width, ...room })
    // Where there is no free place, the course stays in sight between the letters.
    ctx.setLineDash([])
    Object.assign(ctx, { strokeStyle: ground, lineWidth: 3, lineJoin: 'round', fillStyle: ink })
    ctx.strokeText(label, x, bottom)
    ctx.fillText(label, x, bottom)
    ctx.lineWidth = 1
  }
  ctx.setLineDash([])
  ctx.fillStyle = ink
  ctx.strokeStyle = ground
  for (const { at, price, side } of fills) {
    const [x, y] = [xOf(at), heightOf(price)]
    if (x < area.left || x > right || !isInside(y)) continue
    const tip = (side === outcome ? 1 : -1) * ARROW
    ctx.beginPath()
    ctx.moveTo(x, y + tip * 0.4)
    ctx.lineTo(x - ARROW, y + tip * 2.2)
    ctx.lineTo(x + ARROW, y + tip * 2.2)
    ctx.closePath()
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}
