/** Upper bounds of the cumulative buckets, in milliseconds; slower orders go into one more. */
export const LATENCY_BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000] as const

/**
 * Seconds kept: a power of two, so that a mask finds a second's row; at least a minute and the current one.
 */
const SECONDS = 64
const MINUTE_S = 60
/** Eight buckets per doubling of microseconds: quantiles are accurate to an eighth. */
const STEPS = 8
const BUCKETS = 28 * STEPS

export interface MeterReading {
  /** Since the start. */
  readonly total: number
  /** Orders in the last whole second, and per second over the last minute. */
  readonly perSecond: { readonly second: number; readonly minute: number }
  /** Over the last minute; undefined if there were no orders. */
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
  /** Since the start: cumulative counts per bucket, and total time. */
  readonly atMost: readonly number[]
  readonly sumMs: number
}

/** Counts orders and their latencies in fixed arrays: two additions per order, no allocation. */
export class OrderMeter {
  readonly #startedAt: number
  readonly #rows = Array.from({ length: SECONDS }, () => new Uint32Array(BUCKETS))
  readonly #counts = new Uint32Array(SECONDS)
  /** The second that each row counts. */
  readonly #seconds = new Float64Array(SECONDS).fill(-1)
  readonly #ever = new Float64Array(LATENCY_BUCKETS_MS.length + 1)
  #sumMs = 0

  /** @param startedAt when the exchange started, on the same monotonic clock as all times here */
  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  /** Counts an order by its arrival and answer times, in milliseconds. */
  note(cameAt: number, answeredAt: number): void {
    const tookMs = Math.max(0, answeredAt - cameAt)
    const second = Math.floor(answeredAt / 1000)
    const place = second & (SECONDS - 1)
    const row = this.#rows[place] as Uint32Array
    if (this.#seconds[place] !== second) {
      row.fill(0)
      this.#counts[place] = 0
      this.#seconds[place] = second
    }
    const bucket = bucketOf(tookMs * 1000)
    row[bucket] = (row[bucket] ?? 0) + 1
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    const ever = LATENCY_BUCKETS_MS.findIndex(end => tookMs <= end)
    const last = ever === -1 ? LATENCY_BUCKETS_MS.length : ever
    this.#ever[last] = (this.#ever[last] ?? 0) + 1
    this.#sumMs += tookMs
  }

  read(now: number): MeterReading {
    const second = Math.floor(now / 1000)
    const sum = new Uint32Array(BUCKETS)
    let minute = 0
    for (let ago = 0; ago <= MINUTE_S; ago++) {
      const row = this.#rowOf(second - ago)
      if (row === undefined) continue
      if (ago > 0) minute += this.#countOf(second - ago)
      for (const [bucket, count] of row.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
    }
    const elapsed = Math.max(1, Math.min(MINUTE_S, (now - this.#startedAt) / 1000))
    const atMost: number[] = []
    let total = 0
    for (const count of this.#ever) {
      total += count
      atMost.push(total)
    }
    return {
      total,
      perSecond: { second: this.#countOf(second - 1), minute: minute / elapsed },
      p50Ms: quantileMs(sum, 0.5),
      p99Ms: quantileMs(sum, 0.99),
      atMost,
      sumMs: this.#sumMs,
    }
  }

  #rowOf(second: number): Uint32Array | undefined {
    const place = second & (SECONDS - 1)
    return this.#seconds[place] === second ? this.#rows[place] : undefined
  }

  #countOf(second: number): number {
    return this.#rowOf(second) === undefined ? 0 : (this.#counts[second & (SECONDS - 1)] ?? 0)
  }
}

/** Returns the bucket of a latency: one per microsecond up to eight, then eight per doubling. */
function bucketOf(microseconds: number): number {
  const whole = Math.min(microseconds, 2 ** 29) | 0
  if (whole < STEPS) return whole
  const doubling = 31 - Math.clz32(whole)
  const step = (whole >>> (doubling - 3)) & (STEPS - 1)
  return Math.min(BUCKETS - 1, (doubling - 2) * STEPS + step)
}

/** Returns the upper bound of the bucket that contains the quantile. */
function quantileMs(counts: Uint32Array, share: number): number | undefined {
  const total = counts.reduce((all, count) => all + count, 0)
  if (total === 0) return undefined
  let left = Math.ceil(total * share)
  for (const [bucket, count] of counts.entries()) {
    left -= count
    if (left <= 0) return endOf(bucket) / 1000
  }
  return undefined
}

function endOf(bucket: number): number {
  if (bucket < STEPS) return bucket + 1
  const doubling = Math.floor(bucket / STEPS) + 2
  return 2 ** (doubling - 3) * (STEPS + (bucket % STEPS) + 1)
}
