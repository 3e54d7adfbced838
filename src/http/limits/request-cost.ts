import type { LimitKind } from '../../api/rate-limits.js'

/** Counted before a request is handled. */
export interface RequestCost {
  readonly kind: LimitKind
  readonly points: number
  /** True if the answer takes time of the reader of histories. */
  readonly readsHistory: boolean
}

type Row = readonly [methods: string, path: RegExp, cost: RequestCost | undefined]

const READING = 'GET HEAD OPTIONS'

/**
 * The cost of each request; the first row that fits counts. A batch counts once here, and each of its orders
 * when it is read.
 */
const COSTS: readonly Row[] = [
  ['POST', /^\/order\/(?:initiate|batch|[^/]+\/amend)$/, costs('orders', 1)],
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

/** All other changes, such as new events. */
const CHANGE = costs('reads', 10)

/** Returns the cost of a request; undefined if it is free. */
export function costOf(method: string, path: string): RequestCost | undefined {
  for (const [methods, pattern, cost] of COSTS) {
    if (methods.includes(method) && pattern.test(path)) return cost
  }
  return CHANGE
}

function costs(kind: LimitKind, points: number, readsHistory = false): RequestCost {
  return { kind, points, readsHistory }
}
