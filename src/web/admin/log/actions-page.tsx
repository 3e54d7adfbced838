import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-log.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { startOfDay } from '../../kit/zone-days.js'
import { FilterDate, FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { actionColumns } from './action-columns.jsx'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 50
const COLUMNS = actionColumns()
const ACTIONS = [['', t.allActions], ...Object.entries(t.done)] as const

type ActionQuery = NonNullable<Parameters<typeof clients.asking.operator.fetchActions>[0]>
type Filters = Readonly<Record<'q' | 'action' | 'who' | 'event' | 'user' | 'from' | 'to', Signal<string>>>

/** The log of operator actions, newest first: searched by who, what, event, user and time. */
export function ActionsPage() {
  const filters: Filters = {
    q: useAddressed('q'),
    action: useAddressed('action'),
    who: useAddressed('who'),
    event: useAddressed('event'),
    user: useAddressed('user'),
    from: useAddressed('from'),
    to: useAddressed('to'),
  }
  const limit = useSignal(ROWS_STEP)
  const query = queryOf(filters)
  const load = (rows: number) => clients.asking.operator.fetchActions({ ...query, limit: rows })
  const key = JSON.stringify([query, limit.value])
  const { value: actions } = usePolled(() => load(limit.value), POLL_PAUSE_MS, key)
  useEffect(() => {
    document.title = frame.title(t.log, siteName)
  }, [])
  const isFiltered = Object.values(filters).some(({ value }) => value !== '')
  return (
    <>
      <div class="page-head">
        <h1>{t.log}</h1>
        <p class="faint">{t.logAbout}</p>
      </div>
      <search class="filters">
        <SearchField label={t.searchLog} hint={t.searchLogHint} query={filters.q} />
        <FilterSelect label={t.action} value={filters.action} options={ACTIONS} />
        <CsvButton name="log" columns={COLUMNS} load={load} />
        <MoreFilters filters={filters} />
      </search>
      <ListCard
        name={t.shortLog}
        count={actions?.length}
        empty={isFiltered ? t.nothingMatches : t.nothingYet}
        limit={limit}
        step={ROWS_STEP}
      >
        <DataTable columns={COLUMNS} rows={actions ?? []} keyOf={({ id }) => id} />
      </ListCard>
    </>
  )
}

function MoreFilters({ filters: { who, event, user, from, to } }: { readonly filters: Filters }) {
  const isUsed = [who, event, user, from, to].some(({ value }) => value !== '')
  return (
    <details class="more-filters" open={isUsed}>
      <summary>{frame.moreFilters}</summary>
      <div>
        <SearchField label={t.who} hint={t.who} query={who} />
        <SearchField label={t.event} hint={t.event} query={event} />
        <SearchField label={t.user} hint={t.user} query={user} />
        <FilterDate label={frame.from} value={from} />
        <FilterDate label={frame.to} value={to} />
      </div>
    </details>
  )
}

/** Returns the query of the exchange; a filter that is not complete yet, such as half a code, selects all. */
function queryOf({ q, action, who, event, user, from, to }: Filters): ActionQuery {
  const [since, until] = [startOfDay(from.value), startOfDay(to.value, 1)]
  const isForward = since === undefined || until === undefined || since < until
  return {
    q: q.value.trim() || undefined,
    who: who.value.trim() || undefined,
    action: action.value in t.done ? (action.value as ActionQuery['action']) : undefined,
    event_id: /^\d{7}$/.test(event.value.trim()) ? event.value.trim() : undefined,
    userid: user.value.trim() || undefined,
    ...(isForward && { from: since, to: until }),
  }
}
