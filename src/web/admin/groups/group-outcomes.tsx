import { useSignal } from '@preact/signals'
import type { ListedMarket } from '../../../client/client.js'
import { nameText } from '../../kit/name-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { sorted, sortingIn } from '../../kit/sorting.js'
import type { Column } from '../../kit/table.jsx'
import { t as texts } from '../../texts/admin-events.js'
import { t } from '../../texts/admin-groups.js'
import { StatusTag } from '../events/event-standing.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { SearchField } from '../search-field.jsx'
import type { GroupState } from './group-state.js'

/** Above this number of outcomes there is a search. */
const MANY = 12

interface Row {
  readonly event: ListedMarket
  readonly fees: number
}

const price = (rupees: number | null) => (rupees === null ? '–' : rupeesText(rupees))

const COLUMNS: readonly Column<Row>[] = [
  {
    ...{ id: 'outcome', label: t.outcome, kind: 'wide' },
    cell: ({ event: { event_id, label, title, volume, traders } }) => (
      <>
        <a class="event-link" href={`/admin/event/${event_id}`}>
          {nameText(label ?? title)}
        </a>
        <small>
          {event_id}
          <span class="narrow-only">{t.small(countText(volume, 'scarce'), countText(traders))}</span>
        </small>
      </>
    ),
    sortBy: ({ event: { label, title } }) => (label ?? title).toLowerCase(),
  },
  {
    ...{ id: 'status', label: t.status },
    cell: ({ event }) => <StatusTag market={event} />,
    sortBy: ({ event: { status } }) => status,
  },
  {
    ...{ id: 'bid', label: texts.bidAsk, kind: 'number', isRoomy: true },
    cell: ({ event: { best_bid, best_ask } }) => `${price(best_bid)} / ${price(best_ask)}`,
    sortBy: ({ event: { best_bid } }) => best_bid,
  },
  {
    ...{ id: 'last', label: t.last, kind: 'number' },
    cell: ({ event: { last_price } }) => price(last_price),
    sortBy: ({ event: { last_price } }) => last_price,
  },
  {
    ...{ id: 'volume', label: t.columns.volume, kind: 'number', isRoomy: true },
    cell: ({ event: { volume } }) => countText(volume, 'scarce'),
    sortBy: ({ event: { volume } }) => volume,
  },
  {
    ...{ id: 'traders', label: t.columns.traders, kind: 'number', isRoomy: true },
    cell: ({ event: { traders } }) => countText(traders),
    sortBy: ({ event: { traders } }) => traders,
  },
  {
    ...{ id: 'fees', label: t.columns.fees, kind: 'number', isRoomy: true },
    cell: ({ fees }) => rupeesText(fees),
    sortBy: ({ fees }) => fees,
  },
]

/** The outcomes with their prices and traders, in their order or as sorted. */
export function GroupOutcomes({ state: { money, events } }: { readonly state: GroupState }) {
  const [query, sorting] = [useSignal(''), useSignal('')]
  const fees = new Map(money.outcomes.map(outcome => [outcome.event_id, outcome.fees]))
  const words = query.value.trim().toLowerCase()
  const rows = events
    .filter(({ title, event_id }) => `${nameText(title)} ${event_id}`.toLowerCase().includes(words))
    .map(event => ({ event, fees: fees.get(event.event_id) ?? 0 }))
  return (
    <section class="card" aria-labelledby="outcomes-title">
      <div class="card-head">
        <h2 id="outcomes-title">{t.outcomes}</h2>
        {events.length > MANY && <SearchField label={t.search} hint={t.search} query={query} />}
      </div>
      {rows.length === 0 ? (
        <p class="empty">{t.noMatch}</p>
      ) : (
        <DataTable
          columns={COLUMNS}
          rows={sorted(rows, COLUMNS, sortingIn(sorting.value))}
          keyOf={({ event }) => event.event_id}
          sorting={sorting}
        />
      )}
    </section>
  )
}
