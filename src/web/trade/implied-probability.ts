/** What is known of how a market stands, in rupees of the YES price. */
export interface Quotes {
  readonly payout: number
  readonly bid: number | null
  readonly ask: number | null
  readonly last: number | null
}

/** Wider than this part of the payout, the middle of the spread says little. */
const SPREAD_MAX = 0.1

/**
 * The chance of YES that a market's prices speak of, from 0 to 1: the middle between the best two where they
 * are close, else the last trade, else the middle all the same. Undefined where there is nothing to go by.
 */
export function chanceOf({ payout, bid, ask, last }: Quotes): number | undefined {
  const middle = bid === null || ask === null ? undefined : (bid + ask) / 2
  const isClose = bid !== null && ask !== null && ask - bid <= payout * SPREAD_MAX + 1e-9
  if (middle !== undefined && (isClose || last === null)) return middle / payout
  return last === null ? undefined : last / payout
}
