import type { Admission } from '../../core/command.js'
import { restingHold } from '../../core/fees.js'
import type { MarketStatus, MarketTerms } from '../../core/market.js'
import { unitCost } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { unfilledOf } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { Amount, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import { lots, NOTHING, times } from '../../core/units.js'
import type { BuyingPower, OrderTerms } from './admission.js'
import { admit } from './admission.js'

/** The size of an order. */
interface Size {
  /** All of it, including what is filled. */
  readonly quantity: QuantityLots
  /** The open part. */
  readonly rest: QuantityLots
  /** The part of the rest that sells contracts its owner holds. */
  readonly covered: QuantityLots
}

/** An open order at a smaller size, such as after its reductions in flight. */
export interface Ahead extends Size {
  readonly order: OrderRecord
}

/** Returns an open order as it is after a reduction: the part paid in cash goes first, then the covered. */
export function reducedBy(order: OrderRecord, by: QuantityLots): Ahead {
  const before = unfilledOf(order)
  const rest = lots(Math.max(0, before - by))
  return { order, quantity: lots(order.quantity - by), rest, covered: lots(Math.min(order.covered, rest)) }
}

/** Returns what an open order at a smaller size holds. */
export function holdOf({ order, rest, covered }: Ahead, payout: PriceTicks): Amount {
  const { side, price, feeMaker, feeCredit } = order
  return restingHold({ side, price, lots: rest, covered }, payout, { rate: feeMaker, credit: feeCredit })
}

/** Admits the order that is to replace one, as `admit` does, but with the minimum of an amended order. */
export function admitAmended(
  request: OrderRequest,
  terms: OrderTerms,
  status: MarketStatus,
  now: TimeMs,
  power: BuyingPower,
  before: Ahead,
): Admission {
  const admission = admit(request, { ...terms, minBet: NOTHING }, status, now, power)
  if ('refusal' in admission) return admission
  const { quantity: rest, covered, price } = admission
  const after = { quantity: lots(before.order.filled + rest), rest, covered }
  return isBelowMin(terms, before, after, price) ? { refusal: 'bet_below_min' } : admission
}

/**
 * Returns true if an amendment makes an order smaller than `min_bet`. What has been filled counts as part of
 * it, for fills may leave any rest; so does an order that a fill or an edit of `min_bet` has made too small,
 * which may change its price alone. An order that ends or only sells contracts has no minimum.
 */
export function isBelowMin(terms: MarketTerms, before: Ahead, after: Size, price: PriceTicks): boolean {
  if (after.rest <= after.covered) return false
  const { side, price: priceBefore } = before.order
  const isSmall = (at: PriceTicks, { quantity }: Size) =>
    times(unitCost(side, at, terms.payout), quantity) < terms.minBet
  if (!isSmall(price, after)) return false
  return !isSmall(priceBefore, before) || after.quantity !== before.quantity
}
