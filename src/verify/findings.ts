/** How many findings of one check are kept; all are counted. */
export const FINDINGS_MAX = 20

/** What one check found wrong: the first so many in words, all in number. */
export class Findings {
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
}
