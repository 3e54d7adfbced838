/** A queue per key, served round-robin: one item of each key, however many another has. */
export class FairQueue<Key, Item> {
  /** In serving order. */
  readonly #queues = new Map<Key, Item[]>()
  #length = 0

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  /** The items of all keys. */
  get length(): number {
    return this.#length
  }

  lengthOf(key: Key): number {
    return this.#queues.get(key)?.length ?? 0
  }

  push(key: Key, item: Item): void {
    this.#length++
    const queue = this.#queues.get(key)
    if (queue === undefined) this.#queues.set(key, [item])
    else queue.push(item)
  }

  /** Removes and returns the next key's first item. */
  shift(): readonly [Key, Item] | undefined {
    for (const [key, queue] of this.#queues) {
      this.#queues.delete(key)
      const item = queue.shift()
      if (queue.length > 0) this.#queues.set(key, queue)
      if (item === undefined) continue
      this.#length--
      return [key, item]
    }
    return undefined
  }

  /** Removes and returns the first items of each key, for as long as they fit. */
  shiftWhile(fits: (item: Item) => boolean): Item[] {
    const removed: Item[] = []
    for (const [key, queue] of this.#queues) {
      const end = queue.findIndex(item => !fits(item))
      for (const item of queue.splice(0, end < 0 ? queue.length : end)) removed.push(item)
      if (queue.length === 0) this.#queues.delete(key)
    }
    this.#length -= removed.length
    return removed
  }

  /** Forgets a key and its items. */
  delete(key: Key): void {
    this.#length -= this.lengthOf(key)
    this.#queues.delete(key)
  }
}
