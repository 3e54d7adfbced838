import type { MarketQuery } from '../../../client/lists.js'
import type { ListQuery, View } from './list-query.js'

/** The requests behind the views; a watchlist names its markets. */
const ASKED: Readonly<Record<View, MarketQuery>> = {
  trending: { sort: 'trending', status: 'trading' },
  closing: { sort: 'closing', status: 'trading' },
  newest: { sort: 'newest', status: 'trading' },
  movers: { sort: 'movers', status: 'trading' },
  volume: { sort: 'volume', status: 'trading' },
  watchlist: { sort: 'trending' },
  ended: { sort: 'ended', status: 'ended' },
}

/** Returns the request of a list, as JSON; undefined for a watchlist without markets. */
export function askedFor(
  { view, words, category }: ListQuery,
  watched: readonly string[],
): string | undefined {
  if (view === 'watchlist' && watched.length === 0) return undefined
  const asked: MarketQuery = {
    ...ASKED[view],
    ...(words.trim() !== '' && { q: words.trim() }),
    ...(category !== undefined && { category }),
    ...(view === 'watchlist' && { event_ids: [...watched].sort().join(',') }),
  }
  return JSON.stringify(asked)
}
