import type { EngineEvent } from '../../core/engine-event.js'
import type { TradeRow } from '../../core/records/trade-record.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { TimeRange } from './time-range.js'
import { TradeTimes } from './trade-times.js'

/** The table of trades: one row per fill, numbered within its market. */
export class TradeRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<TradeRow>
  readonly #times: TradeTimes

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO trades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `SELECT trade, price, quantity, taker_side AS takerSide, at FROM trades
       WHERE market = ? AND trade >= ? AND trade < ? ORDER BY trade DESC LIMIT ?`,
    )
    this.#times = new TradeTimes(database)
  }

  insert(event: Extract<EngineEvent, { type: 'traded' }>, at: TimeMs): void {
    for (const { trade, price, quantity, maker, makerOwner } of event.fills) {
      const { market, takerSide, taker, takerOwner } = event
      this.#insert.run(market, trade, price, quantity, takerSide, taker, takerOwner, maker, makerOwner, at)
    }
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
