import { RecentMap } from '../recent-map.js'

/** An attempt that was let through, or how long to wait before the next one. */
export type Attempt = { readonly keys: readonly string[] } | { readonly waitMs: number }

interface Failures {
  readonly count: number
  /** When the count was last brought up to date. */
  readonly at: number
  /** No attempt before this time. */
  readonly until: number
}

interface Rule {
  /** Failures that cost no waiting. */
  readonly free: number
  /** One failure is forgotten after this time. */
  readonly forgetMs: number
}

const RULES: Readonly<Record<'name' | 'address' | 'pair', Rule>> = {
  name: { free: 5, forgetMs: 15 * 60_000 },
  // A household or an office shares an address.
  address: { free: 20, forgetMs: 60_000 },
  pair: { free: 5, forgetMs: 15 * 60_000 },
}
const FIRST_WAIT_MS = 2000
const WAIT_MAX_MS = 15 * 60_000
const ENTRIES_MAX = 20_000
const NO_FAILURES: Failures = { count: 0, at: 0, until: 0 }

/**
 * Slows failed sign-ins down, by name and by address: after a few failures each costs twice the wait of the
 * one before, up to 15 minutes. A name at an address where it has signed in before counts apart, so no
 * stranger can lock an account out where its owner is at home. An attempt counts as failed until it succeeds;
 * so parallel attempts gain nothing.
 */
export class SignInBrake {
  readonly #watch: () => number
  readonly #failures = new RecentMap<Failures>(ENTRIES_MAX)

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number) {
    this.#watch = watch
  }

  /** The names, addresses and pairs remembered. */
  get length(): number {
    return this.#failures.length
  }

  /** @param isFamiliar whether this name has signed in from this address before */
  begin(name: string, address: string, isFamiliar: boolean): Attempt {
    const keys = isFamiliar ? [`pair ${address} ${name}`] : [`name ${name}`, `address ${address}`]
    const now = this.#watch()
    const waits = keys.map(key => this.#current(key, now).until - now)
    const waitMs = waits.reduce((longest, wait) => Math.max(longest, wait))
    if (waitMs > 0) return { waitMs }
    for (const key of keys) {
      const { count, at } = this.#current(key, now)
      const over = count + 1 - ruleOf(key).free
      const wait = over > 0 ? Math.min(FIRST_WAIT_MS * 2 ** (over - 1), WAIT_MAX_MS) : 0
      this.#failures.set(key, { count: count + 1, at, until: now + wait })
    }
    return { keys }
  }

  /** Takes back an attempt that succeeded, and forgets earlier failures where the name is familiar. */
  succeeded(attempt: { readonly keys: readonly string[] }): void {
    this.takeBack(attempt)
    for (const key of attempt.keys) if (key.startsWith('pair ')) this.#failures.delete(key)
  }

  /** Takes back an attempt that got no answer. */
  takeBack({ keys }: { readonly keys: readonly string[] }): void {
    for (const key of keys) {
      const { count, at } = this.#failures.get(key) ?? NO_FAILURES
      if (count <= 1) this.#failures.delete(key)
      else this.#failures.set(key, { count: count - 1, at, until: 0 })
    }
  }

  #current(key: string, now: number): Failures {
    const { count, at, until } = this.#failures.get(key) ?? NO_FAILURES
    const { forgetMs } = ruleOf(key)
    const forgotten = Math.floor((now - at) / forgetMs)
    return count > forgotten
      ? { count: count - forgotten, at: at + forgotten * forgetMs, until }
      : { count: 0, at: now, until }
  }
}

function ruleOf(key: string): Rule {
  return RULES[key.slice(0, key.indexOf(' ')) as keyof typeof RULES]
}
