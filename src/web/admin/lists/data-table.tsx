import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { sortingAfter, sortingIn, sortingText } from '../../kit/sorting.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** The order, as in the address; without it the list cannot be sorted. */
  readonly sorting?: Signal<string>
  readonly foot?: ComponentChildren
}

/** A table of rows, sorted as the address says: numbers from the highest first, texts from the first. */
export function DataTable<Row>({ sorting, ...rest }: DataTableProps<Row>) {
  if (sorting === undefined) return <Table {...rest} />
  const now = sortingIn(sorting.value)
  const sort = ({ id, kind }: Column<Row>) => {
    sorting.value = sortingText(sortingAfter(now, id, kind === 'number'))
  }
  return <Table {...rest} sorting={now} onSort={sort} />
}
