import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nowMs } from '../../../kit/browser-clock.js'
import { errorText } from '../../../kit/error-text.js'
import { exactSum } from '../../../kit/exact-sum.js'
import { t } from '../../../texts/portfolio.js'
import { titleOf } from '../../titles.js'
import { saveCsv } from '../../../kit/save-csv.js'
import { sorted, sortingAfter } from '../../../kit/sorting.js'
import { Table } from '../../../kit/table.jsx'
import { MarketLink } from '../../market-link.jsx'
import type { List } from './list.js'
import { ListControls } from './list-controls.jsx'
import { Gain, ListSum } from './list-sum.jsx'
import type { ListView } from './list-view.js'
import { hasWords, queryOf, viewIn } from './list-view.js'
import { useRows } from './loaded-rows.js'
import { beginOfPeriod } from './period.js'
import { grouped } from './row-groups.js'

const ROWS_STEP = 200
/** Rows of a file at most; the API has the rest. */
const FILE_ROWS_MAX = 10_000

interface ListPageProps<Row> {
  readonly list: List<Row>
  readonly name: string
}

/** A list with filters, sorting, groups and a file; its address says how it is shown. */
export function ListPage<Row>({ list, name }: ListPageProps<Row>) {
  const view = useSignal<ListView>(viewIn(location.search))
  const limit = useSignal(ROWS_STEP)
  const from = beginOfPeriod(view.value.period, nowMs())
  const { rows, fault } = useRows(list, name, from, limit.value)
  const change = (changes: Partial<ListView>) => {
    view.value = { ...view.value, ...changes }
    // Back and a reload keep the view.
    history.replaceState(null, '', `${location.pathname}${queryOf(view.value, location.search)}`)
  }
  const save = async () => {
    try {
      const lines = shownRows(list, await list.load(name, from, FILE_ROWS_MAX), view.value)
      saveCsv(`raay-${name}-${list.name}`, list.sheet, lines)
    } catch (error) {
      fault.value = errorText(error)
    }
  }
  // The tab itself is drawn first: on a slow phone all at once is a tenth of a second.
  const isTabDrawn = useSignal(false)
  useEffect(() => {
    isTabDrawn.value = true
  }, [])
  if (!isTabDrawn.value) return null
  const shown = rows && shownRows(list, rows, view.value)
  const hasOlder = rows !== undefined && rows.length >= limit.value
  const canSave = shown !== undefined && shown.length > 0
  return (
    <>
      <ListControls list={list} view={view.value} onChange={change} onSave={save} canSave={canSave} />
      <p class={fault.value === '' ? 'unseen' : 'empty fault'} role="alert">
        {fault.value}
      </p>
      {shown === undefined && fault.value === '' && <p class="empty">{t.loading}</p>}
      {shown?.length === 0 && <p class="empty">{rows?.length === 0 ? list.empty : t.noneMatch}</p>}
      {shown !== undefined && shown.length > 0 && (
        <>
          <ListSum
            list={list}
            rows={shown}
            sum={list.sum && exactSum(shown, list.sum.of)}
            newest={hasOlder ? rows?.length : undefined}
          />
          <ListTable list={list} rows={shown} view={view.value} onChange={change} />
        </>
      )}
      {hasOlder && <ListEnd limit={limit} loaded={rows.length} />}
    </>
  )
}

interface ListTableProps<Row> {
  readonly list: List<Row>
  readonly rows: readonly Row[]
  readonly view: ListView
  readonly onChange: (changes: Pick<ListView, 'sorting'>) => void
}

/** The rows of a list, under heads that sort it, by market if wanted. */
function ListTable<Row>({ list, rows, view: { isGrouped, sorting }, onChange }: ListTableProps<Row>) {
  const groups = grouped(rows, list.eventOf, list.sum?.of ?? (() => 0)).map(group => ({
    key: String(group.eventId),
    head: (
      <span>
        {group.eventId === null ? t.noMarket : <MarketLink eventId={group.eventId} />}
        <span class="faint">{t.rows(group.rows.length)}</span>
        {list.sum !== undefined && <Gain rupees={group.sum} />}
      </span>
    ),
    rows: group.rows,
  }))
  return (
    <Table
      class={isGrouped ? 'list-table list-grouped' : 'list-table'}
      columns={isGrouped ? list.columns.filter(({ isMarket }) => !isMarket) : list.columns}
      rows={rows}
      groups={isGrouped ? groups : undefined}
      keyOf={list.idOf}
      sorting={sorting}
      onSort={({ id }) => onChange({ sorting: sortingAfter(sorting, id, true) })}
    />
  )
}

function ListEnd({ limit, loaded }: { readonly limit: Signal<number>; readonly loaded: number }) {
  return (
    <p class="list-end">
      <span class="faint">{t.newestLoaded(loaded)}</span>
      <button
        type="button"
        class="button"
        onClick={() => {
          limit.value += ROWS_STEP
        }}
      >
        {t.showMore}
      </button>
    </p>
  )
}

/** Returns the rows that fit the filters, as they are sorted. */
function shownRows<Row>(list: List<Row>, rows: readonly Row[], view: ListView): readonly Row[] {
  const { sorting, words, kind } = view
  const fitting = rows.filter(row => {
    const event = list.eventOf(row)
    const hasKind = kind === '' || list.kinds === undefined || list.kinds.of(row) === kind
    return hasKind && (words === '' || (event !== null && hasWords(titleOf(event), words)))
  })
  return sorted(fitting, list.columns, sorting)
}
