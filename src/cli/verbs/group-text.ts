import type { EventGroup } from '../../client/node-client.js'
import { printable } from '../terminal/printable.js'
import { minute, shortened, table } from '../terminal/table.js'

const TITLE_LENGTH = 48
const HEAD = ['code', 'status', 'kind', 'outcomes', 'ends (UTC)', 'title']
const OUTCOMES_HEAD = ['code', 'status', 'outcome', 'bid', 'ask', 'last', 'volume', 'title']

/** Formats a group as one line: `1000001 is settled, winner India: Who wins the cup?` */
export function groupLine({ code, status, title, winner, outcomes }: EventGroup): string {
  const label = outcomes.find(({ event_id }) => event_id === winner)?.label
  const end = label === undefined ? '' : `, winner ${printable(label)}`
  return `${code} is ${status}${end}: ${printable(title)}\n`
}

/** Formats groups as a table with one line each. */
export function groupTable(groups: readonly EventGroup[]): string {
  const rows = groups.map(group => [
    group.code,
    group.status,
    group.kind,
    String(group.outcomes.length),
    minute(group.end_date),
    shortened(printable(group.title), TITLE_LENGTH),
  ])
  return table([HEAD, ...rows])
}

/** Formats one group: its line, and a table of its outcomes. */
export function groupSheet(group: EventGroup): string {
  const rows = group.outcomes.map(outcome => [
    ...[outcome.event_id, outcome.status, outcome.outcome ?? '-'],
    ...[outcome.best_bid, outcome.best_ask, outcome.last_price].map(price => price?.toFixed(2) ?? '-'),
    String(outcome.volume),
    shortened(printable(outcome.label), TITLE_LENGTH),
  ])
  return `${groupLine(group)}${table([OUTCOMES_HEAD, ...rows])}`
}
