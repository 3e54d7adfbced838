/** What of a terminal is used: `process.stdout`, or what stands for it in a test. */
export interface Terminal {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
  on(event: 'resize', told: () => void): unknown
  off(event: 'resize', told: () => void): unknown
}

const OTHER_SCREEN = '\u001b[?1049h'
const FIRST_SCREEN = '\u001b[?1049l'
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** A text that is drawn over itself, on the terminal's second screen: what was on the first comes back. */
export class Screen {
  readonly #terminal: Terminal
  #isOpen = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Lines below the last row of the terminal are left out, so that nothing scrolls. */
  draw(text: string): void {
    if (!this.#isOpen) this.#terminal.write(OTHER_SCREEN + HIDE_CURSOR)
    this.#isOpen = true
    const lines = text.split('\n').slice(0, this.#terminal.rows ?? Number.POSITIVE_INFINITY)
    this.#terminal.write(HOME + lines.map(line => line + CLEAR_LINE).join('\r\n') + CLEAR_BELOW)
  }

  /** Leaves the terminal as it was. */
  close(): void {
    if (this.#isOpen) this.#terminal.write(SHOW_CURSOR + FIRST_SCREEN)
    this.#isOpen = false
  }
}
