import type { ListedMarket, MarketStatus } from '../../../../client/client.js'
import { t } from '../../../texts/admin-events.js'
import { COLUMNS } from './event-columns.js'

/** The groups that the list can be filtered by. */
export type EventGroup = 'all' | 'waiting' | 'trading' | 'scheduled' | 'over'

export const GROUPS: Readonly<Record<EventGroup, readonly [words: string, states: readonly MarketStatus[]]>> =
  {
    all: [t.groups.all, ['scheduled', 'open', 'halted', 'closed', 'resolved', 'settled', 'voided']],
    waiting: [t.groups.waiting, ['closed']],
    trading: [t.groups.trading, ['open', 'halted']],
    scheduled: [t.groups.scheduled, ['scheduled']],
    over: [t.groups.over, ['resolved', 'settled', 'voided']],
  }
/** Sorts events that need the operator first, and ended ones last. */
const RANK: Readonly<Record<MarketStatus, number>> = {
  closed: 0,
  halted: 1,
  resolved: 2,
  open: 3,
  scheduled: 4,
  settled: 5,
  voided: 5,
}

/** The filters and the order of the list. */
export interface EventChoice {
  readonly group: EventGroup
  readonly query: string
  /** Empty for all. */
  readonly category: string
  /** The name of a column; an empty text sorts by what needs the operator first. */
  readonly sort: string
  readonly isDescending: boolean
}

/** Returns the events of a group and category that contain every word of the query, in order. */
export function chooseEvents<Listed extends ListedMarket>(
  markets: readonly Listed[],
  { group, query, category, sort, isDescending }: EventChoice,
): Listed[] {
  const words = query.toLowerCase().split(/\s+/)
  const [, states] = GROUPS[group]
  const chosen = markets.filter(market => {
    const { title, event_id, category: its, sot, group: of } = market
    const text = `${title} ${event_id} ${its ?? ''} ${sot} ${of ?? ''}`.toLowerCase()
    const isOfCategory = category === '' || its === category
    return isOfCategory && states.includes(market.status) && words.every(word => text.includes(word))
  })
  const column = COLUMNS.find(({ name }) => name === sort)
  if (column === undefined) {
    return chosen.sort((a, b) => RANK[a.status] - RANK[b.status] || moment(a) - moment(b))
  }
  const sign = isDescending ? -1 : 1
  return chosen.sort((a, b) => sign * compare(column.value(a), column.value(b)))
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b))
}

/** Counts the events of each group. */
export function countGroups(markets: readonly ListedMarket[]): Record<EventGroup, number> {
  const count = (group: EventGroup) => {
    const [, states] = GROUPS[group]
    return markets.filter(({ status }) => states.includes(status)).length
  }
  return {
    all: markets.length,
    waiting: count('waiting'),
    trading: count('trading'),
    scheduled: count('scheduled'),
    over: count('over'),
  }
}

/** Sorts by the next change of status; ended events by the latest end. */
function moment({ status, start_date, end_date }: ListedMarket): number {
  if (status === 'scheduled') return Date.parse(start_date)
  return status === 'settled' || status === 'voided' ? -Date.parse(end_date) : Date.parse(end_date)
}
