import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DayOfFees } from '../../../client/client.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { startOfDay } from '../../kit/zone-days.js'
import { t } from '../../texts/admin-fees.js'
import { t as frame } from '../../texts/admin-frame.js'
import { locale } from '../../texts/language.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { FilterDate, FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { usePolled } from '../polling.js'
import { eventCell } from '../users/event-cell.jsx'

const POLL_PAUSE_MS = 10_000
const ROWS_STEP = 200
/** The rows of which sums by event are made. */
const SUMMED_MAX = 5000
const UTC = 'UTC'
const DAY = new Intl.DateTimeFormat(locale, {
  ...{ timeZone: UTC, day: 'numeric', month: 'short', year: 'numeric' },
} as const)
const VIEWS = [
  ['', t.byDay],
  ['event', t.byEvent],
] as const

const dayText = (date: string) => DAY.format(Date.parse(date))

const EVENT: Column<Pick<DayOfFees, 'event_id'>> = {
  ...{ id: 'event', label: t.event, kind: 'wide' },
  cell: ({ event_id }) => eventCell(event_id),
  csv: ({ event_id }) => event_id,
}
const FEES: Column<Pick<DayOfFees, 'fees'>> = {
  ...{ id: 'fees', label: t.fees, kind: 'number' },
  cell: ({ fees }) => rupeesText(fees),
  csv: ({ fees }) => fees,
}
const DAY_COLUMN: Column<DayOfFees> = {
  ...{ id: 'day', label: t.day, kind: 'when' },
  cell: ({ date }) => dayText(date),
  csv: ({ date }) => date,
}
const SHEET: readonly Column<DayOfFees>[] = [DAY_COLUMN, EVENT, FEES]

/** The fees that came in: each day with its events, or each event over all days. */
export function FeesPage() {
  const [from, to, view] = [useAddressed('from'), useAddressed('to'), useAddressed('view')]
  const limit = useSignal(ROWS_STEP)
  const isByEvent = view.value === 'event'
  const query = rangeOf(from, to)
  const load = (rows: number) => clients.asking.operator.fetchFees({ ...query, limit: rows })
  const rowsMax = isByEvent ? SUMMED_MAX : limit.value
  const key = JSON.stringify([query, rowsMax])
  const { value: rows } = usePolled(() => load(rowsMax), POLL_PAUSE_MS, key)
  const { value: collected } = usePolled(() => clients.asking.operator.fetchCollectedFees(), POLL_PAUSE_MS)
  useEffect(() => {
    document.title = frame.title(t.title, siteName)
  }, [])
  const money = (rupees: number | undefined) => (rupees === undefined ? '…' : rupeesText(rupees))
  const isFiltered = from.value !== '' || to.value !== ''
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="faint">{t.about}</p>
      </div>
      <section class="card fees-sum" aria-label={t.title}>
        <FiguresLine
          figures={[
            [rows?.length === rowsMax ? t.latest(rowsMax) : t.cameIn, money(rows && sumOf(rows))],
            [t.collected, money(collected)],
          ]}
        />
        <p class="card-foot note">{t.collectedNote}</p>
      </section>
      <search class="filters">
        <FilterSelect label={t.view} value={view} options={VIEWS} />
        <FilterDate label={frame.from} value={from} />
        <FilterDate label={frame.to} value={to} />
        <CsvButton name="fees" columns={SHEET} load={load} />
      </search>
      <ListCard
        name={t.title}
        count={rows?.length}
        empty={isFiltered ? t.nothingMatches : t.empty}
        limit={limit}
        step={ROWS_STEP}
      >
        {isByEvent ? (
          <DataTable columns={[EVENT, FEES]} rows={byEvent(rows ?? [])} keyOf={({ event_id }) => event_id} />
        ) : (
          <Table
            columns={[EVENT, FEES]}
            rows={rows ?? []}
            keyOf={({ event_id }) => event_id}
            groups={daysOf(rows ?? [])}
          />
        )}
      </ListCard>
    </>
  )
}

/** Gathers rows, which come by day, under a head for each day with its sum. */
function daysOf(rows: readonly DayOfFees[]) {
  const days = [...new Set(rows.map(({ date }) => date))]
  return days.map(date => {
    const its = rows.filter(row => row.date === date)
    const head = (
      <span class="fees-day">
        <span>{dayText(date)}</span> <span>{rupeesText(sumOf(its))}</span>
      </span>
    )
    return { key: date, head, rows: its }
  })
}

/** Sums rows by event, the largest sum first. */
function byEvent(rows: readonly DayOfFees[]): Pick<DayOfFees, 'event_id' | 'fees'>[] {
  const sums = new Map<string, number>()
  for (const { event_id, fees } of rows) sums.set(event_id, (sums.get(event_id) ?? 0) + fees)
  return Array.from(sums, ([event_id, fees]) => ({ event_id, fees })).sort((a, b) => b.fees - a.fees)
}

function sumOf(rows: readonly DayOfFees[]): number {
  return rows.reduce((sum, { fees }) => sum + fees, 0)
}

/** Returns the days between two, both included; days of fees are those of UTC. */
function rangeOf(from: Signal<string>, to: Signal<string>): { readonly from?: string; readonly to?: string } {
  const [since, until] = [startOfDay(from.value, 0, UTC), startOfDay(to.value, 1, UTC)]
  if (since !== undefined && until !== undefined && since >= until) return {}
  return { ...(since !== undefined && { from: since }), ...(until !== undefined && { to: until }) }
}
