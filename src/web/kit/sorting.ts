/** How a list is sorted: by one of its columns. */
export interface Sorting {
  readonly by: string
  readonly isDescending: boolean
}

export type SortValue = string | number | null

/** A column by which rows can be sorted; what it is written as in a file orders them, too. */
interface SortedColumn<Row> {
  readonly id: string
  readonly sortBy?: (row: Row) => SortValue
  readonly csv?: (row: Row) => SortValue
}

const TEXT = new Intl.Collator(undefined, { numeric: true })

/** Reads an order from an address: `cash`, or `-cash` for the largest first. */
export function sortingIn(text: string): Sorting {
  return text.startsWith('-') ? { by: text.slice(1), isDescending: true } : { by: text, isDescending: false }
}

/** Writes an order for an address. */
export function sortingText({ by, isDescending }: Sorting): string {
  return isDescending ? `-${by}` : by
}

/** Returns the order after a click on a column: the other way round if it was sorted by it already. */
export function sortingAfter(now: Sorting | undefined, column: string, isDescendingFirst: boolean): Sorting {
  return { by: column, isDescending: now?.by === column ? !now.isDescending : isDescendingFirst }
}

/** Sorts rows by a column, or not for an unknown one; empty values come last, equal ones keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly SortedColumn<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sorting?.by)
  const value = column?.sortBy ?? column?.csv
  if (sorting === undefined || value === undefined) return rows
  const sign = sorting.isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return sign * TEXT.compare(String(x), String(y))
  })
}
