import type { Identity } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import { userIdOf } from '../../api/new-user-id.js'
import { keyField } from '../../api/orders/order-key.js'
import { orderSchema, toOrderRequest } from '../../api/orders/order-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { PriceTicks } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RunningPart } from '../../exchange/orders/named-batches.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'
import { busy } from '../middleware/capacity-refusal.js'
import { headerOf } from '../middleware/header-of.js'
import { marketOf } from './event-handlers.js'
import { checkUser, withOwnUser } from '../routing/needs.js'
import type { Call } from '../routing/handle.js'

/** A placed order, and the payout of its market. */
export interface Placed {
  readonly order: OrderRecord
  readonly payout: PriceTicks
}

/**
 * Validates a body and places its order, for the caller unless it names another user; resolves when it is on
 * disk. Throws 403, 404, 409, 422, 503.
 */
export async function placeFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
  batch?: RunningPart,
): Promise<Placed> {
  const body = validate(orderSchema, withOwnUser(caller, input))
  checkUser(caller, body.userid, 'trade')
  const { terms } = marketOf(exchange, body.event_id)
  const userid = userIdOf(exchange.archive, body.userid)
  const request = toOrderRequest(userid === body.userid ? body : { ...body, userid }, terms, fingerprintOf)
  const order = await exchange.placeOrder(batch === undefined ? request : { ...request, batch })
  if (order === 'key_used') throw new ApiError(409, REFUSED.orderKeyUsed, 'key_used')
  if (typeof order === 'string') throw busy(order)
  return { order, payout: terms.payout }
}

/** Takes the `client_order_id` from the header `Idempotency-Key`, if given; both at once must agree. */
export function withIdempotencyKey(call: Call, input: unknown): unknown {
  const key = headerOf(call.c, 'idempotency-key')
  if (key === undefined || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { client_order_id: named } = input as { readonly client_order_id?: unknown }
  if (named !== undefined && named !== key) {
    throw new ApiError(422, 'client_order_id: Expected the same as the header Idempotency-Key')
  }
  checkKey(key)
  return { ...input, client_order_id: key }
}

/** Throws 422 if a header is not a valid name. */
export function checkKey(key: string): void {
  const checked = keyField.safeParse(key)
  if (!checked.success) throw new ApiError(422, `Idempotency-Key: ${checked.error.issues[0]?.message}`)
}
