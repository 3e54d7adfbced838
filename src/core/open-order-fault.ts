import type { MarketTerms } from './market.js'
import type { OrderRecord } from './order-record.js'
import { unfilledOf } from './order-record.js'

const SUFFIX = /^[0-9A-Za-z]{1,32}$/
const SIDES = ['yes', 'no']

/**
 * Returns why a stored open order is inconsistent in itself, whatever the journal says; undefined if it is
 * sound. Whether its user's hold covers it is checked elsewhere, against the account.
 */
export function openOrderFault(order: OrderRecord, { payout, tickSize }: MarketTerms): string | undefined {
  const { side, price, filled, filledValue, covered, timeInForce } = order
  if (!SIDES.includes(side) || !SIDES.includes(order.outcome)) return 'it has no side'
  if (price <= 0 || price >= payout || price % tickSize !== 0)
    return `its price ${price} is not valid in its market`
  if (filled < 0 || unfilledOf(order) <= 0) return `${filled} are filled of ${order.quantity}`
  if (covered < 0 || covered > unfilledOf(order)) return `${covered} are covered of ${unfilledOf(order)}`
  if ((order.state === 'partially_filled') !== filled > 0) return `it is ${order.state} with ${filled} filled`
  const best = filled * price
  const isAsGood = side === 'yes' ? filledValue <= best : filledValue >= best
  if (!isAsGood || filledValue < filled || filledValue > filled * payout)
    return 'its fills are beyond its limit'
  if (order.orderType !== 'LO' || order.reason !== undefined) return 'it has ended'
  if (timeInForce !== (order.expiresAt === undefined ? 'GTC' : 'GTD')) return `it rests as ${timeInForce}`
  if (order.createdAt > order.updatedAt) return 'it changed before it arrived'
  return SUFFIX.test(order.suffix) ? undefined : `its id ends in ${order.suffix}`
}
