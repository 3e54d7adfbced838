import { createHash } from 'node:crypto'

/** 132 bits: collisions are not expected. */
const FINGERPRINT_LENGTH = 22

/** Returns the hash that tells a repeated request from a different one. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH)
}
