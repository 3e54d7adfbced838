import type { MarketTerms } from '../../core/market.js'
import { tradeId } from '../../core/market.js'
import { orderId } from '../../core/order-record.js'
import type { ValuedPosition } from '../../core/records/position-record.js'
import type { FillRow } from '../../core/records/trade-record.js'
import { amount, amountToRupees, complement, ticks, times, toContracts, toRupees } from '../../core/units.js'
import type { FillAnswer, PositionAnswer } from './portfolio-answer.js'

/**
 * Returns a user's contracts in an event and their result so far (specification 11). The cost is exact, and
 * so are `realised` and `unrealised`, which sum to the user's gain if everything were sold at the last price;
 * only the average is rounded, to ₹0.01.
 */
export function positionView(position: ValuedPosition, { payout, pool }: MarketTerms): PositionAnswer {
  const { market, yes, no, yesLocked, noLocked, paid, cost, lastPrice } = position
  const price = lastPrice ?? ticks(0)
  const value = times(price, yes) + times(complement(price, payout), no)
  const known = cost !== undefined && lastPrice !== null
  return {
    event_id: String(market),
    yes: toContracts(yes),
    no: toContracts(no),
    yes_locked: toContracts(yesLocked),
    no_locked: toContracts(noLocked),
    average_price: known ? toRupees(ticks(Math.round(cost / (yes + no)))) : null,
    // What was put into an exclusive group is counted for the whole group.
    realised: known && pool === undefined ? amountToRupees(amount(cost - paid)) : null,
    unrealised: known ? amountToRupees(amount(value - cost)) : null,
  }
}

/**
 * Returns a user's part in a trade. `price` refers to the outcome that the order named, as the order shows
 * it.
 */
export function fillView(fill: FillRow, { payout }: MarketTerms): FillAnswer {
  const { market, trade, side, outcome, price, quantity, isTaker, at, change, fee } = fill
  return {
    tradeId: tradeId(market, trade),
    event_id: String(market),
    order_id: orderId(fill),
    side,
    outcome,
    price: toRupees(outcome === 'yes' ? price : complement(price, payout)),
    qty: toContracts(quantity),
    role: isTaker === 1 ? 'taker' : 'maker',
    ts: new Date(at).toISOString(),
    ts_ms: at,
    amount: amountToRupees(amount(change)),
    ...(fee > 0 && { fee: amountToRupees(amount(fee)) }),
  }
}
