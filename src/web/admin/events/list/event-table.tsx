import type { ListedMarket } from '../../../../client/client.js'
import { NextMoment, StatusTag } from '../event-standing.jsx'
import type { EventChoice } from './event-choice.js'
import type { EventColumn } from './event-columns.js'
import { COLUMNS } from './event-columns.js'

interface EventTableProps {
  readonly markets: readonly ListedMarket[]
  readonly choice: EventChoice
  readonly onSort: (sort: string, isDescending: boolean) => void
}

const NUMBERS = COLUMNS.filter(({ text }) => text !== undefined)

/** Shows the list as a table; its heads sort it. */
export function EventTable({ markets, choice, onSort }: EventTableProps) {
  return (
    <div class="table-frame">
      <table class="table events">
        <thead>
          <tr>
            {COLUMNS.map(column => (
              <Head key={column.name} column={column} choice={choice} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {markets.map(market => (
            <Row key={market.event_id} market={market} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps extends Omit<EventTableProps, 'markets'> {
  readonly column: EventColumn
}

/** A head that sorts: numbers from the highest, texts from the first; a second click turns the order. */
function Head({ column: { name, label, isNumber }, choice, onSort }: HeadProps) {
  const isSorted = choice.sort === name
  const isDescending = isSorted ? !choice.isDescending : isNumber
  const isRoomy = name !== 'title' && name !== 'status'
  return (
    <th
      scope="col"
      class={`${isNumber ? 'number' : ''} ${isRoomy ? 'roomy' : ''}`}
      aria-sort={isSorted ? (choice.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" class="sort" onClick={() => onSort(name, isDescending)}>
        {label}
        <span class="sort-mark" aria-hidden="true">
          {isSorted ? (choice.isDescending ? '▾' : '▴') : ''}
        </span>
      </button>
    </th>
  )
}

function Row({ market }: { readonly market: ListedMarket }) {
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
      {NUMBERS.map(({ name, text }) => (
        <td key={name} class="number roomy">
          {text?.(market)}
        </td>
      ))}
    </tr>
  )
}
