import type { TradeRow } from '../../core/records/trade-record.js'
import type { MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { TimeRange } from './time-range.js'
import { TradeTimes } from './trade-times.js'

/** The table of trades: one row per fill, numbered within its market. */
export class TradeRows {
  readonly #selectPage: Statement<TradeRow>
  readonly #times: TradeTimes

  constructor(database: Database) {
    this.#selectPage = database.prepare(
      `SELECT trade, price, quantity, taker_side AS takerSide, at FROM whole_trades
       WHERE market = ? AND trade >= ? AND trade < ? ORDER BY trade DESC LIMIT ?`,
    )
    this.#times = new TradeTimes(database)
  }

  /** Returns a page of a market's trades within a time range, newest first. */
  page(
    market: MarketCode,
    { from, to }: TimeRange,
    before: number | undefined,
    lengthMax: number,
  ): TradeRow[] {
    const end = this.#times.end(market)
    const first = from === undefined ? 1 : this.#times.firstSince(market, from, 1, end)
    const beyond = to === undefined ? end : this.#times.firstSince(market, to, first, end)
    return this.#selectPage.all(market, first, Math.min(beyond, before ?? beyond), lengthMax)
  }
}
