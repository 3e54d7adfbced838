import type { ListedMarket } from '../../../client/shapes.js'
import { sparkPath } from '../../kit/spark-path.js'

const WIDTH = 120
const HEIGHT = 36

/** The chance over the last 24 hours; `last` is the latest price. */
export function Sparkline({ market, last }: { readonly market: ListedMarket; readonly last: number | null }) {
  const prices = [...(market.trend ?? []), ...(last === null ? [] : [last])]
  const chances = prices.map(price => price / market.payout)
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <path d={sparkPath(chances, WIDTH, HEIGHT)} />
    </svg>
  )
}
