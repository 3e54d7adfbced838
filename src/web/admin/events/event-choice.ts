import type { ListedMarket, MarketStatus } from '../../../client/client.js'

/** The groups that the list can be filtered by. */
export type EventGroup = 'all' | 'waiting' | 'trading' | 'scheduled' | 'over'

export const GROUPS: Readonly<Record<EventGroup, readonly [words: string, states: readonly MarketStatus[]]>> =
  {
    all: ['All', ['scheduled', 'open', 'halted', 'closed', 'resolved', 'settled', 'voided']],
    waiting: ['Need a result', ['closed']],
    trading: ['Trading', ['open', 'halted']],
    scheduled: ['Scheduled', ['scheduled']],
    over: ['Ended', ['resolved', 'settled', 'voided']],
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

/** Returns the events of a group that contain every word of the query, the most urgent first. */
export function chooseEvents<Listed extends ListedMarket>(
  markets: readonly Listed[],
  group: EventGroup,
  query: string,
): Listed[] {
  const words = query.toLowerCase().split(/\s+/)
  const [, states] = GROUPS[group]
  const fits = ({ status, title, event_id, sot, category }: ListedMarket) => {
    const text = `${title} ${event_id} ${category ?? ''} ${sot}`.toLowerCase()
    return states.includes(status) && words.every(word => text.includes(word))
  }
  return markets.filter(fits).sort((a, b) => RANK[a.status] - RANK[b.status] || moment(a) - moment(b))
}

/** Counts the events of each group. */
export function countGroups(markets: readonly ListedMarket[]): Record<EventGroup, number> {
  const count = (group: EventGroup) => chooseEvents(markets, group, '').length
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
