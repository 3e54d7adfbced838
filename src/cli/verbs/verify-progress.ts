import type { Progress } from '../../verify/verification.js'
import type { Output } from '../terminal/progress-line.js'
import { ProgressLine } from '../terminal/progress-line.js'

/** Shows the progress of a verification. */
export class VerifyProgress {
  readonly #file: string
  readonly #output: Output
  readonly #line: ProgressLine
  #start = 0

  constructor(file: string, output: Output, isTerminal: boolean) {
    this.#file = file
    this.#output = output
    this.#line = new ProgressLine(output, isTerminal)
  }

  update(progress: Progress): void {
    if (progress.stage !== 'journal') return
    if (this.#start === 0) this.#begin()
    const { done, total } = progress
    const share = total === 0 ? 1 : done / total
    this.#line.update(share, () => this.#text(progress, share))
  }

  /** Clears the bar, so that further output starts on a new line. */
  end(): void {
    this.#line.end()
  }

  /** Starts the clock: until now the file was being opened. */
  #begin(): void {
    this.#start = performance.now()
    this.#output.write(`Verifying ${this.#file}\n`)
  }

  #text({ done, total, orders }: Extract<Progress, { stage: 'journal' }>, share: number): string {
    const seconds = (performance.now() - this.#start) / 1000
    const rate = seconds > 0 ? Math.round(orders / seconds) : 0
    const left = share > 0 ? (seconds * (1 - share)) / share : 0
    const counted = `batch ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    const pace = `${orders.toLocaleString('en')} orders, ${rate.toLocaleString('en')}/s`
    return `${counted}, ${pace}, ${share < 1 ? `${left.toFixed(1)} s left` : 'comparing'}`
  }
}
