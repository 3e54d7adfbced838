/** The part of a terminal in use: `process.stdout`, or a fake in tests. */
export interface Terminal {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

const OTHER_SCREEN = '\u001b[?1049h'
const FIRST_SCREEN = '\u001b[?1049l'
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** Redraws a text in place on the terminal's alternate screen. */
export class Screen {
  readonly #terminal: Terminal
  #isOpen = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Draws a text; lines that do not fit are left out, so that nothing scrolls. */
  draw(text: string): void {
    if (!this.#isOpen) this.#terminal.write(OTHER_SCREEN + HIDE_CURSOR)
    this.#isOpen = true
    const lines = text.split('\n').slice(0, this.#terminal.rows ?? Number.POSITIVE_INFINITY)
    this.#terminal.write(HOME + lines.map(line => line + CLEAR_LINE).join('\r\n') + CLEAR_BELOW)
  }

  /** Restores the main screen and the cursor. */
  close(): void {
    if (this.#isOpen) this.#terminal.write(SHOW_CURSOR + FIRST_SCREEN)
    this.#isOpen = false
  }
}
