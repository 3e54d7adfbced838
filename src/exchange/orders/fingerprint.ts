import { createHash } from 'node:crypto'

/** 132 bits: no two requests are ever expected to share one. */
const FINGERPRINT_LENGTH = 22

/** Returns what the exchange keeps of a request's text, to tell a repeat from another request. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH)
}
