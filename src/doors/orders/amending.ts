import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { reasonWords } from '../../api/orders/order-reason-texts.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { assert } from '../../core/assert.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Amendment } from '../../exchange/orders/order-amendments.js'
import { amendmentKeyOf } from './batch-key.js'
import { found, mayTouchAs } from './ending.js'
import type { OrderEnvelope } from './order-envelope.js'
import { orderEnvelope } from './order-envelope.js'

/**
 * Amends an open order; returns the order now in force. With a name, it has an effect once. Throws 404, also
 * for an order of a user for whom the caller may not act, 409 and 503.
 */
export async function amendOne(
  exchange: Exchange,
  caller: Identity,
  { id, key }: { readonly id: string; readonly key?: string | undefined },
  body: Omit<Amendment, 'name'>,
): Promise<OrderEnvelope> {
  const name = key === undefined ? key : amendmentKeyOf(exchange.archive, caller, { id, key }, body)
  const amended = await exchange.amendOrder(id, { ...body, name }, mayTouchAs(caller))
  if (amended === 'key_used') throw new ApiError(409, REFUSED.amendmentKeyUsed, 'key_used')
  if (typeof amended === 'object' && 'endedBefore' in amended) {
    const { state } = amended.endedBefore
    throw new ApiError(409, `Order is ${state}: only an open order can be amended`, 'order_ended')
  }
  const order = found(amended)
  if (order.state === 'rejected') throw notAmended(order)
  return orderEnvelope(exchange, DONE.orderAmended, order)
}

function notAmended({ reason }: OrderRecord): ApiError {
  assert(reason !== undefined, 'a rejected order has a reason')
  return new ApiError(409, `Order is not amended: ${reasonWords(reason)}`, reason)
}
