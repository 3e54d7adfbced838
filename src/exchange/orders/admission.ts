import type { Admission } from '../../core/command.js'
import type { MarketStatus, MarketTerms } from '../../core/market.js'
import { betRefusal, PRICE_MARGIN, priceRefusal, statusRefusal } from '../../core/market.js'
import type { Refusal } from '../../core/order.js'
import { MAKERS_MAX, unitCost } from '../../core/order.js'
import { expiryRefusal } from '../../core/order-options.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { Amount, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { OrderLimits } from '../exchange-options.js'
import {
  amount,
  complement,
  LOTS_PER_CONTRACT,
  least,
  lots,
  NOTHING,
  QUANTITY_LOTS_MAX,
  TICKS_PER_RUPEE,
  ticks,
  times,
  wholeParts,
} from '../../core/units.js'

/** A user's resources for an order: contracts that it would sell, and money. */
export interface BuyingPower {
  readonly contracts: QuantityLots
  readonly money: Amount
}

const NOT_A_PRICE = ticks(0)

/** Returns the terms of a market for a user: an order of theirs may be worth no more than their own limit. */
export function termsFor(terms: MarketTerms, limits: OrderLimits | undefined): MarketTerms {
  const { orderValueMax } = limits ?? {}
  return orderValueMax === undefined || orderValueMax >= terms.maxBet
    ? terms
    : { ...terms, maxBet: orderValueMax }
}

/**
 * Checks an order against the market's rules and the user's buying power. Only decides: the caller holds the
 * money and locks the contracts named in the admission.
 */
export function admit(
  request: OrderRequest,
  terms: MarketTerms,
  status: MarketStatus,
  now: TimeMs,
  power: BuyingPower,
): Admission {
  const closed = statusRefusal(status)
  if (closed !== undefined) return { refusal: closed }
  const expired = expiryRefusal(request, now)
  if (expired !== undefined) return { refusal: expired }

  const isLimit = request.orderType === 'LO'
  const price = priceOf(request, terms)
  const offGrid = isLimit ? priceRefusal(terms, request.yesPrice, price) : undefined
  if (offGrid !== undefined) return { refusal: offGrid }
  const quantity = quantityOf(request.quantity)
  if (typeof quantity === 'string') return { refusal: quantity }

  const covered = least(power.contracts, quantity)
  const uncovered = lots(quantity - covered)
  const available = power.money
  if (request.reduceOnly && uncovered > 0) return { refusal: 'position_insufficient' }
  if (!isLimit) return admitMarketOrder(price ?? NOT_A_PRICE, quantity, covered, available, terms)

  const limit = price ?? NOT_A_PRICE
  const bet = betRefusal(terms, request.side, limit, quantity, covered)
  if (bet !== undefined) return { refusal: bet }
  const hold = times(unitCost(request.side, limit, terms.payout), uncovered)
  if (hold > available) return { refusal: 'funds_insufficient' }
  return { price: limit, quantity, covered, hold, makersMax: MAKERS_MAX }
}

/** Holds a market order's worst case, at most the available balance: the engine stops when it is used up. */
function admitMarketOrder(
  price: PriceTicks,
  quantity: QuantityLots,
  covered: QuantityLots,
  available: Amount,
  terms: MarketTerms,
): Admission {
  const worstPrice = complement(PRICE_MARGIN, terms.payout)
  const worst = times(worstPrice, lots(quantity - covered))
  const affordable = Math.min(available, terms.maxBet)
  const hold = amount(Math.min(worst, affordable))
  if (worst > 0 && hold === NOTHING && covered === 0) {
    return { refusal: available === 0 ? 'funds_insufficient' : 'bet_above_max' }
  }
  const admission = { price, quantity, covered, hold, makersMax: MAKERS_MAX }
  return worst > affordable && terms.maxBet < available ? { ...admission, cappedByBet: true } : admission
}

/** Returns the YES price in ticks; undefined if the asked price is not between zero and the payout. */
function priceOf(request: OrderRequest, terms: MarketTerms): PriceTicks | undefined {
  const parts = wholeParts(request.yesPrice, TICKS_PER_RUPEE)
  return parts !== undefined && parts > 0 && parts < terms.payout ? ticks(parts) : undefined
}

function quantityOf(contracts: number): QuantityLots | Refusal {
  if (contracts > QUANTITY_LOTS_MAX / LOTS_PER_CONTRACT) return 'quantity_too_large'
  const parts = wholeParts(contracts, LOTS_PER_CONTRACT)
  return parts === undefined ? 'quantity_off_step' : lots(parts)
}
