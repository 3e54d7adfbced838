import { ApiError } from '../api/api-error.js'
import { REFUSED } from '../api/refusal-texts.js'
import { CELLS_MAX } from '../core/house/quote-table.js'
import type { MarketTerms } from '../core/market.js'
import { PRICE_MARGIN } from '../core/market.js'
import { amount, amountToRupees, ticks, toRupees } from '../core/units.js'
import type { PriceTicks } from '../core/units.js'
import type { FundingRefused, FundingRequest } from '../exchange/house/house-budgets.js'
import { busy } from './capacity-refusal.js'

/** Amounts of 1/100 rupee, in which budgets are given. */
const PAISA = 100

/** Returns the refusal of house quotes that were to be funded together. */
export function fundingRefusal(refused: FundingRefused, outcomesCount: number): ApiError {
  switch (refused.refusal) {
    case 'quotes_running':
      return new ApiError(409, REFUSED.quotesRunning, refused.refusal)
    case 'rounds_full':
      return new ApiError(409, REFUSED.roundsFull, refused.refusal)
    case 'market_over':
      return new ApiError(409, `Event is ${refused.request.market.pendingStatus}: it can no longer be quoted`)
    case 'budget_too_small': {
      const least = Math.ceil((refused.atLeast * outcomesCount) / PAISA) * PAISA
      return new ApiError(422, `budget: Expected at least ${inRupees(amount(least))}`)
    }
    case 'above_ceiling': {
      const left = Math.floor(refused.left / PAISA) * PAISA
      const all = `all house quotes together may be given ${inRupees(refused.most)}`
      return new ApiError(422, `budget: Expected at most ${inRupees(amount(left))}: ${all}`)
    }
    case 'no_rungs':
    case 'rungs_too_many':
      return new ApiError(422, stepText(refused.request, refused.refusal))
    default:
      return busy(refused.refusal)
  }
}

/** Returns the prices of a market in words. */
export function gridText({ payout, tickSize }: MarketTerms): string {
  const lowest = ticks(Math.ceil(PRICE_MARGIN / tickSize) * tickSize)
  const highest = ticks(Math.floor((payout - PRICE_MARGIN) / tickSize) * tickSize)
  return `${priceText(lowest)} to ${priceText(highest)}, in steps of ${priceText(tickSize)}`
}

export function priceText(price: PriceTicks): string {
  return `₹${toRupees(price).toFixed(2)}`
}

function stepText({ market, startPrice }: FundingRequest, refusal: 'no_rungs' | 'rungs_too_many'): string {
  const { payout, tickSize } = market.terms
  const onGrid = (price: number, round: (value: number) => number) => {
    return priceText(ticks(round(price / tickSize) * tickSize))
  }
  if (refusal === 'rungs_too_many') {
    const least = (payout - 2 * PRICE_MARGIN) / CELLS_MAX
    return `step: Expected at least ${onGrid(least, Math.ceil)}`
  }
  const most = Math.max(startPrice - PRICE_MARGIN, payout - PRICE_MARGIN - startPrice)
  if (most < tickSize) return 'start_price: The event has no other price, so it cannot be quoted'
  return `step: Expected at most ${onGrid(most, Math.floor)}`
}

const inRupees = (value: Parameters<typeof amountToRupees>[0]) => `₹${amountToRupees(value)}`
