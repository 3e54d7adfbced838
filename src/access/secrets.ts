import { hash, randomBytes } from 'node:crypto'

const BYTES = 32

/** Makes a secret that cannot be guessed: 43 letters, digits, `-` and `_` behind the prefix. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(BYTES).toString('base64url')
}

/** Returns random bytes that cannot be guessed. */
export function secretBytes(length: number): Buffer {
  return randomBytes(length)
}

/** Returns the digest under which a secret is stored, so that the secret itself is nowhere. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
