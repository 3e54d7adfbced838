import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKeys } from './jwt-verifier.js'
import type { TokenParts } from './token-parts.js'

interface SecretSettings {
  /** The current one, and the previous one if there is one; another array once they have changed. */
  readonly secrets: readonly string[]
}

/**
 * The secrets of HS256: tokens are signed with the current one, and with the previous one while the issuer
 * changes over. By node:crypto: 10 to 19 µs a token, where jose takes 183.
 */
export class HmacKeys implements SigningKeys {
  readonly #settings: SecretSettings
  #given: readonly string[]
  #secrets: readonly Buffer[]
  #edition = 0

  constructor(settings: SecretSettings) {
    this.#settings = settings
    this.#given = settings.secrets
    this.#secrets = buffersOf(settings.secrets)
  }

  get edition(): number {
    return this.#edition
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
    const { secrets } = this.#settings
    if (secrets === this.#given) return false
    this.#given = secrets
    this.#secrets = buffersOf(secrets)
    this.#edition++
    return true
  }
}

function buffersOf(secrets: readonly string[]): Buffer[] {
  return secrets.map(secret => Buffer.from(secret))
}
