import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedMarket } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { clients } from '../admin-clients.js'
import { MoreButton } from '../more-button.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import type { EventGroup } from './event-choice.js'
import { chooseEvents, countGroups, GROUPS } from './event-choice.js'
import { NextMoment, StatusTag } from './event-standing.jsx'
import { FirstSteps } from './first-steps.jsx'

const POLL_PAUSE_MS = 3000
const MARKETS_MAX = 10_000
const ROWS_STEP = 100

/** All events, those that need a result first. */
export function EventsPage() {
  const { value: markets } = usePolled(
    () => clients.asking.fetchMarkets({ description: 'no', limit: MARKETS_MAX }),
    POLL_PAUSE_MS,
  )
  const group = useSignal<EventGroup>('all')
  const query = useSignal('')
  const shownMax = useSignal(ROWS_STEP)
  useEffect(() => {
    document.title = 'Events · Raay admin'
  }, [])
  if (markets?.length === 0) return <FirstSteps />
  const chosen = chooseEvents(markets ?? [], group.value, query.value)
  return (
    <>
      <div class="page-head">
        <h1>Events</h1>
        <a class="button button-main" href="/admin/new">
          New event
        </a>
      </div>
      <search class="filters">
        <Groups
          markets={markets ?? []}
          group={group.value}
          onPick={picked => {
            group.value = picked
          }}
        />
        <SearchField label="Search events" hint="Search by title, code or source" query={query} />
      </search>
      <section class="card" aria-label="Events" aria-busy={markets === undefined}>
        {markets === undefined && <p class="empty">Loading events…</p>}
        {markets !== undefined && chosen.length === 0 && <p class="empty">No events match.</p>}
        {chosen.length > 0 && <EventTable markets={chosen.slice(0, shownMax.value)} />}
      </section>
      {chosen.length > shownMax.value && (
        <MoreButton
          words={`Show more of ${countText(chosen.length)} events`}
          limit={shownMax}
          step={ROWS_STEP}
        />
      )}
    </>
  )
}

interface GroupsProps {
  readonly markets: readonly ListedMarket[]
  readonly group: EventGroup
  readonly onPick: (group: EventGroup) => void
}

function Groups({ markets, group, onPick }: GroupsProps) {
  const counts = countGroups(markets)
  return (
    <fieldset class="chips">
      <legend class="unseen">Status</legend>
      {(Object.keys(GROUPS) as EventGroup[]).map(name => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={group === name}
          onClick={() => onPick(name)}
        >
          {GROUPS[name][0]} <span class="chip-count">{countText(counts[name])}</span>
        </button>
      ))}
    </fieldset>
  )
}

function EventTable({ markets }: { readonly markets: readonly ListedMarket[] }) {
  return (
    <div class="table-frame">
      <table class="table events">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col" class="roomy">
              Next
            </th>
            <th scope="col" class="number roomy">
              Traders
            </th>
            <th scope="col" class="number roomy">
              Volume
            </th>
            <th scope="col" class="number roomy">
              Open interest
            </th>
            <th scope="col" class="number roomy">
              Last price
            </th>
          </tr>
        </thead>
        <tbody>
          {markets.map(market => (
            <EventRow key={market.event_id} market={market} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EventRow({ market }: { readonly market: ListedMarket }) {
  return (
    <tr>
      <td class="wide">
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
      </td>
      <td>
        <StatusTag market={market} />
      </td>
      <td class="roomy when">
        <NextMoment market={market} />
      </td>
      <td class="number roomy">{countText(market.traders)}</td>
      <td class="number roomy">{countText(market.volume, 'scarce')}</td>
      <td class="number roomy">{countText(market.open_interest, 'scarce')}</td>
      <td class="number roomy">{market.last_price === null ? '–' : rupeesText(market.last_price)}</td>
    </tr>
  )
}
