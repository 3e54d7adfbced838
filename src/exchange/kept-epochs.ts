import type { BegunEpoch } from '../core/epoch.js'
import { FIRST_EPOCH } from '../core/epoch.js'

/** How many are kept: an answer from before them has been read long ago, or counts as lost. */
export const EPOCHS_MAX = 1000

/** The last epochs of the journal, each with the batch that began it. */
export class KeptEpochs {
  readonly #begun: [BegunEpoch, ...BegunEpoch[]]

  /** @param begun one after the other, the last one last */
  constructor([first = FIRST_EPOCH, ...later]: readonly BegunEpoch[] = []) {
    this.#begun = [first, ...later]
  }

  get last(): BegunEpoch {
    return this.#begun.at(-1) ?? this.#begun[0]
  }

  begin(epoch: BegunEpoch): void {
    this.#begun.push(epoch)
    if (this.#begun.length > EPOCHS_MAX) this.#begun.shift()
  }

  /**
   * Returns whether the takeover that ended an epoch has lost a batch which an answer of that epoch named, so
   * that another one has its number. If it is not known where the epoch ended, the batch counts as lost.
   */
  hasLost(epoch: number, sequence: number): boolean {
    if (epoch >= this.last.epoch) return false
    const next = this.#begun[epoch + 1 - this.#begun[0].epoch]
    return next === undefined || sequence >= next.from
  }
}
