import { z } from 'zod'
import type { MarketTerms } from '../../core/market.js'
import { oppositeSide } from '../../core/order.js'
import type { EveryOption } from '../../core/order-options.js'
import { givenOptions, hasOptions } from '../../core/order-options.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { TimeMs } from '../../core/units.js'
import { nearestStep } from '../../core/units.js'
import { yesPriceOf } from '../../core/yes-price.js'
import type { Checked, Same } from '../same-shape.js'
import { userIdField } from '../user-id.js'
import { dateTime } from '../validation.js'
import { canonicalText, keyField } from './order-key.js'
import type { OrderRequest as OrderRequestShape } from './order-shape.js'

const NEVER_WAITS = 'Expected none with order_type MO, which never waits'

/** The body of `POST /order/initiate`: specification 4.3, in its order and words, then Raay's own fields. */
export const orderSchema = z
  .object({
    event_id: z.string().meta({ description: 'The event code' }),
    l1_expected_price: z
      .number()
      .min(0.1, 'Order price must be a positive integer')
      .overwrite(nearestStep)
      .meta({ description: 'INR per contract of the outcome, on the tick, at most payout − 0.1' }),
    l1_order_quantity: z
      .number()
      .min(0.1, 'Order quantity must be a positive integer')
      .overwrite(nearestStep)
      .meta({ description: 'Contracts, a multiple of 0.01' }),
    offer_type: z.enum(['buy', 'sell']),
    order_type: z.enum(['LO', 'MO']).meta({
      description: 'Limit order: at the price or better. Market order: at the best available price',
    }),
    userid: userIdField,
    outcome: z
      .enum(['yes', 'no'])
      .default('yes')
      .meta({ description: 'The outcome to buy or sell, to which the price refers' }),
    self_trade_prevention: z
      .enum(['taker', 'maker', 'off'])
      .default('taker')
      .meta({ description: 'Which order is cancelled instead of a self-trade' }),
    time_in_force: z.enum(['GTC', 'IOC', 'FOK', 'GTD']).optional().meta({
      description:
        'Good till cancelled (LO default), immediate or cancel, fill or kill, good till expires_at',
    }),
    expires_at: dateTime.optional().meta({ description: 'When the unfilled rest expires (GTD)' }),
    post_only: z.boolean().optional().meta({ description: 'Rejected if it would fill immediately' }),
    reduce_only: z.boolean().optional().meta({ description: 'Rejected if it exceeds the contracts held' }),
    client_order_id: keyField.optional(),
    valid_until: dateTime.optional().meta({ description: 'Rejected if it arrives later' }),
  })
  .refine(body => body.order_type !== 'MO' || !waits(body.time_in_force), fault('time_in_force', NEVER_WAITS))
  .refine(body => body.order_type !== 'MO' || body.expires_at === undefined, fault('expires_at', NEVER_WAITS))
  .refine(
    body => body.time_in_force !== 'GTD' || body.expires_at !== undefined,
    fault('expires_at', 'Required'),
  )
  .refine(
    ({ time_in_force: force, expires_at: date }) =>
      date === undefined || force === undefined || force === 'GTD',
    fault('expires_at', 'Expected none with a time_in_force other than GTD'),
  )
  .refine(
    ({ post_only, order_type, time_in_force: force }) =>
      post_only !== true || (order_type !== 'MO' && force !== 'IOC' && force !== 'FOK'),
    fault('post_only', 'Expected an order that may wait: an LO that is neither IOC nor FOK'),
  )
  .meta({ id: 'NewOrder' })

/** Runs even if other fields are wrong, so that the first of all faults is reported. */
function fault(field: string, message: string) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null
  return { path: [field], message, when }
}

function waits(timeInForce: string | undefined): boolean {
  return timeInForce === 'GTC' || timeInForce === 'GTD'
}

type Body = z.output<typeof orderSchema>
/** The fields that a client's request sets; `price` and `quantity` there have longer names in the body. */
type SetByClient =
  | Exclude<keyof OrderRequestShape, 'price' | 'quantity'>
  | ('l1_expected_price' | 'l1_order_quantity')

export type OrderBody = Checked<Body, Same<keyof Body, SetByClient>>

const FIELDS = Object.keys(orderSchema.shape)

/** Returns an order as one text, the same whether or not it spells out its default time in force. */
export function orderText(body: OrderBody): string {
  const { time_in_force: force } = body
  return canonicalText(FIELDS, { ...body, time_in_force: force === impliedForce(body) ? undefined : force })
}

/** Returns the time in force of an order that names none. */
function impliedForce({ order_type, expires_at }: OrderBody): OrderBody['time_in_force'] {
  if (order_type === 'MO') return 'IOC'
  return expires_at === undefined ? 'GTC' : 'GTD'
}

/**
 * Turns an offer into a side of the YES price axis, here and nowhere else (specification 10.2): buying YES or
 * selling NO is `yes`, selling YES or buying NO is `no`, and a NO price p is the YES price payout − p.
 *
 * @param fingerprintOf hashes an order's text, so that a repeat under the same name is recognised
 */
export function toOrderRequest(
  body: OrderBody,
  terms: MarketTerms,
  fingerprintOf: (text: string) => string,
): OrderRequest {
  const { outcome, l1_expected_price: askedPrice, client_order_id } = body
  const plain: OrderRequest = {
    market: terms.code,
    userId: body.userid,
    side: body.offer_type === 'buy' ? outcome : oppositeSide(outcome),
    orderType: body.order_type,
    selfTrade: body.self_trade_prevention,
    outcome,
    yesPrice: yesPriceOf(outcome, askedPrice, terms.payout),
    askedPrice,
    quantity: body.l1_order_quantity,
  }
  const options = toOptions(body)
  if (client_order_id === undefined && !hasOptions(options)) return plain
  return {
    ...plain,
    ...givenOptions(options),
    ...(client_order_id !== undefined && {
      key: { name: client_order_id, fingerprint: fingerprintOf(orderText(body)) },
    }),
  }
}

function toOptions(body: OrderBody): EveryOption {
  const { expires_at, valid_until } = body
  return {
    timeInForce: body.time_in_force,
    expiresAt: expires_at === undefined ? undefined : (Date.parse(expires_at) as TimeMs),
    validUntil: valid_until === undefined ? undefined : (Date.parse(valid_until) as TimeMs),
    postOnly: body.post_only || undefined,
    reduceOnly: body.reduce_only || undefined,
    quoteSet: undefined,
  }
}
