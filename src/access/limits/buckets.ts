import { RecentMap } from '../recent-map.js'
import { Bucket } from './bucket.js'

/**
 * Buckets in each of two generations. A bucket takes about 150 bytes, so all kinds and keys together take
 * less than 100 MB, with every key made up.
 */
const GENERATION_LENGTH_MAX = 20_000

/**
 * The buckets of one kind, by key. A bucket that was not used for twice its window is forgotten: it would be
 * full again. With more keys than fit, the least recently used are forgotten early; who can come from that
 * many networks gets a fresh bucket in each anyway.
 */
export class Buckets {
  readonly #buckets = new RecentMap<Bucket>(GENERATION_LENGTH_MAX)
  readonly #size: { readonly points: number; readonly pointsPerSecond: number }
  readonly #agingMs: number
  #agedAt = Number.NEGATIVE_INFINITY

  constructor(points: number, windowSeconds: number) {
    this.#size = { points, pointsPerSecond: points / windowSeconds }
    this.#agingMs = 2 * windowSeconds * 1000
  }

  get length(): number {
    return this.#buckets.length
  }

  /** @param at milliseconds of a monotonic clock */
  of(key: string, at: number): Bucket {
    if (at - this.#agedAt >= this.#agingMs) {
      this.#buckets.age()
      this.#agedAt = at
    }
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const bucket = new Bucket(this.#size, at)
    this.#buckets.set(key, bucket)
    return bucket
  }
}
