import type { MarketTerms } from './market.js'
import { PRICE_MARGIN } from './market.js'
import type { Side } from './order.js'
import type { PriceTicks } from './units.js'
import { ticks } from './units.js'

/**
 * Returns the limit, as a YES price, of an order that is sent at market: the worst price that it would meet
 * now, and beyond it a tolerance in percent of the payout. It is on the tick, and within the market's range.
 */
export function priceCap(
  side: Side,
  worst: PriceTicks,
  tolerancePercent: number,
  { payout, tickSize }: Pick<MarketTerms, 'payout' | 'tickSize'>,
): PriceTicks {
  const tolerance = Math.floor((payout * tolerancePercent) / 100 / tickSize) * tickSize
  const [lowest, highest] = priceBounds({ payout, tickSize })
  return ticks(side === 'yes' ? Math.min(highest, worst + tolerance) : Math.max(lowest, worst - tolerance))
}

/** Returns the lowest and the highest price that the exchange accepts. */
export function priceBounds({
  payout,
  tickSize,
}: Pick<MarketTerms, 'payout' | 'tickSize'>): readonly [PriceTicks, PriceTicks] {
  return [
    ticks(Math.ceil(PRICE_MARGIN / tickSize) * tickSize),
    ticks(Math.floor((payout - PRICE_MARGIN) / tickSize) * tickSize),
  ]
}
