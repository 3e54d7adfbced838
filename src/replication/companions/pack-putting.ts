import { FencedError, LogLostError } from '../replication-error.js'
import type { PackLog } from './pack-log.js'
import { PAUSE_MS, packAt, putOnce } from './pack-log.js'

interface PuttingOptions {
  readonly log: PackLog
  /** The epoch in which the exchange leads. */
  readonly epoch: number
  /** Called with why attempts fail; undefined once one succeeds. */
  readonly failing: (reason: string | undefined) => void
  readonly pause: (ms: number) => Promise<void>
  /** Returns true if the exchange stops: what the log does not take at once is left. */
  readonly isClosing?: (() => boolean) | undefined
  /** Called once an attempt has failed so often that the log may be down for long. */
  readonly isSlow: () => void
}

export const PAUSE_MS_MAX = 30_000
const TRIES_BEFORE_SLOW = 5
/** How often a log is asked that says that it lacks what it has acknowledged: its servers may be electing. */
const TRIES_BEFORE_LOST = 20

/** The exchange stops before the log has taken a pack. */
export class StoppedError extends Error {}

/** Puts packs into a log, one after the other. */
export class PackPutting {
  readonly #options: PuttingOptions
  #failures = 0

  constructor(options: PuttingOptions) {
    this.#options = options
  }

  /**
   * Puts a pack until the log has it: an attempt whose answer was lost may arrive at any time, so that its
   * place is never free for another.
   */
  async put(place: number, bytes: Uint8Array): Promise<void> {
    const { log, failing, pause, isClosing, isSlow } = this.#options
    for (let tries = 1; ; tries++) {
      let reason = `${log.name} did not take pack ${place}`
      let waitMs = Math.min(PAUSE_MS * 2 ** (tries - 1), PAUSE_MS_MAX)
      try {
        if (await this.#putOnce(place, bytes)) break
      } catch (error) {
        const isLost = error instanceof LogLostError
        if (error instanceof FencedError || (isLost && tries >= TRIES_BEFORE_LOST)) throw error
        // A server that has just been elected knows all within seconds.
        if (isLost) waitMs = PAUSE_MS
        reason = error instanceof Error ? error.message : String(error)
      }
      if (isClosing?.() === true) throw new StoppedError()
      this.#failures++
      failing(reason)
      if (tries === TRIES_BEFORE_SLOW) isSlow()
      await pause(waitMs)
    }
    if (this.#failures > 0) failing(undefined)
    this.#failures = 0
  }

  /**
   * Puts a pack. Its place belongs to this exchange, which led behind all who led earlier: one of those finds
   * it free only in a log that has lost packs.
   */
  async #putOnce(place: number, bytes: Uint8Array): Promise<boolean> {
    const { log, epoch } = this.#options
    try {
      return await putOnce(log, place, bytes)
    } catch (error) {
      const found = error instanceof FencedError ? await packAt(log, place) : undefined
      if (found === undefined || found.head.epoch >= epoch) throw error
      const whose = `of epoch ${found.head.epoch}, in which nobody leads any more`
      throw new LogLostError(`${log.name} has lost packs: pack ${place} is ${whose}`)
    }
  }
}
