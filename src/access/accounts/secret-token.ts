import { hash } from 'node:crypto'

/** The first characters of a token: session, API key, invitation, recovery link. */
export type TokenPrefix = 'rs_' | 'rk_' | 'ri_' | 'rr_'

const SECRET_BYTES = 32

/** Makes a token of 32 random bytes. Only its hash is stored. */
export function newToken(
  prefix: TokenPrefix,
  random: (bytes: number) => Buffer,
): { readonly text: string; readonly hash: string } {
  const text = prefix + random(SECRET_BYTES).toString('base64url')
  return { text, hash: tokenHash(text) }
}

/**
 * Returns the SHA-256 of a token. A token has 256 random bits, so a slow hash would add nothing, and looking
 * the hash up in an index gives nothing away by its time.
 */
export function tokenHash(text: string): string {
  return hash('sha256', text, 'base64url')
}
