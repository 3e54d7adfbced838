/** The average forgets in about this time. */
const MEMORY_MS = 20

/** Counts the orders and cancels that wait for their commit: now, and on average over the last moments. */
export class OrdersWaiting {
  readonly watch: () => number
  #count = 0
  #average = 0
  #at: number

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number) {
    this.watch = watch
    this.#at = watch()
  }

  /** The average number over the last moments. */
  get average(): number {
    this.#advance()
    return this.#average
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
  }

  /** Brings the average up to now; the count has not changed since the last time. */
  #advance(): void {
    const now = this.watch()
    if (now <= this.#at) return
    this.#average = this.#count + (this.#average - this.#count) * Math.exp((this.#at - now) / MEMORY_MS)
    this.#at = now
  }
}
