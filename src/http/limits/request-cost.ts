import type { LimitKind } from '../../api/rate-limits.js'
import { pathOf } from '../path-of.js'
import { isSearch } from './is-search.js'

/** Counted before a request is handled. */
export interface RequestCost {
  readonly kind: LimitKind
  readonly points: number
  /** True if the answer takes time of the reader of histories. */
  readonly readsHistory: boolean
  /** True if an address may have only a few of these running at once. */
  readonly isSearch?: true
}

type Row = readonly [methods: string, path: RegExp, cost: RequestCost | undefined]

const READING = 'GET HEAD OPTIONS'

/**
 * The cost of each request; the first row that fits counts. A batch counts as one cancel here, since its body
 * may have nothing else, and each of its orders or further cancels when that is read.
 */
const COSTS: readonly Row[] = [
  ['POST', /^\/order\/(?:initiate|[^/]+\/amend)$/, costs('orders', 1)],
  ['POST', /^\/order\/batch$/, costs('cancels', 1)],
  ['DELETE', /^\/order\/?$/, costs('cancels', 10)],
  ['DELETE', /^\/order\//, costs('cancels', 1)],
  [READING, /^\/(?:healthz|readyz)$/, undefined],
  [READING, /^\/order$/, costs('reads', 5, true)],
  [READING, /^\/portfolio\/[^/]+\/performance$/, costs('reads', 20, true)],
  [READING, /^\/portfolio\/[^/]+\/(?:fills|statement|settlements|positions)$/, costs('reads', 5, true)],
  [READING, /^\/(?:leaderboard|profiles\/[^/]+)$/, costs('reads', 5, true)],
  [READING, /^\/comments$/, costs('reads', 5)],
  [READING, /^\/events\/[^/]+\/(?:trades|candles)$/, costs('reads', 5, true)],
  [READING, /^/, costs('reads', 1)],
  ['POST', /^\/events\/[^/]+\/comments$/, costs('comments', 1)],
  ['POST', /^\/auth\/sign-up$/, costs('sign_ups', 1)],
  ['POST', /^\/auth\/(?:login|recover|code|operator|password|passkey-login(?:\/.*)?)$/, costs('logins', 1)],
]

/** A list of events by the words of their titles. */
const SEARCH: RequestCost = { ...costs('reads', 5, true), isSearch: true }

/** All other changes, such as new events. */
const CHANGE = costs('reads', 10)

/** Returns the cost of a request to a full address; undefined if it is free. */
export function costOf(method: string, url: string): RequestCost | undefined {
  if (READING.includes(method) && isSearch(url)) return SEARCH
  const path = pathOf(url)
  for (const [methods, pattern, cost] of COSTS) {
    if (methods.includes(method) && pattern.test(path)) return cost
  }
  return CHANGE
}

function costs(kind: LimitKind, points: number, readsHistory = false): RequestCost {
  return { kind, points, readsHistory }
}
