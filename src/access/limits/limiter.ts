import { ApiError } from '../../api/api-error.js'
import type { LimitKind, RateLimit } from '../../api/rate-limits.js'
import { RATE_LIMITS } from '../../api/rate-limits.js'
import type { Bucket } from './bucket.js'
import { Buckets } from './buckets.js'
import type { Quota } from './quota.js'
import { quotaHeaders } from './quota.js'

/** The searches of one address that run or wait at the same time. */
export const SEARCHES_MAX = 4

/** The reads of one address that wait for a batch of the journal at the same time. */
export const WAITS_MAX = 50

/** The keys under which a request is counted. */
export interface Client {
  readonly user: string | undefined
  readonly credential: string | undefined
  /** The network key of its address. */
  readonly address: string | undefined
}

const KEYS = ['user', 'credential', 'address'] as const
type Key = (typeof KEYS)[number]

/** One of a kind's sets of buckets: by which key, and how large. */
interface Share {
  readonly key: Key
  readonly unit: string
  readonly limit: number
  readonly windowSeconds: number
  readonly buckets: Buckets
}

/** How messages call the holder of a bucket. */
const HOLDERS: Readonly<Record<Key, string>> = {
  user: 'a user',
  credential: 'a key or session',
  address: 'an address',
}

/**
 * Counts what clients ask for in token buckets, by cost, and refuses what is too much. Every client is
 * counted under up to three keys; the number of buckets is bounded whatever keys are made up.
 */
export class Limiter {
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  /** By address. */
  readonly searches = new Running(SEARCHES_MAX)
  readonly waits = new Running(WAITS_MAX)
  readonly #shares: Readonly<Record<LimitKind, readonly Share[]>>

  constructor(watch: () => number, limits: Readonly<Record<LimitKind, RateLimit>> = RATE_LIMITS) {
    this.watch = watch
    const kinds = Object.entries(limits).map(([kind, limit]) => [kind, sharesOf(limit)])
    this.#shares = Object.fromEntries(kinds) as Record<LimitKind, readonly Share[]>
  }

  /** The buckets of all clients. */
  get bucketCount(): number {
    const shares = Object.values(this.#shares).flat()
    return shares.reduce((sum, { buckets }) => sum + buckets.length, 0)
  }

  /**
   * Takes a cost from the client's buckets, unless one of them is empty: then throws 429, and takes nothing.
   * The last cost may leave a debt. Returns the quota of the emptiest bucket, if the client has any.
   */
  take(kind: LimitKind, client: Client, cost = 1): Quota | undefined {
    const at = this.watch()
    const shares = this.#shares[kind]
    const buckets: (Bucket | undefined)[] = []
    for (const share of shares) {
      const key = client[share.key]
      const bucket = key === undefined ? undefined : share.buckets.of(key, at)
      if (bucket?.isEmpty(at)) throw tooMany(kind, share, bucket, at)
      buckets.push(bucket)
    }

    // After this point the request counts.
    let tightest: Quota | undefined
    let fill = Number.POSITIVE_INFINITY
    for (const [index, { limit, windowSeconds }] of shares.entries()) {
      const bucket = buckets[index]
      if (bucket === undefined) continue
      bucket.take(cost, at)
      if (bucket.level / limit >= fill) continue
      fill = bucket.level / limit
      tightest = { kind, limit, windowSeconds, level: bucket.level }
    }
    return tightest
  }

  /** Returns how long a client must wait until there is room for a cost of a kind; 0 if there is now. */
  waitMs(kind: LimitKind, client: Client): number {
    const at = this.watch()
    let waitMs = 0
    for (const { key, buckets } of this.#shares[kind]) {
      const name = client[key]
      const bucket = name === undefined ? undefined : buckets.of(name, at)
      if (bucket?.isEmpty(at)) waitMs = Math.max(waitMs, bucket.msUntilUsable(at))
    }
    return waitMs
  }

  /** Charges a cost that is known only afterwards, such as the bytes of an answer. */
  charge(kind: LimitKind, client: Client, cost: number): void {
    const at = this.watch()
    for (const { key, buckets } of this.#shares[kind]) {
      const name = client[key]
      if (name !== undefined) buckets.of(name, at).take(cost, at)
    }
  }
}

function sharesOf(limit: RateLimit): Share[] {
  const { unit, windowSeconds } = limit
  return KEYS.flatMap(key => {
    const points = limit[key]
    if (points === undefined) return []
    return [{ key, unit, limit: points, windowSeconds, buckets: new Buckets(points, windowSeconds) }]
  })
}

function tooMany(kind: LimitKind, share: Share, bucket: Bucket, at: number): ApiError {
  const { key, unit, limit, windowSeconds } = share
  const seconds = Math.max(1, Math.ceil(bucket.msUntilUsable(at) / 1000))
  const bound = `${limit} in ${windowSeconds} s for ${HOLDERS[key]}`
  const message = `The limit of ${unit} is reached, ${bound}: try again in ${seconds} s`
  return new ApiError(429, message, 'too_many_requests', {
    'Retry-After': String(seconds),
    ...quotaHeaders({ kind, limit, windowSeconds, level: 0 }, seconds),
  })
}

/** Counts what runs under each key, and bounds it. */
class Running {
  readonly #countMax: number
  /** A key without anything running has no entry. */
  readonly #counts = new Map<string, number>()

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** Begins one more; returns what ends it, or undefined if the key has the maximum running. */
  begin(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#countMax) return undefined
    this.#counts.set(key, count + 1)
    return () => this.#end(key)
  }

  #end(key: string): void {
    const count = this.#counts.get(key) ?? 0
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}
