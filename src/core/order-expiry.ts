import type { Refusal } from './order.js'
import type { TimeMs } from './units.js'

/** Returns the refusal of an order whose own time is over when it is judged. */
export function expiryRefusal(
  { expiresAt, validUntil }: { readonly expiresAt?: TimeMs; readonly validUntil?: TimeMs },
  at: TimeMs,
): Refusal | undefined {
  if (expiresAt !== undefined && expiresAt <= at) return 'order_expired'
  return validUntil !== undefined && validUntil < at ? 'order_expired' : undefined
}
