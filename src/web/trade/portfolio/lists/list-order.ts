/** How a list is sorted: by one of its columns, up or down. */
export interface Sorting {
  readonly key: string
  readonly isDown: boolean
}

type SortValue = string | number

const TEXT = new Intl.Collator(undefined, { numeric: true })

/** Returns rows sorted by a value; rows with the same value keep their order. */
export function sorted<Row>(rows: readonly Row[], sortBy: (row: Row) => SortValue, isDown: boolean): Row[] {
  const sign = isDown ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(sortBy(a), sortBy(b)))
}

/** Returns the sorting after a click on a column: down first, then up. */
export function sortingAfter(now: Sorting, key: string): Sorting {
  return { key, isDown: now.key === key ? !now.isDown : true }
}

/** Returns whether a text has all words of a search, in any case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLocaleLowerCase()
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every(word => lower.includes(word))
}

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return TEXT.compare(String(a), String(b))
}
