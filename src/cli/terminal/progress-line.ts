/** A terminal, or a file or pipe. */
export interface Output {
  write(text: string): unknown
}

const BAR_WIDTH = 30
const DRAW_EVERY_MS = 100
/** Without a terminal: the share between two lines. */
const LINE_EVERY = 0.1

/** Shows the progress of long work: a bar on a terminal, a line now and then elsewhere. */
export class ProgressLine {
  readonly #output: Output
  readonly #isTerminal: boolean
  #drawnAt = 0
  #shown = 0
  #isOpen = false

  constructor(output: Output, isTerminal: boolean) {
    this.#output = output
    this.#isTerminal = isTerminal
  }

  /**
   * @param share from 0 to 1
   * @param text returns the text beside the bar; called only when it is shown
   */
  update(share: number, text: () => string): void {
    if (this.#isTerminal ? !this.#isDue(share) : share < this.#shown + LINE_EVERY && share < 1) return
    this.#shown = share
    const line = `${`${Math.floor(share * 100)}%`.padStart(4)}  ${text()}`
    if (!this.#isTerminal) {
      this.#output.write(`${line}\n`)
      return
    }
    const filled = Math.round(share * BAR_WIDTH)
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
    this.#output.write(`\r\u001b[2K${bar} ${line}`)
    this.#isOpen = true
  }

  /** Clears the bar, so that further output starts on a new line. */
  end(): void {
    if (this.#isOpen) this.#output.write('\r\u001b[2K')
    this.#isOpen = false
  }

  #isDue(share: number): boolean {
    const now = performance.now()
    if (share < 1 && now - this.#drawnAt < DRAW_EVERY_MS) return false
    this.#drawnAt = now
    return true
  }
}
