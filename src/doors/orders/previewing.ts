import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { userIdOf } from '../../api/new-user-id.js'
import { orderSchema, toOrderRequest } from '../../api/orders/order-schema.js'
import type { PreviewAnswer, QueueAnswer, QueuedAnswer } from '../../api/orders/preview-answer.js'
import { queueQuery } from '../../api/orders/preview-routes.js'
import { ignoredFields } from '../../api/unknown-fields.js'
import { validate } from '../../api/validation.js'
import type { OrderRecord } from '../../core/order-record.js'
import { orderId } from '../../core/order-record.js'
import type { PriceTicks } from '../../core/units.js'
import { amountToRupees, complement, lots, NOTHING, ticks, toContracts, toRupees } from '../../core/units.js'
import type { QueuePlace } from '../../engine/book-questions.js'
import type { Exchange } from '../../exchange/exchange.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'
import { busy, unlessBusy } from '../capacity-refusal.js'
import { marketOf } from '../market-of.js'
import { checkUser, withOwnUser } from '../own-user.js'
import type { Envelope } from './order-envelope.js'

/**
 * Validates the body of an order and says what it would do now, for the caller unless it names another user.
 * Throws as placing it would.
 */
export async function previewFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
): Promise<Envelope<200, PreviewAnswer>> {
  const body = validate(orderSchema, withOwnUser(caller, input))
  ignoredFields(orderSchema, input)
  checkUser(caller, body.userid, 'trade')
  const { terms } = marketOf(exchange, body.event_id)
  const userid = userIdOf(exchange.archive, body.userid)
  const request = toOrderRequest({ ...body, userid }, terms, fingerprintOf)
  const preview = unlessBusy(await exchange.previews.preview(request))
  if (typeof preview === 'string') throw busy(preview)
  const named = (price: PriceTicks) =>
    toRupees(request.outcome === 'yes' ? price : complement(price, terms.payout))
  const { state, reason = null, fills, left, held, fee, feeMax } = preview
  const filled = fills.reduce((sum, [, quantity]) => sum + quantity, 0)
  const value = fills.reduce((sum, [price, quantity]) => sum + price * quantity, 0)
  const additional: PreviewAnswer = {
    event_id: String(terms.code),
    userid,
    state,
    reason,
    held: amountToRupees(held),
    fills: fills.map(([price, quantity]) => ({ price: named(price), quantity: toContracts(quantity) })),
    filled_quantity: toContracts(lots(filled)),
    remaining_quantity: toContracts(left),
    average_price: filled > 0 ? named(ticks(Math.round(value / filled))) : null,
    fee_max: amountToRupees(feeMax ?? NOTHING),
    ...(feeMax !== undefined && { fee: amountToRupees(fee) }),
  }
  return { status: true, code: 200, message: DONE.orderPreviewed, additional }
}

/** Returns what fills before each open order of a user in an event. Throws 403, 404, 422, 503. */
export async function queueFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
): Promise<Envelope<200, { readonly orders: readonly QueuedAnswer[] }>> {
  const { userid, event_id } = validate(queueQuery, withOwnUser(caller, input))
  checkUser(caller, userid, 'read')
  const { code } = marketOf(exchange, event_id).terms
  const { userId } = exchange.archive.userNamed(userid)
  const queued = unlessBusy(await exchange.previews.queueOf(userId, code))
  const orders = queued.map(({ order, place }) => ({ id: orderId(order), ...placeView(place) }))
  return { status: true, code: 200, message: DONE.queueFetched, additional: { orders } }
}

/** Returns what fills before an order; null if it does not rest. Throws 503. */
export async function queueOf(exchange: Exchange, order: OrderRecord): Promise<QueueAnswer | null> {
  const place = unlessBusy(await exchange.previews.placeOf(order))
  return place === undefined ? null : placeView(place)
}

function placeView({ lotsAhead, ordersAhead, isAtLeast }: QueuePlace): QueueAnswer {
  const place = { contracts_ahead: toContracts(lotsAhead), orders_ahead: ordersAhead }
  return isAtLeast ? { ...place, at_least: true } : place
}
