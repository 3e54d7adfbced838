import type { MarketRequest } from '../../../../client/client.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/admin-events.js'
import { writtenNumber } from '../../number-input.js'
import { EVENT_FIELDS } from '../event-draft.js'
import type { BulkRow } from './bulk-rows.js'

interface PreviewProps {
  readonly rows: readonly BulkRow[]
  readonly made: number
  readonly isBusy: boolean
  readonly onMake: (rows: readonly BulkRow[]) => Promise<void>
}

const COLUMNS: readonly Column<BulkRow>[] = [
  { ...{ id: 'line', label: t.bulk.line }, cell: ({ line }) => line },
  {
    ...{ id: 'event', label: t.columns.event, kind: 'wide' },
    cell: ({ title, request }) => (
      <>
        {title}
        {request && <small class="faint"> {fieldTexts(request)}</small>}
      </>
    ),
  },
  {
    ...{ id: 'end', label: t.fields.end_date, kind: 'when', isRoomy: true },
    cell: ({ request }) => request && dayTimeText(request.end_date),
  },
  { ...{ id: 'result', label: t.bulk.result }, cell: row => <Verdict row={row} /> },
]

/** Shows every row with what will happen to it; nothing is made while any of them is wrong. */
export function BulkPreview({ rows, made, isBusy, onMake }: PreviewProps) {
  const wanted = rows.filter(({ request }) => request !== undefined).length
  const wrong = rows.filter(({ fault }) => fault !== undefined).length
  return (
    <section class="card bulk-rows" aria-label={t.bulk.preview}>
      <div class="card-head">
        <h2>{t.bulk.preview}</h2>
        <button
          type="button"
          class="button button-main"
          disabled={isBusy || wrong > 0 || wanted === 0}
          onClick={() => void onMake(rows)}
        >
          {t.bulk.make(wanted)}
        </button>
      </div>
      <p class="card-foot" role="status">
        {wrong > 0 ? t.bulk.wrong(wrong) : wanted === 0 ? t.bulk.allThere : t.bulk.ready(made)}
      </p>
      <Table columns={COLUMNS} rows={rows} keyOf={({ line }) => line} />
    </section>
  )
}

/** Returns every field but the title as it was understood. */
function fieldTexts(request: MarketRequest): string {
  return EVENT_FIELDS.filter(field => field !== 'title')
    .map(field => {
      const value = request[field] ?? ''
      const isTime = field === 'start_date' || field === 'end_date'
      const text = typeof value === 'number' ? writtenNumber(value) : isTime ? dayTimeText(value) : value
      return text === '' ? '' : `${t.fields[field]}: ${text}`
    })
    .filter(text => text !== '')
    .join(' · ')
}

function Verdict({ row: { exists, fault } }: { readonly row: BulkRow }) {
  if (fault !== undefined) return <span class="fault">{fault}</span>
  if (exists === undefined) return <>{t.bulk.willBeMade}</>
  return <a href={`/admin/event/${exists}`}>{t.bulk.exists(exists)}</a>
}
