import type { ListedMarket } from '../../../client/shapes.js'

export type StatusFilter = 'trading' | 'ended' | 'all'
export type SortOrder = 'volume' | 'ending' | 'newest'

/** The filters and the order of the market list. */
export interface MarketFilter {
  readonly status: StatusFilter
  readonly category: string | undefined
  readonly order: SortOrder
}

/** Statuses of markets that are open or can still open. */
const TRADING: readonly string[] = ['scheduled', 'open', 'halted']

export function isTrading({ status }: Pick<ListedMarket, 'status'>): boolean {
  return TRADING.includes(status)
}

const ORDERS: Readonly<Record<SortOrder, (a: ListedMarket, b: ListedMarket) => number>> = {
  volume: (a, b) => b.volume - a.volume || a.event_id.localeCompare(b.event_id),
  ending: (a, b) => Date.parse(a.end_date) - Date.parse(b.end_date) || a.event_id.localeCompare(b.event_id),
  newest: (a, b) => b.event_id.localeCompare(a.event_id),
}

export function chooseMarkets(
  markets: readonly ListedMarket[],
  filter: MarketFilter,
): readonly ListedMarket[] {
  return markets
    .filter(market => filter.status === 'all' || isTrading(market) === (filter.status === 'trading'))
    .filter(({ category }) => filter.category === undefined || category === filter.category)
    .sort(ORDERS[filter.order])
}

/** Returns the categories of the markets, the most frequent first. */
export function categoriesOf(markets: readonly ListedMarket[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { category } of markets) {
    if (category !== null) counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([category]) => category)
}
