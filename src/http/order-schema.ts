import { z } from 'zod'
import type { MarketTerms } from '../core/market.js'
import { oppositeSide } from '../core/settlement.js'
import type { TimeMs } from '../core/units.js'
import { TICKS_PER_RUPEE, toRupees, wholeParts } from '../core/units.js'
import type { OrderRequest } from '../exchange/admission.js'
import { userIdField } from './user-id.js'
import { dateTime } from './validation.js'

const NEVER_WAITS = 'Expected none with order_type MO, which never waits'

/** The body of `POST /order/initiate`, fields and texts as spec 4.3 has them, in its order, and ours. */
export const orderSchema = z
  .object({
    event_id: z.string(),
    l1_expected_price: z.number().min(0.1, 'Order price must be a positive integer'),
    l1_order_quantity: z.number().min(0.1, 'Order quantity must be a positive integer'),
    offer_type: z.enum(['buy', 'sell']),
    order_type: z.enum(['LO', 'MO']),
    userid: userIdField,
    outcome: z.enum(['yes', 'no']).default('yes'),
    self_trade_prevention: z.enum(['taker', 'maker', 'off']).default('taker'),
    time_in_force: z.enum(['GTC', 'GTD']).optional(),
    expires_at: dateTime.optional(),
  })
  .refine(
    body => body.order_type !== 'MO' || body.time_in_force === undefined,
    fault('time_in_force', NEVER_WAITS),
  )
  .refine(body => body.order_type !== 'MO' || body.expires_at === undefined, fault('expires_at', NEVER_WAITS))
  .refine(
    body => body.time_in_force !== 'GTD' || body.expires_at !== undefined,
    fault('expires_at', 'Required'),
  )
  .refine(
    body => body.time_in_force !== 'GTC' || body.expires_at === undefined,
    fault('expires_at', 'Expected none with time_in_force GTC'),
  )

/** Asked also where other fields are wrong, so that the first of all faults is the one that is named. */
function fault(field: string, message: string) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null
  return { path: [field], message, when }
}

export type OrderBody = z.output<typeof orderSchema>

/**
 * The one place where an offer becomes a side of the YES price axis (semantics 1): buying YES and selling NO
 * are `yes`, selling YES and buying NO are `no`, and a NO price p is the YES price payout − p.
 */
export function toOrderRequest(body: OrderBody, terms: MarketTerms): OrderRequest {
  const { outcome, l1_expected_price: askedPrice, expires_at } = body
  return {
    market: terms.code,
    userId: body.userid,
    side: body.offer_type === 'buy' ? outcome : oppositeSide(outcome),
    orderType: body.order_type,
    selfTrade: body.self_trade_prevention,
    ...(expires_at !== undefined && { expiresAt: Date.parse(expires_at) as TimeMs }),
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
