import type { Side } from './order.js'
import type { PriceTicks } from './units.js'
import { TICKS_PER_RUPEE, toRupees, wholeParts } from './units.js'

/** Returns the YES price of an outcome's price; exact if it is a whole number of ticks. */
export function yesPriceOf(outcome: Side, price: number, payout: PriceTicks): number {
  if (outcome === 'yes') return price
  const parts = wholeParts(price, TICKS_PER_RUPEE)
  return parts === undefined ? toRupees(payout) - price : (payout - parts) / TICKS_PER_RUPEE
}
