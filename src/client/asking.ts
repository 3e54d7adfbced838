/** How many subscriptions are asked for before the first of them is answered. */
export const ASKED_MAX = 50
/** The longest wait before asking again. */
const WAIT_MAX_MS = 30_000

interface AskingOptions<Wanted> {
  /** Sends a request with this id. */
  readonly ask: (wanted: Wanted, id: number) => void
  /** Runs something later; returns what prevents it. */
  readonly setTimer: (run: () => void, ms: number) => () => void
}

/**
 * Asks for subscriptions, some at a time, and again after the wait where the exchange says that it was too
 * much at once.
 */
export class Asking<Wanted> {
  readonly #options: AskingOptions<Wanted>
  /** What is to be asked for, in this order. */
  readonly #waiting = new Set<Wanted>()
  /** What has been asked for, by the id of the request. */
  readonly #asked = new Map<unknown, Wanted>()
  #lastId = 0
  #isPaused = false
  #cancelPause = () => {}

  constructor(options: AskingOptions<Wanted>) {
    this.#options = options
  }

  /** Whether no answer is outstanding. */
  get isAnswered(): boolean {
    return this.#asked.size === 0
  }

  /** Whether something is yet to be asked for, or answered. */
  has(wanted: Wanted): boolean {
    return this.#waiting.has(wanted) || [...this.#asked.values()].includes(wanted)
  }

  want(wanted: Wanted): void {
    this.#waiting.add(wanted)
    this.#goOn()
  }

  /** Waits no more for something, whatever is answered. */
  forget(wanted: Wanted): void {
    this.#waiting.delete(wanted)
    for (const [id, asked] of this.#asked) if (asked === wanted) this.#asked.delete(id)
  }

  /** Returns what an answer is about; undefined where nobody waits for it any more. */
  answered(id: unknown): Wanted | undefined {
    const wanted = this.#asked.get(id)
    this.#asked.delete(id)
    this.#goOn()
    return wanted
  }

  /** Refused for now: asks again, for this and everything else, after the wait. */
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

  /** Forgets everything: the connection is gone. */
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
