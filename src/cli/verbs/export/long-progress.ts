import { ProgressLine } from '../../terminal/progress-line.js'

/** Without a terminal, only work that takes longer than this says how far it has come. */
const QUIET_MS = 5000

/** Shows on stderr how far long work has come: a bar on a terminal, a line now and then elsewhere. */
export class LongProgress {
  readonly #isTerminal = process.stderr.isTTY === true
  readonly #line = new ProgressLine(process.stderr, this.#isTerminal)
  readonly #startedAt = performance.now()

  update(share: number, text: () => string): void {
    if (!this.#isTerminal && performance.now() - this.#startedAt < QUIET_MS) return
    this.#line.update(share, text)
  }

  /** Clears the bar, so that further output starts on a new line. */
  end(): void {
    this.#line.end()
  }
}
