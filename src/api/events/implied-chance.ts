/** A market's best prices and last price, of YES, in one unit. */
export interface Quotes {
  readonly payout: number
  readonly bid: number | null
  readonly ask: number | null
  readonly last: number | null
}

/** Above this share of the payout, the midpoint of the spread means little. */
const SPREAD_MAX = 0.1

/**
 * Returns the chance of YES implied by a market's prices, from 0 to 1: the midpoint if the spread is narrow,
 * else the last trade, else undefined. Whatever shows a chance shows this one.
 */
export function chanceOf({ payout, bid, ask, last }: Quotes): number | undefined {
  const isClose = bid !== null && ask !== null && ask - bid <= payout * SPREAD_MAX + 1e-9
  if (isClose) return (bid + ask) / 2 / payout
  return last === null ? undefined : last / payout
}
