import type { AccountNumber } from '../../core/units.js'
import type { Tally } from './people-tallies.js'

export type Ranking = 'profit' | 'volume' | 'calibration'

/** A calibration says little about fewer forecasts. */
const FORECASTS_MIN = 5

/** Whole billionths, so that equal scores stay equal when days are subtracted. */
const brier = ({ error, forecasts }: Readonly<Tally>) => Math.round((error / forecasts) * 1e9)

/** Returns the listed users who have the figure, the best first. */
export function orderOf(
  tallies: ReadonlyMap<AccountNumber, Readonly<Tally>>,
  by: Ranking,
  isListed: (account: AccountNumber) => boolean,
): Uint32Array {
  const { isRanked, compare } = ORDERS[by]
  const all = [...tallies].filter(([account, tally]) => isRanked(tally) && isListed(account))
  all.sort(([a, x], [b, y]) => compare(x, y) || a - b)
  return Uint32Array.from(all, ([account]) => account)
}

/** Returns the rank of each account in an order, by its number; 0 for those who are not in it. */
export function ranksIn(accounts: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(accounts.reduce((most, account) => Math.max(most, account), 0) + 1)
  for (const [place, account] of accounts.entries()) ranks[account] = place + 1
  return ranks
}

interface Order {
  readonly isRanked: (tally: Readonly<Tally>) => boolean
  readonly compare: (a: Readonly<Tally>, b: Readonly<Tally>) => number
}

const ORDERS: Readonly<Record<Ranking, Order>> = {
  profit: { isRanked: ({ events }) => events > 0, compare: (a, b) => b.profit - a.profit },
  volume: { isRanked: ({ volume }) => volume > 0, compare: (a, b) => b.volume - a.volume },
  calibration: {
    isRanked: ({ forecasts }) => forecasts >= FORECASTS_MIN,
    compare: (a, b) => brier(a) - brier(b) || b.forecasts - a.forecasts,
  },
}
