import type { ListedMarket, MarketStatus } from '../../../client/client.js'

/** Which events are wanted. */
export type EventGroup = 'all' | 'waiting' | 'trading' | 'scheduled' | 'over'

export const GROUPS: Readonly<Record<EventGroup, readonly [words: string, states: readonly MarketStatus[]]>> =
  {
    all: ['All', ['scheduled', 'open', 'halted', 'closed', 'resolved', 'settled', 'voided']],
    waiting: ['Need a result', ['closed']],
    trading: ['Trading', ['open', 'halted']],
    scheduled: ['Scheduled', ['scheduled']],
    over: ['Over', ['resolved', 'settled', 'voided']],
  }
/** What waits for the operator comes first, what is over last. */
const RANK: Readonly<Record<MarketStatus, number>> = {
  closed: 0,
  halted: 1,
  resolved: 2,
  open: 3,
  scheduled: 4,
  settled: 5,
  voided: 5,
}

/** The events of a group with all words of the query, the most pressing first. */
export function chooseEvents<Listed extends ListedMarket>(
  markets: readonly Listed[],
  group: EventGroup,
  query: string,
): Listed[] {
  const words = query.toLowerCase().split(/\s+/)
  const [, states] = GROUPS[group]
  const fits = ({ status, title, event_id, sot }: ListedMarket) => {
    const text = `${title} ${event_id} ${sot}`.toLowerCase()
    return states.includes(status) && words.every(word => text.includes(word))
  }
  return markets.filter(fits).sort((a, b) => RANK[a.status] - RANK[b.status] || moment(a) - moment(b))
}

/** How many there are of each group. */
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

/** What happens soonest is first, and of what is over the latest. */
function moment({ status, start_date, end_date }: ListedMarket): number {
  if (status === 'scheduled') return Date.parse(start_date)
  return status === 'settled' || status === 'voided' ? -Date.parse(end_date) : Date.parse(end_date)
}
