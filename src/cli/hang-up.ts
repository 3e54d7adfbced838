import { isatty } from 'node:tty'

type Listener = (isTerminalGone: boolean) => void

/**
 * Receives SIGHUP from the start of the process, which it would end otherwise. It means two things: the
 * terminal of the process was closed, or a supervisor asks for a reload.
 */
export class HangUp {
  readonly #hadTerminal = isatty(process.stderr.fd)
  #listener: Listener | undefined
  #isAsked = false

  constructor() {
    process.on('SIGHUP', () => this.#receive())
  }

  /** Calls the listener for each signal; at once for those that came before. */
  follow(listener: Listener): void {
    this.#listener = listener
    if (this.#isAsked) this.#receive()
  }

  #receive(): void {
    this.#isAsked = true
    this.#listener?.(this.#hadTerminal && !isatty(process.stderr.fd))
  }
}
