import { digestOf, newSecret } from './secrets.js'

const LIFETIME_MS = 15 * 60_000
const CODES_MAX = 100

/** A code, and when it expires. */
export interface OneTimeCode {
  readonly code: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Codes that sign an operator in: each works once, for a quarter of an hour, until the exchange stops. */
export class OneTimeCodes {
  readonly #now: () => number
  /** When each code expires, by the code's digest, the oldest first. */
  readonly #codes = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  make(): OneTimeCode {
    for (const [digest, expiresAt] of this.#codes) {
      if (expiresAt > this.#now() && this.#codes.size < CODES_MAX) break
      this.#codes.delete(digest)
    }
    const code = newSecret('')
    const expiresAt = this.#now() + LIFETIME_MS
    this.#codes.set(digestOf(code), expiresAt)
    return { code, expiresAt }
  }

  /** Uses a code up; returns false if it is unknown, used or expired. */
  use(code: string): boolean {
    const digest = digestOf(code)
    const expiresAt = this.#codes.get(digest)
    this.#codes.delete(digest)
    return expiresAt !== undefined && expiresAt > this.#now()
  }
}
