import type { IncomingMessage } from 'node:http'
import { isSearch } from '../limits/is-search.js'

const PATHS = [
  'order',
  'portfolio/[^/?]+/(?:fills|statement|settlements|positions|performance)',
  'events/[^/?]+/(?:trades|candles)',
  'leaderboard',
  'profiles/[^/?]+',
]
const HISTORY_PATH = new RegExp(String.raw`^(?:/api/v1)?/(?:${PATHS.join('|')})(?:\?|$)`)

/** Returns whether a request is answered from disk, behind other reads of histories. */
export function readsHistory({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'GET' && (HISTORY_PATH.test(url) || isSearch(url))
}
