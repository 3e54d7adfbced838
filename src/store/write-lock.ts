const NEXT_TICKET = 0
const NOW_SERVING = 1

/**
 * A fair ticket lock in shared memory. Every shard has its own connection, but they commit one after the
 * other in order of arrival, so SQLite is never busy and the commits form one history.
 */
export class WriteLock {
  readonly memory: SharedArrayBuffer
  readonly #words: Int32Array

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#words = new Int32Array(memory)
  }

  /** Waits for the lock. Ticket numbers may wrap around: only equality matters. */
  acquire(): void {
    const ticket = Atomics.add(this.#words, NEXT_TICKET, 1)
    for (;;) {
      const serving = Atomics.load(this.#words, NOW_SERVING)
      if (serving === ticket) return
      Atomics.wait(this.#words, NOW_SERVING, serving)
    }
  }

  /** Passes the lock to the next in line. */
  release(): void {
    Atomics.add(this.#words, NOW_SERVING, 1)
    Atomics.notify(this.#words, NOW_SERVING)
  }
}
