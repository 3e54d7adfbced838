import type { Logger } from 'pino'
import type { ClockReading } from '../exchange/operations/trusted-clock.js'

/** Logs what an operator has to know about the clock: once at the start, then whenever it changes. */
export class ClockLog {
  readonly #log: Logger
  #isHeld = false

  constructor(log: Logger, atStart: ClockReading) {
    this.#log = log
    const { isGuarded, unexplainedMs } = atStart
    if (!isGuarded)
      log.warn('this system does not tell the time since its boot: a clock that jumps ahead is followed')
    if (unexplainedMs !== undefined)
      log.warn(
        { unexplainedMs },
        'the last batch is from before the last boot: the machine was off, or the clock is wrong',
      )
  }

  look({ heldSince, aheadMs }: ClockReading): void {
    const isHeld = heldSince !== undefined
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (isHeld)
      this.#log.warn(
        { aheadMs },
        'the clock jumped ahead and is not followed: set it back, or POST /admin/clock/confirm',
      )
    else this.#log.warn('the clock is followed again')
  }
}
