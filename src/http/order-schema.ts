import { z } from 'zod'
import type { MarketTerms } from '../core/market.js'
import { oppositeSide } from '../core/settlement.js'
import { TICKS_PER_RUPEE, toRupees, wholeParts } from '../core/units.js'
import type { OrderRequest } from '../exchange/admission.js'
import { storedText } from './validation.js'

const USER_ID_LENGTH_MAX = 128

/** The body of `POST /order/initiate`, fields and texts as spec 4.3 has them, in its order. */
export const orderSchema = z.object({
  event_id: z.string(),
  l1_expected_price: z.number().min(0.1, 'Order price must be a positive integer'),
  l1_order_quantity: z.number().min(0.1, 'Order quantity must be a positive integer'),
  offer_type: z.enum(['buy', 'sell']),
  order_type: z.enum(['LO', 'MO']),
  userid: z
    .union([storedText, z.number().refine(isExact, 'Expected fewer digits, or a text of them')])
    .transform(String)
    .refine(
      userId => userId.length >= 1 && userId.length <= USER_ID_LENGTH_MAX,
      `Expected 1 to ${USER_ID_LENGTH_MAX} characters`,
    ),
  outcome: z.enum(['yes', 'no']).default('yes'),
  self_trade_prevention: z.enum(['taker', 'maker', 'off']).default('taker'),
})

/** Above 2^53 two different numbers of a client arrive as one, and two users would be one. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

export type OrderBody = z.output<typeof orderSchema>

/**
 * The one place where an offer becomes a side of the YES price axis (semantics 1): buying YES and selling NO
 * are `yes`, selling YES and buying NO are `no`, and a NO price p is the YES price payout − p.
 */
export function toOrderRequest(body: OrderBody, terms: MarketTerms): OrderRequest {
  const { outcome, l1_expected_price: askedPrice } = body
  return {
    market: terms.code,
    userId: body.userid,
    side: body.offer_type === 'buy' ? outcome : oppositeSide(outcome),
    orderType: body.order_type,
    selfTrade: body.self_trade_prevention,
    outcome,
    yesPrice: outcome === 'yes' ? askedPrice : yesPriceOf(askedPrice, terms),
    askedPrice,
    quantity: body.l1_order_quantity,
  }
}

/** payout − p, without a float's crumbs where p is a whole number of ticks. */
function yesPriceOf(noPrice: number, terms: MarketTerms): number {
  const parts = wholeParts(noPrice, TICKS_PER_RUPEE)
  return parts === undefined ? toRupees(terms.payout) - noPrice : (terms.payout - parts) / TICKS_PER_RUPEE
}
