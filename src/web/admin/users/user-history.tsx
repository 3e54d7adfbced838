import { useSignal } from '@preact/signals'
import type { AdminAction, Settlement, StatementEntry } from '../../../client/client.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import type { Column } from '../../kit/table.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { CsvButton } from '../lists/csv-button.jsx'
import { actionColumns } from '../log/action-columns.jsx'
import { usePolled } from '../polling.js'
import { eventCell } from './event-cell.jsx'

const POLL_PAUSE_MS = 5000
const ROWS_STEP = 25

type OfEvent = Pick<StatementEntry | Settlement, 'event_id'>
const EVENT = {
  ...{ id: 'event', label: t.event },
  cell: ({ event_id }: OfEvent) => eventCell(event_id),
  csv: ({ event_id }: OfEvent) => event_id,
}

const STATEMENT: readonly Column<StatementEntry>[] = [
  {
    ...{ id: 'time', label: t.time },
    cell: ({ createdAt }) => dayTimeText(createdAt),
    csv: ({ createdAt }) => createdAt,
  },
  {
    ...{ id: 'entry', label: t.entry },
    cell: ({ type }) => t.entries[type] ?? type,
    csv: ({ type }) => t.entries[type] ?? type,
  },
  EVENT,
  {
    ...{ id: 'change', label: t.change, kind: 'number' },
    cell: ({ amount }) => rupeesText(amount, 'signed'),
    csv: ({ amount }) => amount,
  },
  {
    ...{ id: 'balance', label: t.balance, kind: 'number', isRoomy: true },
    cell: ({ cash }) => rupeesText(cash),
    csv: ({ cash }) => cash,
  },
]
const RESULTS: readonly Column<Settlement>[] = [
  EVENT,
  {
    ...{ id: 'settled', label: t.settled, isRoomy: true },
    cell: ({ settledAt }) => dayTimeText(settledAt),
    csv: ({ settledAt }) => settledAt,
  },
  {
    ...{ id: 'result', label: t.result },
    cell: ({ outcome }) => t.outcomes[outcome],
    csv: ({ outcome }) => outcome,
  },
  {
    ...{ id: 'invested', label: t.invested, kind: 'number', isRoomy: true },
    cell: ({ paid }) => rupeesText(paid),
    csv: ({ paid }) => paid,
  },
  {
    ...{ id: 'payout', label: t.payout, kind: 'number' },
    cell: ({ payment }) => rupeesText(payment),
    csv: ({ payment }) => payment,
  },
  {
    ...{ id: 'profit', label: t.profit, kind: 'number' },
    cell: ({ result }) => <span class={result >= 0 ? 'gain' : 'loss'}>{rupeesText(result, 'signed')}</span>,
    csv: ({ result }) => result,
  },
]

const TABS = [
  ['', t.statement],
  ['results', t.results],
  ['actions', t.actions],
] as const

/** A user’s statement, results, and what operators did about them, one at a time. */
export function UserHistory({ userid }: { readonly userid: string }) {
  const tab = useAddressed('tab')
  return (
    <section aria-label={t.statement}>
      <div class="chips user-tabs">
        {TABS.map(([name, words]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={tab.value === name}
            onClick={() => {
              tab.value = name
            }}
          >
            {words}
          </button>
        ))}
      </div>
      <Tab key={tab.value} name={tab.value} userid={userid} />
    </section>
  )
}

function Tab({ name, userid }: { readonly name: string; readonly userid: string }) {
  const { asking } = clients
  switch (name) {
    case 'results':
      return (
        <History<Settlement>
          name={t.results}
          empty={t.noResults}
          columns={RESULTS}
          load={limit => asking.fetchSettlements({ userid, limit })}
          keyOf={({ event_id }) => event_id}
        />
      )
    case 'actions':
      return (
        <History<AdminAction>
          name={t.actions}
          empty={t.noActions}
          columns={actionColumns()}
          load={limit => asking.operator.fetchActions({ userid, limit })}
          keyOf={({ id }) => id}
        />
      )
    default:
      return (
        <History<StatementEntry>
          name={t.statement}
          empty={t.noStatement}
          columns={STATEMENT}
          load={limit => asking.fetchStatement({ userid, limit })}
          keyOf={({ id }) => id}
        />
      )
  }
}

interface HistoryProps<Row> {
  readonly name: string
  readonly empty: string
  readonly columns: readonly Column<Row>[]
  readonly load: (limit: number) => Promise<readonly Row[]>
  readonly keyOf: (row: Row) => string
}

function History<Row>({ name, empty, columns, load, keyOf }: HistoryProps<Row>) {
  const limit = useSignal(ROWS_STEP)
  const { value, error } = usePolled(() => load(limit.value), POLL_PAUSE_MS, String(limit.value))
  const rows = error?.code === 404 ? [] : value
  return (
    <>
      <p class="list-tools">
        <CsvButton name={name} columns={columns} load={load} />
      </p>
      <ListCard name={name} count={rows?.length} empty={empty} limit={limit} step={ROWS_STEP}>
        <DataTable columns={columns} rows={rows ?? []} keyOf={keyOf} />
      </ListCard>
    </>
  )
}
