/** Largest number of subscriptions requested before the first is answered. */
export const ASKED_MAX = 50
/** The longest wait before a retry. */
const WAIT_MAX_MS = 30_000

interface AskingOptions<Wanted> {
  /** Sends a request with this id. */
  readonly ask: (wanted: Wanted, id: number) => void
  /** Schedules a call; returns a function that cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void
}

/**
 * Requests subscriptions, a few at a time, and retries after the stated wait if the exchange finds that too
 * many.
 */
export class Asking<Wanted> {
  readonly #options: AskingOptions<Wanted>
  /** Subscriptions not requested yet, in order. */
  readonly #waiting = new Set<Wanted>()
  /** Outstanding requests by id. */
  readonly #asked = new Map<unknown, Wanted>()
  #lastId = 0
  #isPaused = false
  #cancelPause = () => {}

  constructor(options: AskingOptions<Wanted>) {
    this.#options = options
  }

  /** True if no answer is outstanding. */
  get isAnswered(): boolean {
    return this.#asked.size === 0
  }

  /** Returns whether something is still to be requested or answered. */
  has(wanted: Wanted): boolean {
    return this.#waiting.has(wanted) || [...this.#asked.values()].includes(wanted)
  }

  want(wanted: Wanted): void {
    this.#waiting.add(wanted)
    this.#goOn()
  }

  /** Stops waiting for something; a late answer is ignored. */
  forget(wanted: Wanted): void {
    this.#waiting.delete(wanted)
    for (const [id, asked] of this.#asked) if (asked === wanted) this.#asked.delete(id)
  }

  /** Returns the subject of an answer; undefined if it is no longer awaited. */
  answered(id: unknown): Wanted | undefined {
    const wanted = this.#asked.get(id)
    this.#asked.delete(id)
    this.#goOn()
    return wanted
  }

  /** Postpones everything, including this, until the wait is over. */
  putOff(id: unknown, waitMs: number): void {
    const wanted = this.#asked.get(id)
    this.#asked.delete(id)
    if (wanted !== undefined) this.#waiting.add(wanted)
    this.#isPaused = true
    this.#cancelPause()
    this.#cancelPause = this.#options.setTimer(
      () => {
        this.#isPaused = false
        this.#goOn()
      },
      Math.min(waitMs, WAIT_MAX_MS),
    )
  }

  /** Forgets everything, after the connection is lost. */
  clear(): void {
    this.#cancelPause()
    this.#isPaused = false
    this.#waiting.clear()
    this.#asked.clear()
  }

  #goOn(): void {
    for (const wanted of this.#waiting) {
      if (this.#isPaused || this.#asked.size >= ASKED_MAX) return
      this.#waiting.delete(wanted)
      const id = ++this.#lastId
      this.#asked.set(id, wanted)
      this.#options.ask(wanted, id)
    }
  }
}
