import { t } from '../../../texts/portfolio.js'
import { MarketLink } from '../../market-link.jsx'
import type { Column, List } from './list.js'
import type { Sorting } from './list-order.js'
import { sortingAfter } from './list-order.js'
import { Gain } from './list-sum.jsx'
import type { ListView } from './list-view.js'
import { grouped } from './row-groups.js'

interface ListTableProps<Row> {
  readonly list: List<Row>
  readonly rows: readonly Row[]
  readonly view: Pick<ListView, 'isGrouped' | 'sorting'>
  readonly onSort: (sorting: Sorting) => void
}

/** The rows of a list, under heads that sort it, by market if wanted. */
export function ListTable<Row>({ list, rows, view, onSort }: ListTableProps<Row>) {
  const columns = view.isGrouped ? list.columns.filter(({ isMarket }) => !isMarket) : list.columns
  const lines = (some: readonly Row[]) =>
    some.map(row => (
      <tr key={list.idOf(row)}>
        {columns.map(column => (
          <td key={column.key} class={columnClass(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    ))
  return (
    <div class="table-frame">
      <table class={`table list-table ${view.isGrouped ? 'list-grouped' : ''}`}>
        <thead>
          <tr>
            {columns.map(column => (
              <SortHead key={column.key} column={column} sorting={view.sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {view.isGrouped ? (
          grouped(rows, list.eventOf, list.sum?.of ?? (() => 0)).map(group => (
            <tbody key={group.eventId}>
              <tr class="list-group-head">
                <th scope="rowgroup" colSpan={columns.length}>
                  <span>
                    {group.eventId === null ? t.noMarket : <MarketLink eventId={group.eventId} />}
                    <span class="faint">{t.rows(group.rows.length)}</span>
                    {list.sum !== undefined && <Gain rupees={group.sum} />}
                  </span>
                </th>
              </tr>
              {lines(group.rows)}
            </tbody>
          ))
        ) : (
          <tbody>{lines(rows)}</tbody>
        )}
      </table>
    </div>
  )
}

interface SortHeadProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Sorting | undefined
  readonly onSort: (sorting: Sorting) => void
}

/** A head that sorts by its column. */
export function SortHead<Row>({ column, sorting, onSort }: SortHeadProps<Row>) {
  const { key, head } = column
  const isSorted = sorting?.key === key
  const direction = sorting?.isDown ? 'descending' : 'ascending'
  return (
    <th scope="col" class={columnClass(column)} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        class="sort-head"
        onClick={() => onSort(sortingAfter(sorting ?? { key: '', isDown: false }, key))}
      >
        {head}
        <span aria-hidden="true">{isSorted ? (sorting?.isDown ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  )
}

/** Returns the class of a column’s cells. */
export function columnClass<Row>({ isNumber, isRoomy, key }: Column<Row>): string {
  return [key === 'market' ? 'wide' : '', isNumber ? 'number' : '', isRoomy ? 'roomy' : ''].join(' ').trim()
}
