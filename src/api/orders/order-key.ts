import { LIMITS } from '../limits.js'
import { storedText } from '../validation.js'

/** A client's own name for an order (specification 10.7, idempotency). */
export const keyField = storedText
  .refine(
    key => key.length >= 1 && key.length <= LIMITS.orderNameLengthMax,
    `Expected 1 to ${LIMITS.orderNameLengthMax} characters`,
  )
  .meta({
    minLength: 1,
    maxLength: LIMITS.orderNameLengthMax,
    description:
      'Your own name for the order, 1 to 64 characters: the same name and body again is the same order',
  })

/** Returns the fields of a body as one text, independent of how the body was written. */
export function canonicalText(fields: readonly string[], body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields.map(field => body[field] ?? null))
}
