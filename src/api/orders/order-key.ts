import { createHash } from 'node:crypto'
import { storedText } from '../validation.js'

const KEY_LENGTH_MAX = 64
/** 132 bits: two bodies with one fingerprint are never met. */
const FINGERPRINT_LENGTH = 22

/** What a client may call an order (specification 10.7, idempotency). */
export const keyField = storedText
  .refine(
    key => key.length >= 1 && key.length <= KEY_LENGTH_MAX,
    `Expected 1 to ${KEY_LENGTH_MAX} characters`,
  )
  .meta({
    description:
      'Your own name for the order, 1 to 64 characters: the same name and body again is the same order',
  })

/** The same body, however it was written, has the same fingerprint. */
export function fingerprintOf(fields: readonly string[], body: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields.map(field => body[field] ?? null))
  return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH)
}
