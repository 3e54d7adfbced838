import type { Order, OrderRequest, RaayClient, TimeInForce } from '../../client/node-client.js'
import { RaayError } from '../../client/node-client.js'
import { oppositeSide } from '../../core/order.js'
import { priceCap } from '../../core/price-cap.js'
import { TICKS_PER_RUPEE, ticks } from '../../core/units.js'
import { Failure, UsageError } from '../exit-errors.js'

/** How much worse than the book shows an order may trade, in percent of the payout; `any` has no limit. */
export type Tolerance = number | 'any'

/** Reads `--tolerance`. Throws UsageError. */
export function toleranceIn(text: string): Tolerance {
  if (text === 'any') return text
  const percent = Number(text)
  if (/^\d{1,3}(?:\.\d{1,2})?$/.test(text) && percent <= 100) return percent
  throw new UsageError(`--tolerance is ${text}: give a percentage from 0 to 100, such as 1, or any`)
}

/**
 * Turns a market order into a limit order that never rests, at the worst price that the book shows for it,
 * and a tolerance. In an event that is not open it stays as it is: the exchange says why it is refused.
 * Throws Failure if there is nobody to trade with.
 */
export async function limitAtMarket(
  client: RaayClient,
  order: OrderRequest,
  tolerance: Tolerance,
): Promise<OrderRequest> {
  const { event_id, offer_type, outcome = 'yes', quantity } = order
  if (order.order_type !== 'MO' || tolerance === 'any') return order
  const [event, book] = await Promise.all([client.fetchMarket(event_id), client.fetchOrderBook(event_id)])
  if (event.status !== 'open') return order
  const side = offer_type === 'buy' ? outcome : oppositeSide(outcome)
  const worst = worstPrice(side === 'yes' ? book.asks : book.bids, quantity)
  if (worst === undefined) {
    const who = offer_type === 'buy' ? 'sells' : 'buys'
    throw new Failure(`nobody ${who} ${outcome.toUpperCase()} right now: give a price instead of market`)
  }
  const payout = ticks(Math.round(event.payout * TICKS_PER_RUPEE))
  const tickSize = ticks(Math.round(event.tick_size * TICKS_PER_RUPEE))
  const cap = priceCap(side, ticks(Math.round(worst * TICKS_PER_RUPEE)), tolerance, { payout, tickSize })
  const price = (outcome === 'yes' ? cap : payout - cap) / TICKS_PER_RUPEE
  const time_in_force: TimeInForce = order.time_in_force === 'FOK' ? 'FOK' : 'IOC'
  return { ...order, order_type: 'LO', price, time_in_force }
}

/**
 * Returns the order that goes by a key already; undefined if there is none. A repeated market order has
 * another limit, and would not pass for the same order. Throws Failure if the key belongs to something else.
 */
export async function placedBefore(client: RaayClient, order: OrderRequest): Promise<Order | undefined> {
  const { client_order_id: key = '', userid, event_id, offer_type, outcome, quantity } = order
  try {
    const found = await client.fetchOrderByClientId(key, userid === undefined ? {} : { userid })
    const asked = { event_id, offer_type, outcome, quantity }
    const isSame = (Object.keys(asked) as (keyof typeof asked)[]).every(name => found[name] === asked[name])
    if (isSame) return found
  } catch (error) {
    if (error instanceof RaayError && error.code === 404) return undefined
    throw error
  }
  throw new Failure(`the key ${key} belongs to another order: give another --key`)
}

/** Returns the price of the last level that a quantity reaches; undefined if there is none. */
function worstPrice(
  levels: readonly (readonly [price: number, quantity: number])[],
  quantity: number,
): number | undefined {
  let left = quantity
  let worst: number | undefined
  for (const [price, offered] of levels) {
    if (left <= 0) break
    worst = price
    left -= offered
  }
  return worst
}

/** Says what a market order could not get within its limit; empty for other orders. */
export function leftAtLimit({
  order_type,
  reason,
  remaining_quantity,
  outcome,
  offer_type,
  price,
}: Order): string {
  if (order_type !== 'LO' || reason !== 'no_liquidity') return ''
  const did = offer_type === 'buy' ? 'bought' : 'sold'
  const better = offer_type === 'buy' ? 'less' : 'more'
  const left = `${remaining_quantity} ${outcome.toUpperCase()}`
  return `${left} were not ${did}: nobody was left at ₹${price.toFixed(2)} or ${better}.\n`
}
