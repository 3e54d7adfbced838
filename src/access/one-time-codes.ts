import { digestOf, newSecret } from './secrets.js'

const LIFETIME_MS = 15 * 60_000
const CODES_MAX = 100

/** A code, and when it expires. */
export interface OneTimeCode {
  readonly code: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

interface Kept<Maker> {
  readonly maker: Maker
  readonly expiresAt: number
}

/** Codes that work once, for a quarter of an hour, until the exchange stops. Each remembers who made it. */
export class OneTimeCodes<Maker> {
  readonly #now: () => number
  /** By the code's digest, the oldest first. */
  readonly #codes = new Map<string, Kept<Maker>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** @param expiresAtMax when the credential of its maker expires */
  make(maker: Maker, expiresAtMax = Number.POSITIVE_INFINITY): OneTimeCode {
    for (const [digest, { expiresAt }] of this.#codes) {
      if (expiresAt > this.#now() && this.#codes.size < CODES_MAX) break
      this.#codes.delete(digest)
    }
    const code = newSecret('')
    const expiresAt = Math.min(this.#now() + LIFETIME_MS, expiresAtMax)
    this.#codes.set(digestOf(code), { maker, expiresAt })
    return { code, expiresAt }
  }

  /** Ends the codes of a maker that nobody has used. */
  endOf(maker: Maker): void {
    for (const [digest, kept] of this.#codes) if (kept.maker === maker) this.#codes.delete(digest)
  }

  /** Uses a code up; returns undefined if it is unknown, used or expired. */
  use(code: string): { readonly maker: Maker } | undefined {
    const digest = digestOf(code)
    const kept = this.#codes.get(digest)
    this.#codes.delete(digest)
    return kept !== undefined && kept.expiresAt > this.#now() ? kept : undefined
  }
}
