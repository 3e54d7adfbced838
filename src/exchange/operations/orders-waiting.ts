/** The average forgets in about this time. */
const MEMORY_MS = 20

/** The pace is measured over this time at least: commits answer many orders at once. */
const PACE_MS = 100
/** Only what is done while at least this many wait shows how fast the exchange is. */
const BUSY_COUNT_MIN = 32
/** Assumed until it has been measured. */
const PER_MS_AT_FIRST = 4
/** The weight of the newest measurement. */
const PACE_WEIGHT = 0.3
/** Behind fewer than these nobody waits too long: a short pause of a slow disk is no pace. */
const SHORT_COUNT_MAX = 2000

/** Counts the orders and cancels that wait for their commit: now, and on average over the last moments. */
export class OrdersWaiting {
  readonly watch: () => number
  #count = 0
  #average = 0
  #at: number
  #perMs = PER_MS_AT_FIRST
  /** Since when the pace is measured, how many were done since, and the fewest that waited. */
  #paceFrom: number
  #done = 0
  #fewest = 0

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number) {
    this.watch = watch
    this.#at = watch()
    this.#paceFrom = this.#at
  }

  /** The average number over the last moments. */
  get average(): number {
    this.#advance()
    return this.#average
  }

  /** Returns how long an order would wait for its commit, behind all of these and others in front of it. */
  waitMs(others: number): number {
    const count = this.#count + others
    return count < SHORT_COUNT_MAX ? 0 : count / this.#perMs
  }

  /** Counts a request until it is answered; returns its answer unchanged. */
  until<T>(answer: Promise<T>): Promise<T> {
    this.#advance()
    this.#count++
    answer.then(this.#end, this.#end)
    return answer
  }

  readonly #end = (): void => {
    this.#advance()
    this.#count--
    this.#done++
    this.#fewest = Math.min(this.#fewest, this.#count)
    const elapsedMs = this.#at - this.#paceFrom
    if (elapsedMs >= PACE_MS) this.#measurePace(elapsedMs)
  }

  #measurePace(elapsedMs: number): void {
    if (this.#fewest >= BUSY_COUNT_MIN) {
      this.#perMs += PACE_WEIGHT * (this.#done / elapsedMs - this.#perMs)
    }
    this.#paceFrom = this.#at
    this.#done = 0
    this.#fewest = this.#count
  }

  /** Brings the average up to now; the count has not changed since the last time. */
  #advance(): void {
    const now = this.watch()
    if (now <= this.#at) return
    this.#average = this.#count + (this.#average - this.#count) * Math.exp((this.#at - now) / MEMORY_MS)
    this.#at = now
  }
}
