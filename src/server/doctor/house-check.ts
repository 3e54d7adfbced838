import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { Check } from './check.js'
import { ok, warn } from './check.js'

const NAMED_MAX = 5

/** Checks that new events got the house quotes that --house-liquidity gives them. */
export function houseCheck(unquoted: readonly DeskMarket[]): Check {
  if (unquoted.length === 0) return ok('house quotes', 'every new event that should have some got them')
  const named = unquoted.slice(-NAMED_MAX).map(({ terms }) => terms.code)
  const others = unquoted.length > named.length ? `, and ${unquoted.length - named.length} more` : ''
  const found = `created without since the start: ${named.join(', ')}${others}`
  return warn('house quotes', found, 'the log says why; fund them with raay event liquidity')
}
