/** How many findings of one check are kept; all are counted. */
export const FINDINGS_MAX = 20

/** What was found, as it crosses threads. */
export interface Found {
  readonly told: readonly string[]
  readonly count: number
}

/** What one check found wrong: the first so many in words, all in number. */
export class Findings implements Found {
  readonly #told: string[] = []
  #count = 0

  get told(): readonly string[] {
    return this.#told
  }

  get count(): number {
    return this.#count
  }

  /** The words are made only where they are kept. */
  add(say: () => string): void {
    this.#count++
    if (this.#told.length < FINDINGS_MAX) this.#told.push(say())
  }

  /** Takes over what was found elsewhere. */
  take({ told, count }: Found): void {
    this.#told.push(...told.slice(0, FINDINGS_MAX - this.#told.length))
    this.#count += count
  }
}
