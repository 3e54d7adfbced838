/** Turns of the event loop that stay short after one in which a connection was accepted. */
const SHORT_TURNS = 2

/** Says how long turns of the event loop may be. */
export interface TurnLength {
  readonly isShort: boolean
}

/**
 * Keeps turns of the event loop short while connections are being accepted: libuv accepts one per turn, so
 * that a request on a new connection waits for as many turns as connections came before it.
 */
export class Accepting implements TurnLength {
  readonly #schedule: (work: () => void) => void
  #turnsLeft = 0

  constructor(schedule: (work: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  get isShort(): boolean {
    return this.#turnsLeft > 0
  }

  /** Notes that a connection was accepted in this turn. */
  note(): void {
    const isCounting = this.isShort
    this.#turnsLeft = SHORT_TURNS
    if (!isCounting) this.#schedule(this.#count)
  }

  readonly #count = (): void => {
    this.#turnsLeft--
    if (this.isShort) this.#schedule(this.#count)
  }
}
