/** Requests that one round of the event loop takes: some ten milliseconds of work. */
const ROUND_LENGTH_MAX = 64

/**
 * Requests that came behind others of their connections, in one packet. They wait in their order, and a few
 * of them are begun in each round of the event loop: a packet may hold hundreds of requests, and those of
 * other clients are not to wait for all of them.
 */
export class Pipeline {
  #waiting: (() => void)[] = []
  #next = 0

  add(begin: () => void): void {
    this.#waiting.push(begin)
    if (this.#waiting.length === 1) setImmediate(() => this.#round())
  }

  #round(): void {
    const end = Math.min(this.#next + ROUND_LENGTH_MAX, this.#waiting.length)
    while (this.#next < end) {
      this.#waiting[this.#next]?.()
      this.#next++
    }
    if (this.#next < this.#waiting.length) {
      setImmediate(() => this.#round())
      return
    }
    this.#waiting = []
    this.#next = 0
  }
}
