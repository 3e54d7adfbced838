import type { EventGroup, GroupOutcome } from '../../../client/shapes.js'
import { chanceOf } from '../implied-probability.js'

/** Returns the chance of an outcome: 0 or 1 once it has a result, undefined while it is unknown. */
export function chanceIn({ payout }: Pick<EventGroup, 'payout'>, outcome: GroupOutcome): number | undefined {
  if (outcome.outcome !== null) return outcome.outcome === 'yes' ? 1 : 0
  return chanceOf({ payout, bid: outcome.best_bid, ask: outcome.best_ask, last: outcome.last_price })
}
