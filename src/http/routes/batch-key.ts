import { canonicalText } from '../../api/orders/order-key.js'
import { orderSchema, orderText } from '../../api/orders/order-schema.js'
import type { BatchKey } from '../../core/command.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'

/** The body of a batch: either of the two. */
interface BatchBody {
  readonly orders?: readonly unknown[] | undefined
  readonly cancels?: readonly unknown[] | undefined
}

/**
 * Returns the key of a named batch. A name belongs to the user of the first order; all batches of cancels
 * share one space of names.
 */
export function batchKeyOf(key: string, body: BatchBody): BatchKey {
  const words = { orders: body.orders?.map(wordsOf) ?? null, cancels: body.cancels?.map(textOf) ?? null }
  const name = JSON.stringify([ownerOf(body.orders?.[0]), key])
  return { name, fingerprint: fingerprintOf(canonicalText(['orders', 'cancels'], words)) }
}

/** Returns the user named by the first order, valid or not; null if it names none. */
function ownerOf(first: unknown): string | null {
  if (typeof first !== 'object' || first === null) return null
  const { userid } = first as { readonly userid?: unknown }
  return typeof userid === 'string' || typeof userid === 'number' ? String(userid) : null
}

/** Returns one order as text, the same however it was written. */
function wordsOf(item: unknown): string {
  const { success, data } = orderSchema.safeParse(item)
  return success ? fingerprintOf(orderText(data)) : textOf(item)
}

/** Serializes a value; one nested too deeply to serialize is invalid anyway. */
function textOf(item: unknown): string {
  try {
    return JSON.stringify(item) ?? ''
  } catch {
    return 'too deep'
  }
}
