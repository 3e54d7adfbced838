interface Waiting {
  /** Waits for the messages up to this number. */
  readonly upTo: number
  left: number
  readonly done: () => void
}

/** The messages about orders of one connection that were read and are not answered yet. */
export class InFlight {
  #orders = 0
  #messages = 0
  #last = 0
  #waiting: Waiting[] = []

  /** The orders and cancels in them. */
  get orders(): number {
    return this.#orders
  }

  /** Adds a message; returns its number. */
  begin(orders: number): number {
    this.#orders += orders
    this.#messages++
    this.#last++
    return this.#last
  }

  /** Removes a message that was answered. */
  end(number: number, orders: number): void {
    this.#orders -= orders
    this.#messages--
    if (this.#waiting.length === 0) return
    for (const waiting of this.#waiting) {
      if (number > waiting.upTo) continue
      waiting.left--
      if (waiting.left === 0) waiting.done()
    }
    this.#waiting = this.#waiting.filter(({ left }) => left > 0)
  }

  /** Resolves when all messages that are in flight now have been answered; undefined if there are none. */
  answered(): Promise<void> | undefined {
    if (this.#messages === 0) return undefined
    return new Promise(done => this.#waiting.push({ upTo: this.#last, left: this.#messages, done }))
  }
}
