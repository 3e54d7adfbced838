import type { TimeMs } from '../../core/units.js'
import type { Sources } from '../sources.js'

/** A wall clock that runs further ahead than this, compared with the time since boot, is not followed. */
const JUMP_MS = 3_600_000
/** Up to here, what the clock gains on the watch is not looked into. */
const SLACK_MS = 1000

type ClockSources = Pick<Sources, 'now' | 'watch' | 'sinceBoot'>

/** How far the clock can be trusted at this moment. */
export interface ClockReading {
  /** The time at which the exchange stopped following the clock; undefined while it follows. */
  readonly heldSince: TimeMs | undefined
  /** How far the clock is ahead of the exchange, in ms; 0 while the exchange follows it. */
  readonly aheadMs: number
  /** False if jumps go unnoticed: without the time since boot, a jump cannot be told from sleep. */
  readonly isGuarded: boolean
  /**
   * By how much more than the time since boot the clock had moved on since the last batch, at the start;
   * undefined up to an hour. The machine was off, or its clock jumped: nobody can tell which.
   */
  readonly unexplainedMs: number | undefined
}

/**
 * The time of the exchange: the wall clock, unless it jumps ahead by more than an hour that the machine has
 * not lived through, awake or asleep. Then time runs on from where it was, until the clock is back or is
 * confirmed. A clock that is set back is followed.
 */
export class TrustedClock {
  readonly #sources: ClockSources
  /** The highest trusted values of wall − watch, and of wall − time since boot. */
  #watchOffset: number
  #bootOffset: number | undefined
  #heldSince: TimeMs | undefined
  readonly #unexplainedMs: number | undefined

  /** @param lastBatchAt the time of the journal's last batch, 0 where it is empty */
  constructor(sources: ClockSources, lastBatchAt: TimeMs) {
    this.#sources = sources
    const wall = sources.now()
    const sinceBoot = sources.sinceBoot()
    this.#watchOffset = wall - sources.watch()
    this.#bootOffset = sinceBoot === undefined ? undefined : wall - sinceBoot
    const unexplainedMs = Math.floor(wall - lastBatchAt - (sinceBoot ?? wall))
    this.#unexplainedMs = lastBatchAt > 0 && unexplainedMs > JUMP_MS ? unexplainedMs : undefined
  }

  /** Returns the time; the same clock gives a lower one after it was set back. */
  now(): TimeMs {
    const wall = this.#sources.now()
    const watch = this.#sources.watch()
    // The usual case, which is asked for with every order, reads no file.
    if (this.#heldSince === undefined && wall - watch - this.#watchOffset <= SLACK_MS) return wall

    const sinceBoot = this.#sources.sinceBoot()
    const expected = this.#expectedAt(watch, sinceBoot)
    if (this.#bootOffset !== undefined && wall - expected > JUMP_MS) {
      this.#heldSince ??= expected
      return expected
    }
    this.#heldSince = undefined
    this.#watchOffset = Math.max(this.#watchOffset, wall - watch)
    if (this.#bootOffset !== undefined && sinceBoot !== undefined)
      this.#bootOffset = Math.max(this.#bootOffset, wall - sinceBoot)
    return wall
  }

  read(): ClockReading {
    const now = this.now()
    const heldSince = this.#heldSince
    return {
      heldSince,
      aheadMs: heldSince === undefined ? 0 : this.#sources.now() - now,
      isGuarded: this.#bootOffset !== undefined,
      unexplainedMs: this.#unexplainedMs,
    }
  }

  /** Follows the wall clock from where it is now. */
  confirm(): void {
    const wall = this.#sources.now()
    const sinceBoot = this.#sources.sinceBoot()
    this.#heldSince = undefined
    this.#watchOffset = wall - this.#sources.watch()
    if (this.#bootOffset !== undefined && sinceBoot !== undefined) this.#bootOffset = wall - sinceBoot
  }

  /** Returns the time of a clock without jumps; sleep counts where the time since boot is known. */
  #expectedAt(watch: number, sinceBoot: number | undefined): TimeMs {
    const byWatch = this.#watchOffset + watch
    const byBoot =
      this.#bootOffset === undefined || sinceBoot === undefined ? byWatch : this.#bootOffset + sinceBoot
    return Math.floor(Math.max(byWatch, byBoot)) as TimeMs
  }
}
