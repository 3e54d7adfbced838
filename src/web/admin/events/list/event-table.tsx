import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ListedMarket } from '../../../../client/client.js'
import { sortingAfter } from '../../../kit/sorting.js'
import { nameText } from '../../../kit/name-text.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { NextMoment, StatusTag } from '../event-standing.jsx'
import { t as groups } from '../../../texts/admin-groups.js'
import { t as list } from '../../../texts/admin-list.js'
import type { EventChoice } from './event-choice.js'
import { BULK_MAX } from './bulk-moves.js'
import { COLUMNS } from './event-columns.js'

interface EventTableProps {
  readonly markets: readonly ListedMarket[]
  readonly choice: EventChoice
  readonly onSort: (sort: string, isDescending: boolean) => void
  /** The codes of the events that are ticked. */
  readonly picked: Signal<ReadonlySet<string>>
}

const KINDS: Readonly<Record<string, 'wide' | 'when'>> = { title: 'wide', closes: 'when' }
const CELLS: Readonly<Record<string, (market: ListedMarket) => ComponentChildren>> = {
  title: market => <Title market={market} />,
  status: market => <StatusTag market={market} />,
  closes: market => <NextMoment market={market} />,
}
/** Columns that phones show, too. */
const ON_PHONES: ReadonlySet<string> = new Set(['title', 'status'])
/** Columns that tablets leave to the title. */
const OFF_TABLETS: ReadonlySet<string> = new Set(['traders', 'open_interest'])
const SHOWN = COLUMNS.map(
  ({ name, label, isNumber, value, text }): Column<ListedMarket> => ({
    ...{ id: name, label, sortBy: value, cell: CELLS[name] ?? (market => text?.(market)) },
    kind: isNumber ? 'number' : KINDS[name],
    ...(!ON_PHONES.has(name) && { isRoomy: OFF_TABLETS.has(name) ? 'tablet' : true }),
  }),
)

/** Shows the list as a table; its heads sort it: numbers from the highest, texts from the first. */
export function EventTable({ markets, choice, onSort, picked }: EventTableProps) {
  const now = { by: choice.sort, isDescending: choice.isDescending }
  return (
    <Table
      class="events"
      columns={[tickColumn(picked), ...SHOWN]}
      rows={markets}
      keyOf={({ event_id }) => event_id}
      sorting={now}
      onSort={({ id, kind }) => onSort(id, sortingAfter(now, id, kind === 'number').isDescending)}
    />
  )
}

/** A box that ticks an event for the buttons above the list; one too many is not ticked. */
function tickColumn(picked: Signal<ReadonlySet<string>>): Column<ListedMarket> {
  return {
    ...{ id: 'tick', label: list.bulkMoves.pick, isLabelUnseen: true },
    cell: ({ event_id, title }) => (
      <label class="pick">
        <input
          type="checkbox"
          aria-label={list.bulkMoves.pickOne(title)}
          checked={picked.value.has(event_id)}
          onChange={({ currentTarget: box }) => {
            const codes = new Set(picked.peek())
            if (box.checked && codes.size < BULK_MAX) codes.add(event_id)
            else codes.delete(event_id)
            box.checked = codes.has(event_id)
            picked.value = codes
          }}
        />
      </label>
    ),
  }
}

function Title({ market }: { readonly market: ListedMarket }) {
  return (
    <>
      <a class="event-link" href={`/admin/event/${market.event_id}`}>
        {nameText(market.title)}
      </a>
      <small>
        {market.event_id}
        {market.category !== null && ` · ${market.category}`}
        {market.group !== undefined && (
          <>
            {' · '}
            <a href={`/admin/groups/${market.group}`}>{groups.ofGroup(market.group)}</a>
          </>
        )}
        <span class="narrow-only">
          <NextMoment market={market} />
        </span>
      </small>
    </>
  )
}
