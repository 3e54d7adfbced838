/** Assumed until commands have been counted: a slow machine. */
const PER_MS_AT_FIRST = 1
/** The weight of a new round; about a tenth of a second counts. */
const WEIGHT = 0.1

/** How many commands begin per millisecond while others wait. */
export class CommandPace {
  readonly #watch: () => number
  #perMs = PER_MS_AT_FIRST
  #countedAt: number | undefined

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number) {
    this.#watch = watch
  }

  /** Returns how long a command behind this many others will wait. */
  waitMs(length: number): number {
    return length / this.#perMs
  }

  /** Counts the commands that one round began; with none left waiting, the next round's pace is not known. */
  note(count: number, isMoreWaiting: boolean): void {
    const now = this.#watch()
    if (this.#countedAt !== undefined && now > this.#countedAt) {
      this.#perMs += WEIGHT * (count / (now - this.#countedAt) - this.#perMs)
    }
    this.#countedAt = isMoreWaiting ? now : undefined
  }
}
