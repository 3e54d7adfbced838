import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { userIdOf } from '../../api/new-user-id.js'
import { orderSchema, toOrderRequest } from '../../api/orders/order-schema.js'
import { orderView } from '../../api/orders/order-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { ignoredFields } from '../../api/unknown-fields.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { PriceTicks } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RunningPart } from '../../exchange/orders/named-batches.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'
import { busy } from '../capacity-refusal.js'
import { marketOf } from '../market-of.js'
import { checkUser, withOwnUser } from '../own-user.js'
import type { OrderEnvelope } from './order-envelope.js'

/** A placed order, and the payout of its market. */
export interface Placed {
  readonly order: OrderRecord
  readonly payout: PriceTicks
  /** The fields of the body that had no effect. */
  readonly ignored: readonly string[]
}

/**
 * Validates a body and places its order, for the caller unless it names another user; resolves when it is on
 * disk. The order arrives with this call. Throws 403, 404, 422 at once, or rejects with 409, 503. No async
 * function: it would keep the body and all that was made of it until the order is on disk.
 */
export function placeFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
  batch?: RunningPart,
): Promise<Placed> {
  const body = validate(orderSchema, withOwnUser(caller, input))
  const ignored = ignoredFields(orderSchema, input)
  checkUser(caller, body.userid, 'trade')
  const { terms } = marketOf(exchange, body.event_id)
  const userid = userIdOf(exchange.archive, body.userid)
  const request = toOrderRequest(userid === body.userid ? body : { ...body, userid }, terms, fingerprintOf)
  const { payout } = terms
  return exchange.placeOrder(batch === undefined ? request : { ...request, batch }).then(order => {
    if (order === 'key_used') throw new ApiError(409, REFUSED.orderKeyUsed, 'key_used')
    if (typeof order === 'string') throw busy(order)
    return { order, payout, ignored }
  })
}

/** Returns the envelope of a placed order, as of the end of its batch. */
export function placedEnvelope({ order, payout }: Omit<Placed, 'ignored'>): OrderEnvelope {
  return { status: true, code: 201, message: DONE.orderPlaced, additional: orderView(order, payout) }
}
