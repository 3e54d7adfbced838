import type { CapacityRefusal } from '../capacity.js'

/** The most work in progress: in total, and per key. */
const LENGTH_MAX = 8192
const NAME_LENGTH_MAX = 100

interface Chain {
  last: Promise<unknown>
  length: number
}

/** Serialises work with the same key in order of arrival; work with different keys runs concurrently. */
export class KeyedMutex {
  readonly #chains = new Map<string, Chain>()
  #length = 0

  /** Runs work after all earlier work with its key has finished or failed; `queue_full` if too much waits. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | CapacityRefusal> {
    const chain = this.#chains.get(name) ?? { last: Promise.resolve(), length: 0 }
    if (this.#length >= LENGTH_MAX || chain.length >= NAME_LENGTH_MAX) return 'queue_full'
    const done = chain.length === 0 ? work() : chain.last.then(work, work)
    chain.last = done
    chain.length++
    this.#length++
    this.#chains.set(name, chain)
    try {
      return await done
    } finally {
      chain.length--
      this.#length--
      if (chain.length === 0) this.#chains.delete(name)
    }
  }
}
