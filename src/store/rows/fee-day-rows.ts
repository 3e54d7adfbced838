import type { Amount, MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { TimeRange } from './time-range.js'
import { boundsOf } from './time-range.js'

const DAY_MS = 86_400_000

/** The fees of a day in one market. */
export interface FeeDayRow extends FeeDayPlace {
  readonly fees: Amount
}

/** A row's place; a page begins after it. */
export interface FeeDayPlace {
  /** The day's number since 1970, in UTC. */
  readonly day: number
  readonly market: MarketCode
}

/** Returns the number of the day, in UTC, that has a moment. */
export function feeDayOf(at: TimeMs): number {
  return Math.floor(at / DAY_MS)
}

/** Returns when a day begins. */
export function startOfFeeDay(day: number): TimeMs {
  return (day * DAY_MS) as TimeMs
}

/** The table of fees by day and market. */
export class FeeDayRows {
  readonly #select: Statement<FeeDayRow>

  constructor(database: Database) {
    this.#select = database.prepare(
      `SELECT day, market, fees FROM fee_days WHERE (day, market) < (?, ?) AND day >= ?
       ORDER BY day DESC, market DESC LIMIT ?`,
    )
  }

  /** Returns the fees of the days that begin in a range, the latest first, after a place. */
  page(range: TimeRange, before: FeeDayPlace | undefined, lengthMax: number): FeeDayRow[] {
    const { from, to } = boundsOf(range)
    const { day, market } = before ?? { day: Math.ceil(to / DAY_MS), market: 0 }
    return this.#select.all(day, market, Math.ceil(from / DAY_MS), lengthMax)
  }
}
