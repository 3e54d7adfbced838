/** A map that takes memory only while it has entries: for the parts of markets, of which most are over. */
export class SparseMap<Key, Value> {
  #entries: Map<Key, Value> | undefined

  get size(): number {
    return this.#entries?.size ?? 0
  }

  get(key: Key): Value | undefined {
    return this.#entries?.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries ??= new Map()
    this.#entries.set(key, value)
  }

  /** Returns false if there was no such entry. */
  delete(key: Key): boolean {
    const isDeleted = this.#entries?.delete(key) ?? false
    if (this.#entries?.size === 0) this.#entries = undefined
    return isDeleted
  }

  clear(): void {
    this.#entries = undefined
  }

  /** Yields the keys in the order in which they were added, as do `values`. */
  keys(): Iterable<Key> {
    return this.#entries?.keys() ?? []
  }

  values(): Iterable<Value> {
    return this.#entries?.values() ?? []
  }
}
