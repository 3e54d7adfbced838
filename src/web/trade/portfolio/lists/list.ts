import type { ComponentChildren } from 'preact'
import type { CsvCell } from '../../../../api/csv-file.js'

/** A column of a list. */
export interface Column<Row> {
  readonly key: string
  readonly head: string
  readonly isNumber?: true
  /** Set if it says nothing but the market, which the head of a group says, too. */
  readonly isMarket?: true
  /** Set if it is left out where there is little room. */
  readonly isRoomy?: true
  readonly cell: (row: Row) => ComponentChildren
  readonly sortBy: (row: Row) => string | number
}

/** A list of the portfolio: how it is loaded, shown, filtered, summed and written to a file. */
export interface List<Row> {
  /** In addresses and names of files. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
  /** Returns rows since a time, newest first, up to a limit. */
  readonly load: (userid: string, from: number | undefined, limit: number) => Promise<readonly Row[]>
  readonly idOf: (row: Row) => string
  readonly eventOf: (row: Row) => string | null
  /** The amounts summed above the list and for each market; absent if nothing adds up. */
  readonly sum?: { readonly label: string; readonly of: (row: Row) => number }
  /** A further filter: its choices, and the one that a row belongs to. */
  readonly kinds?: { readonly choices: readonly (readonly [string, string])[]; of(row: Row): string }
  /** Columns of the file. */
  readonly sheet: readonly (readonly [head: string, cell: (row: Row) => CsvCell])[]
  readonly empty: string
}
