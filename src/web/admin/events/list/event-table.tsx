import type { ComponentChildren } from 'preact'
import type { ListedMarket } from '../../../../client/client.js'
import { sortingAfter } from '../../../kit/sorting.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { NextMoment, StatusTag } from '../event-standing.jsx'
import type { EventChoice } from './event-choice.js'
import { COLUMNS } from './event-columns.js'

interface EventTableProps {
  readonly markets: readonly ListedMarket[]
  readonly choice: EventChoice
  readonly onSort: (sort: string, isDescending: boolean) => void
}

const KINDS: Readonly<Record<string, 'wide' | 'when'>> = { title: 'wide', closes: 'when' }
const CELLS: Readonly<Record<string, (market: ListedMarket) => ComponentChildren>> = {
  title: market => <Title market={market} />,
  status: market => <StatusTag market={market} />,
  closes: market => <NextMoment market={market} />,
}
const SHOWN = COLUMNS.map(
  ({ name, label, isNumber, value, text }): Column<ListedMarket> => ({
    ...{ id: name, label, sortBy: value, cell: CELLS[name] ?? (market => text?.(market)) },
    kind: isNumber ? 'number' : KINDS[name],
    ...(name !== 'title' && name !== 'status' && { isRoomy: true }),
  }),
)

/** Shows the list as a table; its heads sort it: numbers from the highest, texts from the first. */
export function EventTable({ markets, choice, onSort }: EventTableProps) {
  const now = { by: choice.sort, isDescending: choice.isDescending }
  return (
    <Table
      class="events"
      columns={SHOWN}
      rows={markets}
      keyOf={({ event_id }) => event_id}
      sorting={now}
      onSort={({ id, kind }) => onSort(id, sortingAfter(now, id, kind === 'number').isDescending)}
    />
  )
}

function Title({ market }: { readonly market: ListedMarket }) {
  return (
    <>
      <a class="event-link" href={`/admin/event/${market.event_id}`}>
        {market.title}
      </a>
      <small>
        {market.event_id}
        {market.category !== null && ` · ${market.category}`}
        <span class="narrow-only">
          <NextMoment market={market} />
        </span>
      </small>
    </>
  )
}
