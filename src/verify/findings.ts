/** Findings kept for each check; all are counted. */
export const FINDINGS_MAX = 20

/** Findings in a form that crosses threads. */
export interface Found {
  readonly told: readonly string[]
  readonly count: number
}

/** Findings of one check: the first ones in words, and the number of all. */
export class Findings implements Found {
  readonly #told: string[] = []
  #count = 0

  get told(): readonly string[] {
    return this.#told
  }

  get count(): number {
    return this.#count
  }

  /** Adds a finding; the words are made only if they are kept. */
  add(say: () => string): void {
    this.#count++
    if (this.#told.length < FINDINGS_MAX) this.#told.push(say())
  }

  /** Adds findings made elsewhere. */
  take({ told, count }: Found): void {
    for (const text of told.slice(0, FINDINGS_MAX - this.#told.length)) this.#told.push(text)
    this.#count += count
  }
}
