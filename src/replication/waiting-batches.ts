import type { Sequence } from '../core/units.js'

interface Waiter {
  readonly sequence: Sequence
  readonly done: () => void
}

/** Those who wait until a log holds a batch, in the order of the batches, in which they are applied. */
export class WaitingBatches {
  #waiters: Waiter[] = []

  until(sequence: Sequence): Promise<void> {
    return new Promise(done => this.#waiters.push({ sequence, done }))
  }

  /** Lets go what waits for batches up to one. */
  releaseThrough(sequence: Sequence): void {
    const due = this.#waiters.filter(waiter => waiter.sequence <= sequence)
    if (due.length === 0) return
    this.#waiters = this.#waiters.filter(waiter => waiter.sequence > sequence)
    for (const { done } of due) done()
  }

  releaseAll(): void {
    for (const { done } of this.#waiters.splice(0)) done()
  }
}
