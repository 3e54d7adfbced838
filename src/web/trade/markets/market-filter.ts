import type { ListedMarket } from '../../../client/shapes.js'

export type StatusWish = 'trading' | 'ended' | 'all'
export type OrderWish = 'volume' | 'ending' | 'newest'

/** Which markets a reader wants to see, and in which order. */
export interface MarketWish {
  readonly status: StatusWish
  readonly category: string | undefined
  readonly order: OrderWish
}

/** Statuses in which one can trade, now or soon. */
const TRADING: readonly string[] = ['scheduled', 'open', 'halted']

export function isTrading({ status }: Pick<ListedMarket, 'status'>): boolean {
  return TRADING.includes(status)
}

const ORDERS: Readonly<Record<OrderWish, (a: ListedMarket, b: ListedMarket) => number>> = {
  volume: (a, b) => b.volume - a.volume || a.event_id.localeCompare(b.event_id),
  ending: (a, b) => Date.parse(a.end_date) - Date.parse(b.end_date) || a.event_id.localeCompare(b.event_id),
  newest: (a, b) => b.event_id.localeCompare(a.event_id),
}

export function chooseMarkets(markets: readonly ListedMarket[], wish: MarketWish): readonly ListedMarket[] {
  return markets
    .filter(market => wish.status === 'all' || isTrading(market) === (wish.status === 'trading'))
    .filter(({ sot }) => wish.category === undefined || sot === wish.category)
    .sort(ORDERS[wish.order])
}

/** The categories of markets, those with most of them first. */
export function categoriesOf(markets: readonly ListedMarket[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { sot } of markets) counts.set(sot, (counts.get(sot) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([category]) => category)
}
