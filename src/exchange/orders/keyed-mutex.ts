import type { CapacityRefusal } from '../capacity.js'

/** How much work may be under way: in all, and under one name. */
const LENGTH_MAX = 8192
const NAME_LENGTH_MAX = 100

interface Chain {
  last: Promise<unknown>
  length: number
}

/** Work under one name is done piece by piece, in the order of arrival; under other names side by side. */
export class KeyedMutex {
  readonly #chains = new Map<string, Chain>()
  #length = 0

  /** Runs work when all before it under its name is done, well or not; `queue_full` where too much waits. */
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
