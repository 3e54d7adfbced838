/** The order of a list. */
export interface Sorting {
  /** The column. */
  readonly by: string
  readonly isDescending: boolean
}

/** Reads an order as it stands in the address: `cash`, or `-cash` for the largest first. */
export function sortingIn(text: string): Sorting {
  return text.startsWith('-') ? { by: text.slice(1), isDescending: true } : { by: text, isDescending: false }
}

/**
 * Returns the order after a click on a column: the other way round if it was sorted by it already, else
 * ascending, or with the largest first for numbers.
 */
export function sortingAfter(text: string, column: string, isNumber: boolean): string {
  const { by, isDescending } = sortingIn(text)
  const isNowDescending = by === column ? !isDescending : isNumber
  return isNowDescending ? `-${column}` : column
}

/** Sorts rows by what a column shows; empty values come last, equal ones keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  shownIn: (row: Row) => string | number | null,
  { isDescending }: Sorting,
): Row[] {
  const sign = isDescending ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [shownIn(a), shownIn(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return sign * String(x).localeCompare(String(y))
  })
}
