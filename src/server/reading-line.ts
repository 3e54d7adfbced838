import type { Schedule, TurnLength } from './accepting.js'

/** Time of a turn of the event loop for those who wait in a line, at least one slice; and of a short turn. */
const LINE_MS = 5
const SHORT_LINE_MS = 0.5
/** The most that is read of them in a turn. */
const LENGTH_MAX = 64

/** A connection that may wait. */
interface Reader {
  /** Reads the next slice; it waits again if there is more. */
  readNext(): void
}

export interface LineOptions {
  readonly turns: TurnLength
  /** A line whose slices are long may leave out short turns, for this time. */
  readonly patienceMs?: number
  /** Runs work once pending events are handled, and what it leads to before the next work. */
  readonly schedule: Schedule
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
}

/** Connections that wait to be read, in the order of their turns. */
export class ReadingLine {
  readonly #options: LineOptions
  readonly #waiting = new Set<Reader>()
  #isScheduled = false
  #readAt = Number.NEGATIVE_INFINITY

  constructor(options: LineOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#waiting.size
  }

  add(reader: Reader): void {
    this.#waiting.add(reader)
    this.#scheduleRound()
  }

  delete(reader: Reader): void {
    this.#waiting.delete(reader)
  }

  /**
   * Schedules the next round. Each slice is work of its own: what it leads to, such as the orders of a batch,
   * runs before the next, and counts.
   */
  #scheduleRound(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const { schedule, watch, turns, patienceMs = 0 } = this.#options
    const length = Math.min(this.#waiting.size, LENGTH_MAX)
    let left = length
    let until: number | undefined
    const work = () => {
      const now = watch()
      until ??= turns.isShort && now - this.#readAt < patienceMs ? now : now + lineMs(turns)
      if (now < until) this.#readNext(now)
      left--
      if (left > 0) return
      this.#isScheduled = false
      if (this.#waiting.size > 0) this.#scheduleRound()
    }
    for (let scheduled = 0; scheduled < length; scheduled++) schedule(work)
  }

  #readNext(now: number): void {
    this.#readAt = now
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    next.readNext()
  }
}

/** Returns the time that a line has in this turn. */
export function lineMs({ isShort }: TurnLength): number {
  return isShort ? SHORT_LINE_MS : LINE_MS
}
