import { canonicalText } from '../../api/orders/order-key.js'
import { orderSchema, orderText } from '../../api/orders/order-schema.js'
import type { BatchKey } from '../../core/command.js'
import { fingerprintOf } from '../../exchange/orders/fingerprint.js'

/** What a batch brings: either of the two. */
interface BatchBody {
  readonly orders?: readonly unknown[] | undefined
  readonly cancels?: readonly unknown[] | undefined
}

/**
 * Returns what a batch is kept under. A name belongs to the user of the first order; all batches of cancels
 * share one space of names.
 */
export function batchKeyOf(key: string, body: BatchBody): BatchKey {
  const words = { orders: body.orders?.map(wordsOf) ?? null, cancels: body.cancels?.map(textOf) ?? null }
  const name = JSON.stringify([ownerOf(body.orders?.[0]), key])
  return { name, fingerprint: fingerprintOf(canonicalText(['orders', 'cancels'], words)) }
}

/** The user whom the first order names, right or wrong; nobody where it names none. */
function ownerOf(first: unknown): string | null {
  if (typeof first !== 'object' || first === null) return null
  const { userid } = first as { readonly userid?: unknown }
  return typeof userid === 'string' || typeof userid === 'number' ? String(userid) : null
}

/** One order in words that are the same however it was written. */
function wordsOf(item: unknown): string {
  const { success, data } = orderSchema.safeParse(item)
  return success ? fingerprintOf(orderText(data)) : textOf(item)
}

/** What is nested too deeply to be written is wrong anyway. */
function textOf(item: unknown): string {
  try {
    return JSON.stringify(item) ?? ''
  } catch {
    return 'too deep'
  }
}
