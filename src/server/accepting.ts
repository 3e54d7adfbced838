/** Turns of the event loop that stay short after one in which a connection was accepted. */
const SHORT_TURNS = 2
/** After this many turns in a row, each with a connection, more of them are waiting. */
const ACCEPTED_MIN = 8
/** A long turn counts for at most this much, so that accepting delays the rest by no more than that. */
const OWED_MS_MAX = 10

/** Says how long turns of the event loop may be. */
export interface TurnLength {
  readonly isShort: boolean
  /** True in a turn that is left to connections that wait to be accepted: whatever can wait should. */
  readonly isForAccepting: boolean
}

/** Runs work once pending events are handled. */
export type Schedule = (work: () => void) => void

export interface AcceptingOptions {
  readonly schedule?: Schedule
  /** A monotonic clock in milliseconds. */
  readonly watch?: () => number
}

/**
 * Keeps turns of the event loop short while connections are being accepted: libuv accepts one per turn, so
 * that a request on a new connection waits for as many turns as connections came before it. While many wait,
 * they get half of the time: after a turn with other work come as many turns without as take as long.
 */
export class Accepting implements TurnLength {
  readonly #schedule: Schedule
  readonly #watch: () => number
  #turnsLeft = 0
  #hasAccepted = false
  /** Turns in a row in which a connection was accepted. */
  #acceptedTurns = 0
  #turnStartedAt = 0
  /** The time by which other work is ahead of connections. */
  #owedMs = 0
  /** The time of scheduled work in this turn. */
  #workMs = 0
  /** Schedules the work that waits for a turn with time for it. */
  #held: (() => void)[] = []

  constructor({ schedule = setImmediate, watch = () => performance.now() }: AcceptingOptions = {}) {
    this.#schedule = schedule
    this.#watch = watch
  }

  get isShort(): boolean {
    return this.#turnsLeft > 0
  }

  get isForAccepting(): boolean {
    return this.#owedMs > 0
  }

  /** Notes that a connection was accepted in this turn. */
  note(): void {
    const isCounting = this.isShort
    this.#turnsLeft = SHORT_TURNS
    this.#hasAccepted = true
    if (isCounting) return
    this.#turnStartedAt = this.#watch()
    this.#schedule(this.#count)
  }

  /** Returns a schedule that leaves turns to accepting, for work that can wait. */
  shared(schedule: Schedule): Schedule {
    const next: Schedule = work => {
      if (this.isForAccepting) this.#held.push(() => next(work))
      else if (this.isShort) schedule(() => this.#measure(work))
      else schedule(work)
    }
    return next
  }

  readonly #count = (): void => {
    const now = this.#watch()
    const tookMs = now - this.#turnStartedAt
    this.#turnsLeft--
    this.#acceptedTurns = this.#hasAccepted ? this.#acceptedTurns + 1 : 0
    if (this.#acceptedTurns < ACCEPTED_MIN) this.#owedMs = 0
    else if (this.isForAccepting) this.#owedMs += 2 * this.#workMs - tookMs
    else this.#owedMs = tookMs
    this.#owedMs = Math.min(OWED_MS_MAX, this.#owedMs)
    this.#hasAccepted = false
    this.#workMs = 0
    this.#turnStartedAt = now
    if (!this.isForAccepting) for (const schedule of this.#held.splice(0)) schedule()
    if (this.isShort) this.#schedule(this.#count)
  }

  #measure(work: () => void): void {
    const startedAt = this.#watch()
    work()
    this.#workMs += this.#watch() - startedAt
  }
}
