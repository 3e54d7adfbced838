import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { rupeesText } from '../../kit/number-texts.js'
import { sparkPath } from '../../kit/spark-path.js'
import { t } from '../../texts/ticket.js'

const STEPS = 40
const WIDTH = 240
const HEIGHT = 72
const MARGIN = 2
const LOTS = 10_000
const POINTS = 10_000

interface FeeCurveProps {
  /** In basis points. */
  readonly rate: number
  readonly payoutTicks: number
  /** The price of a contract; undefined until one is entered or offered. */
  readonly priceTicks: number | undefined
}

/** The fee by price, from 0 to the payout, with a dot at the price of the order. */
export function FeeCurve({ rate, payoutTicks, priceTicks }: FeeCurveProps) {
  // Of the highest fee, which is in the middle.
  const part = (ticks: number) => (4 * ticks * (payoutTicks - ticks)) / payoutTicks ** 2
  const parts = Array.from({ length: STEPS + 1 }, (_, step) => part((step * payoutTicks) / STEPS))
  const rupees = (ticks: number) => rupeesText(ticks / TICKS_PER_RUPEE)
  const fee = (ticks: number) =>
    rupeesText((rate * ticks * (payoutTicks - ticks) * LOTS) / (POINTS * payoutTicks * UNITS_PER_RUPEE))
  const middle = payoutTicks / 2
  const words = [
    t.feeMost(fee(middle), rupees(middle)),
    ...(priceTicks === undefined ? [] : [t.feeHere(fee(priceTicks), rupees(priceTicks))]),
  ].join(' ')
  return (
    <figure class="fee-curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        <path d={sparkPath(parts, WIDTH, HEIGHT)} />
        {priceTicks !== undefined && (
          <circle
            cx={(priceTicks / payoutTicks) * WIDTH}
            cy={HEIGHT - MARGIN - part(priceTicks) * (HEIGHT - 2 * MARGIN)}
            r="4"
          />
        )}
      </svg>
      <p class="fee-curve-ends" aria-hidden="true">
        <span>{rupees(0)}</span>
        <span>{rupees(payoutTicks)}</span>
      </p>
      <figcaption>{words}</figcaption>
    </figure>
  )
}
