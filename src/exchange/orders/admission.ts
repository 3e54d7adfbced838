import type { Admission } from '../../core/command.js'
import type { FeeRates } from '../../core/fees.js'
import { feeMaxOfCost, hasFees, NO_FEES, restingHold } from '../../core/fees.js'
import type { MarketStatus, MarketTerms } from '../../core/market.js'
import { betRefusal, PRICE_MARGIN, priceRefusal, statusRefusal } from '../../core/market.js'
import type { Refusal } from '../../core/order.js'
import { MAKERS_MAX } from '../../core/order.js'
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

type Admitted = Extract<Admission, { readonly hold: unknown }>

const NOT_A_PRICE = ticks(0)

/** The terms by which one user's order is admitted. */
export interface OrderTerms extends MarketTerms {
  /** Undefined without fees. */
  readonly fees?: FeeRates | undefined
}

/**
 * Returns the terms of a market for a user: an order of theirs may be worth no more than their own limit, and
 * pays the fees in force.
 */
export function termsFor(terms: MarketTerms, limits: OrderLimits | undefined, rates: FeeRates): OrderTerms {
  const { orderValueMax = terms.maxBet } = limits ?? {}
  const fees = hasFees(rates) ? rates : undefined
  if (fees === undefined && orderValueMax >= terms.maxBet) return terms
  return { ...terms, maxBet: amount(Math.min(terms.maxBet, orderValueMax)), fees }
}

/**
 * Checks an order against the market's rules and the user's buying power. Only decides: the caller holds the
 * money and locks the contracts named in the admission.
 */
export function admit(
  request: OrderRequest,
  terms: OrderTerms,
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
  const { fees } = terms
  // The higher rate: it is not known yet what fills on arrival, and what later.
  const fee = { rate: fees === undefined ? 0 : Math.max(fees.taker, fees.maker), credit: 0 }
  const whole = { side: request.side, price: limit, lots: quantity, covered }
  const hold = restingHold(whole, terms.payout, fee)
  if (hold > available) return { refusal: 'funds_insufficient' }
  const admission = { price: limit, quantity, covered, hold, makersMax: MAKERS_MAX }
  return fees === undefined ? admission : { ...admission, fees }
}

/** Holds a market order's worst case, at most the available balance: the engine stops when it is used up. */
function admitMarketOrder(
  price: PriceTicks,
  quantity: QuantityLots,
  covered: QuantityLots,
  available: Amount,
  terms: OrderTerms,
): Admission {
  const worstPrice = complement(PRICE_MARGIN, terms.payout)
  const worst = times(worstPrice, lots(quantity - covered))
  if (terms.fees !== undefined && terms.fees.taker > 0) {
    return admitWithFees({ price, quantity, covered, makersMax: MAKERS_MAX }, worst, available, terms)
  }
  const affordable = Math.min(available, terms.maxBet)
  const hold = amount(Math.min(worst, affordable))
  if (worst > 0 && hold === NOTHING && covered === 0) {
    return { refusal: available === 0 ? 'funds_insufficient' : 'bet_above_max' }
  }
  const admission = { price, quantity, covered, hold, makersMax: MAKERS_MAX }
  return worst > affordable && terms.maxBet < available ? { ...admission, cappedByBet: true } : admission
}

/** Holds what the order may cost within `max_bet`, and the fee of that; the engine minds both bounds. */
function admitWithFees(
  order: Pick<Admitted, 'price' | 'quantity' | 'covered' | 'makersMax'>,
  worst: Amount,
  available: Amount,
  { maxBet, fees = NO_FEES }: OrderTerms,
): Admission {
  const cost = amount(Math.min(worst, maxBet))
  const hold = amount(Math.min(available, cost + feeMaxOfCost(fees.taker, cost)))
  if (worst > 0 && hold === NOTHING && order.covered === 0) {
    return { refusal: available === 0 ? 'funds_insufficient' : 'bet_above_max' }
  }
  return { ...order, hold, fees, costMax: maxBet }
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
