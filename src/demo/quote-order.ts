import type { MarketTerms } from '../core/market.js'
import { PRICE_MARGIN } from '../core/market.js'
import type { OrderRequest } from '../core/order-request.js'
import { complement, ticks, toRupees } from '../core/units.js'
import type { Quote } from './strategy.js'

/** Returns a bot's quote as an order on the market's grid; undefined if no valid price is near. */
export function orderOf(
  quote: Quote,
  terms: MarketTerms,
  userId: string,
  inventory: number,
): OrderRequest | undefined {
  const { side, kind } = quote
  const price = onGrid(quote, terms)
  const quantity = Math.round(quote.quantity)
  if (price === undefined || quantity < 1) return undefined
  // A bot without contracts to sell buys the other outcome, and says so as people do.
  const isNo = side === 'no' ? inventory <= 0 : inventory < 0
  const yesPrice = toRupees(ticks(price))
  const { expiresAt } = quote
  return {
    market: terms.code,
    userId,
    side,
    orderType: kind === 'market' ? 'MO' : 'LO',
    selfTrade: 'taker',
    ...(kind === 'take' ? { timeInForce: 'IOC' as const } : {}),
    ...(kind === 'rest' ? { postOnly: true as const } : {}),
    ...(expiresAt === undefined ? {} : { timeInForce: 'GTD' as const, expiresAt }),
    outcome: isNo ? 'no' : 'yes',
    yesPrice,
    askedPrice: isNo ? toRupees(complement(ticks(price), terms.payout)) : yesPrice,
    quantity,
  }
}

/** Returns the nearest price on the grid that is not worse for the bot; undefined beyond the edges. */
function onGrid({ side, price }: Quote, { payout, tickSize }: MarketTerms): number | undefined {
  const steps = side === 'yes' ? Math.floor(price / tickSize) : Math.ceil(price / tickSize)
  const lowest = Math.ceil(PRICE_MARGIN / tickSize)
  const highest = Math.floor((payout - PRICE_MARGIN) / tickSize)
  return steps < lowest || steps > highest ? undefined : steps * tickSize
}
