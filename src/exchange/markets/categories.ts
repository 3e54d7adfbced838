/** The categories of all markets; each has the spelling that was used first, whatever its case. */
export class Categories {
  readonly #known = new Map<string, { readonly spelling: string; count: number }>()

  get size(): number {
    return this.#known.size
  }

  /** Counts a market in; its spelling counts if it is the first. */
  add(category: string | undefined): void {
    if (category === undefined) return
    const known = this.#known.get(folded(category))
    if (known === undefined) this.#known.set(folded(category), { spelling: category, count: 1 })
    else known.count++
  }

  /** Counts a market out; a category without markets is forgotten. */
  remove(category: string | undefined): void {
    const known = category === undefined ? undefined : this.#known.get(folded(category))
    if (category === undefined || known === undefined) return
    known.count--
    if (known.count === 0) this.#known.delete(folded(category))
  }

  /** Returns the spelling in use; undefined for a new category. */
  spellingOf(category: string): string | undefined {
    return this.#known.get(folded(category))?.spelling
  }
}

/** Returns the form in which two spellings of one category are equal. */
export function folded(category: string): string {
  return category.normalize('NFKC').toLowerCase()
}
