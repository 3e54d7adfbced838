import type { Market } from '../../client/node-client.js'
import { printable } from '../terminal/printable.js'
import { minute, shortened, table } from '../terminal/table.js'

const TITLE_LENGTH = 48
const HEAD = ['code', 'status', 'outcome', 'last', 'volume', 'ends (UTC)', 'title']

/** Formats an event as one line: `1000001 is settled, outcome yes: Will X reach $100k by 2026?` */
export function eventLine({ event_id, status, outcome, title }: Market): string {
  const end = outcome === null || outcome === 'void' ? '' : `, outcome ${outcome}`
  return `${event_id} is ${status}${end}: ${printable(title)}\n`
}

/** Formats events as a table with one line each. */
export function eventTable(events: readonly Market[]): string {
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

/** Formats one event, a line per field; fields without a value are left out. */
export function eventSheet(event: Market): string {
  const fields: readonly (readonly [string, string | number | null])[] = [
    ['code', event.event_id],
    ['title', event.title],
    ['status', event.status],
    ['outcome', event.outcome],
    ['category', event.category],
    ['source', event.sot],
    ['source link', event.source_url],
    ['note', event.note],
    ['resolved (UTC)', event.resolvedAt && minute(event.resolvedAt)],
    ['starts (UTC)', minute(event.start_date)],
    ['ends (UTC)', minute(event.end_date)],
    ['last price', event.last_price],
    ['volume', event.volume],
    ['open interest', event.open_interest],
    ['traders', event.traders],
  ]
  return table(fields.flatMap(([name, value]) => (value === null ? [] : [[name, printable(String(value))]])))
}
