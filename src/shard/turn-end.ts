/**
 * How long a turn may keep work waiting: about as long as a round of requests takes. After a round, the turn
 * has this time again, and the same for what promises of the round do first.
 */
const LATE_MS = 10

/**
 * Runs work once all pending events are handled, like `setImmediate`, or earlier if they take long. libuv
 * handles up to 49,152 events in one turn of the event loop: with thousands of busy connections a turn takes
 * seconds. No immediate runs in it, and a message from another thread waits behind a thousand requests.
 */
export class TurnEnd {
  readonly #watch: () => number
  readonly #atEnd: (work: () => void) => unknown
  readonly #receivers = new Set<() => void>()
  readonly #waiting: (() => void)[] = []
  /** When a turn is long. */
  #lateAt: number

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number, atEnd: (work: () => void) => unknown) {
    this.#watch = watch
    this.#atEnd = atEnd
    this.#lateAt = watch() + LATE_MS
  }

  /** Runs work at the end of this turn, after the work that waits already. */
  readonly schedule = (work: () => void): void => {
    this.#waiting.push(work)
    this.#atEnd(this.#runNext)
  }

  /** Also receives messages in long turns; returns how to stop that. */
  receive(receiver: () => void): () => void {
    this.#receivers.add(receiver)
    return () => this.#receivers.delete(receiver)
  }

  /** Serves what waits if the turn is long. To be called with each event of which there may be thousands. */
  hurry(): void {
    const startedAt = this.#watch()
    if (startedAt < this.#lateAt) return
    for (const receiver of this.#receivers) receiver()
    // What they schedule in turn comes after the next events.
    for (let left = this.#waiting.length; left > 0; left--) this.#waiting.shift()?.()
    this.#noteRun(startedAt)
  }

  readonly #runNext = (): void => {
    const startedAt = this.#watch()
    this.#waiting.shift()?.()
    this.#noteRun(startedAt)
  }

  #noteRun(startedAt: number): void {
    const endedAt = this.#watch()
    this.#lateAt = endedAt + LATE_MS + Math.min(LATE_MS, endedAt - startedAt)
  }
}

/** The turns of this thread's event loop. */
export const turnEnd = new TurnEnd(() => performance.now(), setImmediate)
