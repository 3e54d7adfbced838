import type { Progress } from '../verify/verification.js'

/** Where it is shown: a terminal, or a file or pipe that wants lines. */
interface Output {
  write(text: string): unknown
}

const BAR_WIDTH = 30
const DRAW_EVERY_MS = 100
/** Without a terminal: a line each so many hundredths. */
const LINE_EVERY = 0.1

/** Shows how far the verification is: a bar that moves on a terminal, a line now and then elsewhere. */
export class VerifyProgress {
  readonly #file: string
  readonly #output: Output
  readonly #isTerminal: boolean
  #start = 0
  #drawnAt = 0
  #told = 0
  #isOpen = false

  constructor(file: string, output: Output, isTerminal: boolean) {
    this.#file = file
    this.#output = output
    this.#isTerminal = isTerminal
  }

  tell(progress: Progress): void {
    if (progress.stage !== 'journal') return
    if (this.#start === 0) this.#begin()
    const { done, total } = progress
    const share = total === 0 ? 1 : done / total
    if (this.#isTerminal ? !this.#isDue(share) : share < this.#told + LINE_EVERY && share < 1) return
    this.#told = share
    const text = this.#text(progress, share)
    if (!this.#isTerminal) {
      this.#output.write(`${text}\n`)
      return
    }
    const filled = Math.round(share * BAR_WIDTH)
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
    this.#output.write(`\r\u001b[2K${bar} ${text}`)
    this.#isOpen = true
  }

  /** What follows begins on a line of its own. */
  end(): void {
    if (this.#isOpen) this.#output.write('\r\u001b[2K')
    this.#isOpen = false
  }

  /** The clock runs from here: what came before was opening the file. */
  #begin(): void {
    this.#start = performance.now()
    this.#output.write(`Verifying ${this.#file}\n`)
  }

  #isDue(share: number): boolean {
    const now = performance.now()
    if (share < 1 && now - this.#drawnAt < DRAW_EVERY_MS) return false
    this.#drawnAt = now
    return true
  }

  #text({ done, total, orders }: Extract<Progress, { stage: 'journal' }>, share: number): string {
    const seconds = (performance.now() - this.#start) / 1000
    const rate = seconds > 0 ? Math.round(orders / seconds) : 0
    const left = share > 0 ? (seconds * (1 - share)) / share : 0
    const percent = `${Math.floor(share * 100)}%`.padStart(4)
    const counted = `batch ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    const pace = `${orders.toLocaleString('en')} orders, ${rate.toLocaleString('en')}/s`
    return `${percent}  ${counted}, ${pace}, ${share < 1 ? `${left.toFixed(1)} s left` : 'comparing'}`
  }
}
