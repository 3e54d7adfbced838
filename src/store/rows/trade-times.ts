import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/**
 * When a market's trades were made. They are numbered 1, 2, 3, … and their time never goes back, so that the
 * first trade since a time is found by bisection, and no index by time is needed.
 */
export class TradeTimes {
  readonly #selectLast: Statement<number | null>
  readonly #selectTime: Statement<TimeMs>

  constructor(database: Database) {
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT max(trade) FROM trades WHERE market = ?')
      .pluck()
    this.#selectTime = database
      .prepare<unknown[], TimeMs>('SELECT at FROM trades WHERE market = ? AND trade = ?')
      .pluck()
  }

  /** The number that the next trade will have. */
  end(market: MarketCode): number {
    return (this.#selectLast.get(market) ?? 0) + 1
  }

  timeOf(market: MarketCode, trade: number): TimeMs {
    return this.#selectTime.get(market, trade) as TimeMs
  }

  /** The first trade of that time or later, from `low` on; `end` where all before it are earlier. */
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
