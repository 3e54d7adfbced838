import { printable } from '../terminal/printable.js'
import { minute, shortened, table } from '../terminal/table.js'

/** What of an event the command line shows; `GET /events/:code` has more. */
export interface EventView {
  readonly event_id: string
  readonly title: string
  readonly status: string
  readonly outcome: string | null
  readonly start_date: string
  readonly end_date: string
  readonly last_price: number | null
  readonly volume: number
  readonly open_interest: number
  readonly traders: number
  readonly source_url: string | null
  readonly note: string | null
  readonly resolvedAt: string | null
}

const TITLE_LENGTH = 48
const HEAD = ['code', 'status', 'outcome', 'last', 'volume', 'ends', 'title']

/** `1000001 is settled, outcome yes: Will X reach $100k by 2026?` */
export function eventLine({ event_id, status, outcome, title }: EventView): string {
  const end = outcome === null || outcome === 'void' ? '' : `, outcome ${outcome}`
  return `${event_id} is ${status}${end}: ${printable(title)}\n`
}

/** One line an event, below a head. */
export function eventTable(events: readonly EventView[]): string {
  const rows = events.map(event => [
    event.event_id,
    event.status,
    event.outcome ?? '-',
    event.last_price?.toFixed(2) ?? '-',
    String(event.volume),
    minute(event.end_date),
    shortened(printable(event.title), TITLE_LENGTH),
  ])
  return table([HEAD, ...rows])
}

/** One event, a line a field; what was said to its outcome only where something was. */
export function eventSheet(event: EventView): string {
  const fields: readonly (readonly [string, string | number | null])[] = [
    ['code', event.event_id],
    ['title', event.title],
    ['status', event.status],
    ['outcome', event.outcome],
    ['source', event.source_url],
    ['note', event.note],
    ['resolved', event.resolvedAt],
    ['starts', event.start_date],
    ['ends', event.end_date],
    ['last price', event.last_price],
    ['volume', event.volume],
    ['open interest', event.open_interest],
    ['traders', event.traders],
  ]
  return table(fields.flatMap(([name, value]) => (value === null ? [] : [[name, printable(String(value))]])))
}
