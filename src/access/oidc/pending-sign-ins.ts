import { digestOf } from '../secrets.js'
import type { Challenge } from './oidc-provider.js'

/** A sign-in that the browser continues at the provider. */
export interface PendingSignIn {
  readonly challenge: Challenge
  /** The page to go to afterwards: a path of this site. */
  readonly returnTo: string
  /** The credential of the session whose account is to be linked; undefined to sign in. */
  readonly linkedBy: string | undefined
}

interface Kept {
  readonly pending: PendingSignIn
  /** The digest of the secret in the cookie of the browser that began. */
  readonly browser: string
  /** The household of the address from which it began. */
  readonly from: string
  readonly until: number
}

const LIFE_MS = 10 * 60_000
/** About 4 MB. */
const PENDING_MAX = 5000
/** A household that begins more loses its own oldest ones, and nobody else's. */
const PENDING_OF_ADDRESS_MAX = 250

/** Sign-ins under way. Each ends once, in the browser in which it began, within ten minutes. */
export class PendingSignIns {
  readonly #watch: () => number
  /** By the digest of the state, in the order in which they expire. */
  readonly #kept = new Map<string, Kept>()

  constructor(watch: () => number) {
    this.#watch = watch
  }

  get length(): number {
    return this.#kept.size
  }

  /** @param from the household of the browser's address */
  add(pending: PendingSignIn, browser: string, from: string): void {
    for (const [state, { until }] of this.#kept) {
      if (this.#kept.size < PENDING_MAX && until > this.#watch()) break
      this.#kept.delete(state)
    }
    const own = [...this.#kept].filter(([, kept]) => kept.from === from)
    const [oldest] = own
    if (oldest !== undefined && own.length >= PENDING_OF_ADDRESS_MAX) this.#kept.delete(oldest[0])
    const until = this.#watch() + LIFE_MS
    this.#kept.set(digestOf(pending.challenge.state), { pending, browser: digestOf(browser), from, until })
  }

  /** Uses a sign-in up. Returns undefined if it is unknown, expired or another browser's, which keeps it. */
  take(state: string, browser: string | undefined): PendingSignIn | undefined {
    const digest = digestOf(state)
    const kept = this.#kept.get(digest)
    if (kept === undefined || browser === undefined || kept.browser !== digestOf(browser)) return undefined
    this.#kept.delete(digest)
    return this.#watch() < kept.until ? kept.pending : undefined
  }
}
