import type { BegunEpoch } from '../../core/epoch.js'
import type { Sequence } from '../../core/units.js'
import { KeptEpochs } from '../kept-epochs.js'

/** The most that wait at the same time. */
export const WAITING_MAX = 1000

interface Waiting {
  readonly sequence: number
  readonly end: () => void
}

/** The last batch that memory includes, and those who wait for a later one. */
export class AppliedBatches {
  readonly epochs: KeptEpochs
  #last: Sequence
  /** Those who wait, the first batch first. */
  readonly #waiting: Waiting[] = []

  constructor(last: Sequence, epochs = new KeptEpochs()) {
    this.#last = last
    this.epochs = epochs
  }

  /** The epoch of the last batch. */
  get epoch(): BegunEpoch {
    return this.epochs.last
  }

  get last(): Sequence {
    return this.#last
  }

  get waitingCount(): number {
    return this.#waiting.length
  }

  /** Counts an applied batch, and ends the waits for it and those before it. */
  applied(sequence: Sequence): void {
    this.#last = sequence
    for (
      let [first] = this.#waiting;
      first !== undefined && first.sequence <= sequence;
      [first] = this.#waiting
    ) {
      this.#waiting.shift()
      first.end()
    }
  }

  /**
   * Waits until memory includes a batch. Resolves to whether it does: not if the signal ended the wait.
   * Returns `reads_full` if too many wait.
   */
  whenApplied(sequence: number, signal: AbortSignal): Promise<boolean> | 'reads_full' {
    if (sequence <= this.#last) return Promise.resolve(true)
    if (this.#waiting.length >= WAITING_MAX) return 'reads_full'
    if (signal.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        resolve(false)
      }
      const end = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const waiting = { sequence, end }
      const before = this.#waiting.findLastIndex(other => other.sequence <= sequence)
      this.#waiting.splice(before + 1, 0, waiting)
      signal.addEventListener('abort', giveUp)
    })
  }
}
