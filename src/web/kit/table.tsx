import type { ComponentChildren } from 'preact'
import { Fragment } from 'preact'
import type { CsvCell } from '../../api/csv-file.js'
import { t } from '../texts/kit.js'
import type { Sorting, SortValue } from './sorting.js'

/** A column of a table. */
export interface Column<Row> {
  /** Its name in addresses, if one can sort by it. */
  readonly id: string
  readonly label: string
  /** Set where the label is for screen readers only. */
  readonly isLabelUnseen?: true
  /** Shown in place of the label, which screen readers read. */
  readonly mark?: string
  /** `number` is aligned right, `name` breaks anywhere, `wide` takes all room, `when` stays in one line. */
  readonly kind?: 'number' | 'name' | 'wide' | 'when' | undefined
  /** Set for a column that phones leave out, or tablets too. */
  readonly isRoomy?: true | 'tablet'
  /** Set if its cells are the heads of their rows. */
  readonly isHead?: true
  readonly cell: (row: Row) => ComponentChildren
  /** Returns further classes of a cell, such as its colour. */
  readonly tone?: (row: Row) => string
  /** Returns the value in CSV; a column without one is left out. */
  readonly csv?: (row: Row) => CsvCell
  /** Returns the value that rows are sorted by. */
  readonly sortBy?: (row: Row) => SortValue
  /** Set if one can sort by it although it has no `sortBy`. */
  readonly isSortable?: true
}

/** Rows under a head of their own. */
interface TableGroup<Row> {
  readonly key: string
  readonly head: ComponentChildren
  readonly rows: readonly Row[]
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly sorting?: Sorting | undefined
  /** Called when the head of a column is clicked; without it the table cannot be sorted. */
  readonly onSort?: ((column: Column<Row>) => void) | undefined
  /** Shown instead of the rows. */
  readonly groups?: readonly TableGroup<Row>[] | undefined
  readonly rowClass?: (row: Row) => string | undefined
  /** Returns what is shown below a row, over its whole width; undefined for nothing. */
  readonly detail?: (row: Row) => ComponentChildren
  readonly foot?: ComponentChildren
  readonly class?: string
}

/** A table of rows, with heads that sort it. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, keyOf, sorting, onSort, groups, rowClass, detail, foot } = props
  const lines = (some: readonly Row[]) =>
    some.map(row => {
      const below = detail?.(row)
      return (
        <Fragment key={keyOf(row)}>
          <tr class={rowClass?.(row)}>
            {columns.map(column => (
              <Cell key={column.id} column={column} row={row} />
            ))}
          </tr>
          {below !== undefined && (
            <tr class="row-detail">
              <td colSpan={columns.length}>{below}</td>
            </tr>
          )}
        </Fragment>
      )
    })
  return (
    <div class="table-frame">
      <table class={classes('table', props.class)}>
        <thead>
          <tr>
            {columns.map(column => (
              <Head key={column.id} {...{ column, sorting, onSort }} />
            ))}
          </tr>
        </thead>
        {groups === undefined ? (
          <tbody>{lines(rows)}</tbody>
        ) : (
          groups.map(group => (
            <tbody key={group.key}>
              <tr class="group-head">
                <th scope="rowgroup" colSpan={columns.length}>
                  {group.head}
                </th>
              </tr>
              {lines(group.rows)}
            </tbody>
          ))
        )}
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  )
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { kind, label, isRoomy, isHead, isLabelUnseen, tone, cell } = column
  const shown = {
    class: classes(kind, roomClass(isRoomy), tone?.(row)),
    // Cards on a phone show it beside the value.
    'data-label': isLabelUnseen ? undefined : label,
    children: cell(row),
  }
  return isHead ? <th scope="row" {...shown} /> : <td {...shown} />
}

interface HeadProps<Row> extends Pick<TableProps<Row>, 'sorting' | 'onSort'> {
  readonly column: Column<Row>
}

function Head<Row>({ column, sorting, onSort }: HeadProps<Row>) {
  const { id, label, kind, isRoomy, isLabelUnseen, mark, isSortable, sortBy } = column
  const shown = { scope: 'col', class: classes(kind, roomClass(isRoomy)) } as const
  if (onSort === undefined || !(isSortable || sortBy !== undefined)) {
    const isUnseen = isLabelUnseen || mark !== undefined
    return (
      <th {...shown}>
        {isUnseen ? <span class="unseen">{label}</span> : label}
        {mark}
      </th>
    )
  }
  const order = sorting?.by !== id ? 'none' : sorting.isDescending ? 'descending' : 'ascending'
  return (
    <th {...shown} aria-sort={order}>
      <button type="button" class="sort" title={t.sortBy(label)} onClick={() => onSort(column)}>
        {label}
        <span class="sort-sign" aria-hidden="true">
          {SIGNS[order]}
        </span>
      </button>
    </th>
  )
}

const SIGNS = { none: '↕', descending: '↓', ascending: '↑' } as const

function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}

function roomClass(isRoomy: Column<unknown>['isRoomy']): string | undefined {
  if (isRoomy === undefined) return undefined
  return classes('roomy', isRoomy === 'tablet' && 'roomy-tablet')
}
