import type { ValuedPosition } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-users.js'
import { useAddressed } from '../lists/addressed.js'
import type { Column } from '../../kit/table.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { sorted, sortingIn } from '../../kit/sorting.js'
import { eventCell } from './event-cell.jsx'
import { SectionHead } from './section-head.jsx'

const number = (
  id: 'yes' | 'no' | 'average_price' | 'realised' | 'unrealised',
  label: string,
  written: (value: number) => string,
): Column<ValuedPosition> => ({
  ...{ id, label, kind: 'number', isSortable: true },
  ...((id === 'average_price' || id === 'realised') && { isRoomy: true as const }),
  cell: position => {
    const value = position[id]
    return value === null ? '–' : written(value)
  },
  csv: position => position[id],
})
const signed = (rupees: number) => rupeesText(rupees, 'signed')

const COLUMNS: readonly Column<ValuedPosition>[] = [
  {
    ...{ id: 'event_id', label: t.event, isSortable: true },
    cell: ({ event_id }) => eventCell(event_id),
    csv: ({ event_id }) => event_id,
  },
  number('yes', t.yes, countText),
  number('no', t.no, countText),
  number('average_price', t.averagePrice, rupeesText),
  number('realised', t.realised, signed),
  number('unrealised', t.unrealised, signed),
]

/** A user’s contracts. */
export function UserPositions({ positions }: { readonly positions: readonly ValuedPosition[] }) {
  const sorting = useAddressed('positions', 'event_id')
  const rows = sorted(positions, COLUMNS, sortingIn(sorting.value))
  return (
    <section class="card" aria-labelledby="positions-title">
      <SectionHead id="positions" title={t.positions} columns={COLUMNS} load={async () => positions} />
      {rows.length === 0 ? (
        <p class="empty">{t.noPositions}</p>
      ) : (
        <DataTable columns={COLUMNS} rows={rows} keyOf={({ event_id }) => event_id} sorting={sorting} />
      )}
    </section>
  )
}
