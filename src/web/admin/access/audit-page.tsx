import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-log.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { startOfDay } from '../../kit/zone-days.js'
import { FilterDate, FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { logColumns } from '../log/log-columns.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import type { AuditLine } from './access-requests.js'
import { fetchList } from './access-requests.js'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 50
const KINDS = [['', t.allKinds], ...Object.entries(t.kinds)] as const

const COLUMNS = [
  ...logColumns<AuditLine>({
    timeOf: ({ at }) => at,
    what: ({ kind, name, times }) => (
      <>
        <b>{kindWords(kind)}</b> <span class="name">{name}</span>{' '}
        {times > 1 && <span class="tag">{times}×</span>}
      </>
    ),
    whatText: ({ kind, name }) => `${kindWords(kind)} ${name}`.trim(),
    details: ({ detail }) => <span class="said">{detail}</span>,
    detailsText: ({ detail }) => detail,
    by: ({ by }) => by,
    address: ({ address }) => address,
  }),
]

/** Sign-ins, changes of credentials and limits, and refusals, newest first. */
export function AuditPage() {
  const [query, kind] = [useAddressed('q'), useAddressed('kind')]
  const [from, to] = [useAddressed('from'), useAddressed('to')]
  const limit = useSignal(ROWS_STEP)
  const asked = {
    q: query.value.trim() || undefined,
    kind: kind.value in t.kinds ? kind.value : undefined,
    ...rangeOf(from.value, to.value),
  }
  const load = (rows: number) => fetchList<AuditLine>('audit', asked, rows)
  const key = JSON.stringify([asked, limit.value])
  const { value: lines } = usePolled(() => load(limit.value), POLL_PAUSE_MS, key)
  useEffect(() => {
    document.title = frame.title(t.audit, siteName)
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>{t.audit}</h1>
        <p class="faint">{t.auditAbout}</p>
      </div>
      <search class="filters">
        <SearchField label={t.searchAudit} hint={t.searchAuditHint} query={query} />
        <FilterSelect label={t.kind} value={kind} options={KINDS} />
        <CsvButton name="audit" columns={COLUMNS} load={load} />
        <FilterDate label={frame.from} value={from} />
        <FilterDate label={frame.to} value={to} />
      </search>
      <ListCard name={t.audit} count={lines?.length} empty={t.nothingMatches} limit={limit} step={ROWS_STEP}>
        <DataTable columns={COLUMNS} rows={lines ?? []} keyOf={({ id }) => id} />
      </ListCard>
    </>
  )
}

function rangeOf(from: string, to: string): { from?: string | undefined; to?: string | undefined } {
  const [since, until] = [startOfDay(from), startOfDay(to, 1)]
  return since !== undefined && until !== undefined && since >= until ? {} : { from: since, to: until }
}

/** Returns a kind in words; one of a newer exchange as it is. */
function kindWords(kind: string): string {
  return t.kinds[kind] ?? kind
}
