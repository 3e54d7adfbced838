import { ApiError } from '../../api/api-error.js'
import { keyField } from '../../api/orders/order-key.js'
import { headerOf } from '../middleware/header-of.js'
import type { Call } from '../routing/handle.js'

/** Returns the name in the header `Idempotency-Key`; undefined without one. Throws 422. */
export function idempotencyKeyOf({ c }: Pick<Call, 'c'>): string | undefined {
  const key = headerOf(c, 'idempotency-key')
  if (key === undefined) return undefined
  const checked = keyField.safeParse(key)
  if (!checked.success) throw new ApiError(422, `Idempotency-Key: ${checked.error.issues[0]?.message}`)
  return key
}

/** Takes the `client_order_id` from the header `Idempotency-Key`, if given; both at once must agree. */
export function withIdempotencyKey(call: Call, input: unknown): unknown {
  const key = headerOf(call.c, 'idempotency-key')
  if (key === undefined || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { client_order_id: named } = input as { readonly client_order_id?: unknown }
  if (named !== undefined && named !== key) {
    throw new ApiError(422, 'client_order_id: Expected the same as the header Idempotency-Key')
  }
  return { ...input, client_order_id: idempotencyKeyOf(call) }
}
