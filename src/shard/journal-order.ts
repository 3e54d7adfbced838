import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'

/**
 * Lets committed batches be settled in the order of the journal. Two shards commit one after the other, but
 * the answer of the second may be read first; taken over then, it would show a user a moment that never was.
 */
export class JournalOrder {
  #settled: Sequence
  readonly #waiting = new Map<Sequence, () => void>()

  /** @param settled the last batch that memory includes */
  constructor(settled: Sequence) {
    this.#settled = settled
  }

  /** Settles a batch as soon as the one before it has been settled. */
  async settle(sequence: Sequence, settle: () => void): Promise<void> {
    assert(sequence > this.#settled, 'a batch is settled once')
    if (sequence !== this.#settled + 1) {
      await new Promise<void>(resolve => this.#waiting.set(sequence, resolve))
    }
    settle()
    this.#settled = sequence
    const next = (sequence + 1) as Sequence
    this.#waiting.get(next)?.()
    this.#waiting.delete(next)
  }
}
