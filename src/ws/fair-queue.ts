/** A queue per key, served round-robin: one item of each key, however many another has. */
export class FairQueue<Key, Item> {
  /** In serving order. */
  readonly #queues = new Map<Key, Item[]>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  lengthOf(key: Key): number {
    return this.#queues.get(key)?.length ?? 0
  }

  push(key: Key, item: Item): void {
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
      if (item !== undefined) return [key, item]
    }
    return undefined
  }

  /** Forgets a key and its items. */
  delete(key: Key): void {
    this.#queues.delete(key)
  }
}
