import type { FileGuardOptions } from './file-guard.js'
import { FileGuard } from './file-guard.js'
import type { VerifySchedule } from './verify-schedule.js'

const ROUND_MS = 1000

/**
 * What a server does by the clock: each second it moves its markets on and looks after its files, and now and
 * then it verifies them.
 */
export class Rounds {
  readonly #fileGuard: FileGuard
  readonly #verifying: VerifySchedule
  readonly #timer: NodeJS.Timeout

  /** Begins at once. */
  constructor(options: FileGuardOptions & { readonly verifying: VerifySchedule }) {
    this.#verifying = options.verifying
    this.#verifying.begin()
    this.#fileGuard = new FileGuard(options)
    this.#timer = setInterval(() => {
      options.exchange.advanceClock()
      void this.#fileGuard.look()
    }, ROUND_MS)
  }

  /** Ends them, after a last look. To be called while the files are still open. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#verifying.stop()
    await this.#fileGuard.stop()
  }
}
