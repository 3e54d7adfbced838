/** Counts what runs under each key, and bounds it. */
export class Running {
  readonly #countMax: number
  /** A key without anything running has no entry. */
  readonly #counts = new Map<string, number>()

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** Begins one more; returns what ends it, or undefined if the key has the maximum running. */
  begin(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#countMax) return undefined
    this.#counts.set(key, count + 1)
    return () => this.#end(key)
  }

  #end(key: string): void {
    const count = this.#counts.get(key) ?? 0
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}
