import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../../texts/admin-frame.js'
import { sortingAfter, sortingIn } from './sorting.js'

/** A column of a list. */
export interface Column<Row> {
  /** Its name in the address, if one can sort by it. */
  readonly id: string
  readonly label: string
  /** Numbers are aligned right; `name` breaks anywhere. */
  readonly kind?: 'number' | 'name'
  /** Set for a column that narrow screens leave out. */
  readonly isRoomy?: true
  readonly cell: (row: Row) => ComponentChildren
  /** Returns the value in CSV; a column without one is left out. */
  readonly csv?: (row: Row) => string | number | null
  /** Set if one can sort by it. */
  readonly isSortable?: true
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** The order, as in the address; without it the list cannot be sorted. */
  readonly sorting?: Signal<string>
  readonly foot?: ComponentChildren
}

/** A table of rows, with heads that sort it. */
export function DataTable<Row>({ columns, rows, keyOf, sorting, foot }: DataTableProps<Row>) {
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            {columns.map(column => (
              <Head key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(column => (
                <td key={column.id} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  )
}

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Signal<string> | undefined
}

function Head<Row>({ column, sorting }: HeadProps<Row>) {
  const { id, label, kind, isSortable } = column
  if (sorting === undefined || isSortable === undefined) {
    return (
      <th scope="col" class={classOf(column)}>
        {label.startsWith('_') ? <span class="unseen">{label.slice(1)}</span> : label}
      </th>
    )
  }
  const { by, isDescending } = sortingIn(sorting.value)
  const order = by !== id ? 'none' : isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" class={classOf(column)} aria-sort={order}>
      <button
        type="button"
        class="sort"
        title={t.sortBy(label)}
        onClick={() => {
          sorting.value = sortingAfter(sorting.value, id, kind === 'number')
        }}
      >
        {label}
        <span class="sort-sign" aria-hidden="true">
          {order === 'none' ? '↕' : isDescending ? '↓' : '↑'}
        </span>
      </button>
    </th>
  )
}

function classOf({ kind, isRoomy }: Pick<Column<never>, 'kind' | 'isRoomy'>): string | undefined {
  return [kind, isRoomy && 'roomy'].filter(Boolean).join(' ') || undefined
}
