import type { TimeMs } from '../../core/units.js'
import { toRupees } from '../../core/units.js'
import type { ShownMarket } from './shown-market.js'

/** Returns the YES prices of the last 24 hours: the first, then one for each half hour, at most 49. */
export function trendView({ day }: Pick<ShownMarket, 'day'>, now: TimeMs): readonly number[] {
  return day.prices(now).map(toRupees)
}
