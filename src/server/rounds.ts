import type { FileGuardOptions } from './file-guard.js'
import { FileGuard } from './file-guard.js'

const ROUND_MS = 1000

/** What a server does each second: moves its markets on by the clock, and looks after its files. */
export class Rounds {
  readonly #fileGuard: FileGuard
  readonly #timer: NodeJS.Timeout

  /** Begins at once. */
  constructor(options: FileGuardOptions) {
    this.#fileGuard = new FileGuard(options)
    this.#timer = setInterval(() => {
      options.exchange.advanceClock()
      void this.#fileGuard.look()
    }, ROUND_MS)
  }

  /** Ends them, after a last look. To be called while the files are still open. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#fileGuard.stop()
  }
}
