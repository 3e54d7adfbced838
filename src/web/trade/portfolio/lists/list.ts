import type { CsvColumn } from '../../../../api/csv-file.js'
import type { Column } from '../../../kit/table.jsx'

/** A column of a list. */
export interface ListColumn<Row> extends Column<Row> {
  /** Set if it says nothing but the market, which the head of a group says, too. */
  readonly isMarket?: true
}

/** A list of the portfolio: how it is loaded, shown, filtered, summed and written to a file. */
export interface List<Row> {
  /** In addresses and names of files. */
  readonly name: string
  readonly columns: readonly ListColumn<Row>[]
  /** Returns rows since a time, newest first, up to a limit. */
  readonly load: (userid: string, from: number | undefined, limit: number) => Promise<readonly Row[]>
  readonly idOf: (row: Row) => string
  readonly eventOf: (row: Row) => string | null
  /** The amounts summed above the list and for each market; absent if nothing adds up. */
  readonly sum?: { readonly label: string; readonly of: (row: Row) => number }
  /** A further filter: its choices, and the one that a row belongs to. */
  readonly kinds?: { readonly choices: readonly (readonly [string, string])[]; of(row: Row): string }
  /** Columns of the file. */
  readonly sheet: readonly CsvColumn<Row>[]
  readonly empty: string
}
