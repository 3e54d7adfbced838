import type { Side } from '../../core/order.js'
import type { PriceTicks } from '../../core/units.js'
import { TICKS_PER_RUPEE, toRupees, wholeParts } from '../../core/units.js'

/** The YES price of a price of an outcome, without a float's crumbs where it is a whole number of ticks. */
export function yesPriceOf(outcome: Side, price: number, payout: PriceTicks): number {
  if (outcome === 'yes') return price
  const parts = wholeParts(price, TICKS_PER_RUPEE)
  return parts === undefined ? toRupees(payout) - price : (payout - parts) / TICKS_PER_RUPEE
}
