import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/**
 * Finds a market's trades by time. They are numbered 1, 2, 3, … and their times never decrease, so bisection
 * finds the first trade since a time without an index. The last one is never archived.
 */
export class TradeTimes {
  readonly #selectLast: Statement<number | null>
  readonly #selectTime: Statement<TimeMs>

  constructor(database: Database) {
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT max(trade) FROM trades WHERE market = ?')
      .pluck()
    this.#selectTime = database
      .prepare<unknown[], TimeMs>('SELECT at FROM whole_trades WHERE market = ? AND trade = ?')
      .pluck()
  }

  /** Returns the number of the next trade. */
  end(market: MarketCode): number {
    return (this.#selectLast.get(market) ?? 0) + 1
  }

  timeOf(market: MarketCode, trade: number): TimeMs {
    return this.#selectTime.get(market, trade) as TimeMs
  }

  /** Returns the first trade at or after a time, from `low` on; `end` if there is none. */
  firstSince(market: MarketCode, time: TimeMs, low: number, end: number): number {
    let first = low
    let beyond = end
    while (first < beyond) {
      const middle = Math.floor((first + beyond) / 2)
      if (this.timeOf(market, middle) < time) first = middle + 1
      else beyond = middle
    }
    return first
  }
}
