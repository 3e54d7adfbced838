import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'

/**
 * Applies committed batches in journal order. Two shards commit one after the other, but the main thread may
 * read the second answer first; applied at once, it would show users a state that never existed.
 */
export class JournalOrder {
  #applied: Sequence
  readonly #waiting = new Map<Sequence, () => void>()

  /** @param applied the last batch that memory includes */
  constructor(applied: Sequence) {
    this.#applied = applied
  }

  /** Goes on behind a batch that was applied without waiting. */
  moveTo(applied: Sequence): void {
    this.#applied = applied
  }

  /** Calls `apply` for a batch as soon as the batch before it has been applied. */
  async inOrder(sequence: Sequence, apply: () => void): Promise<void> {
    assert(sequence > this.#applied, 'a batch is applied once')
    if (sequence !== this.#applied + 1) {
      await new Promise<void>(resolve => this.#waiting.set(sequence, resolve))
    }
    apply()
    this.#applied = sequence
    const next = (sequence + 1) as Sequence
    this.#waiting.get(next)?.()
    this.#waiting.delete(next)
  }
}
