import type { EngineEvent } from '../core/engine-event.js'
import type { Side } from '../core/order.js'
import type { MarketCode, PriceTicks, QuantityLots, TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'

/** A trade as the public sees it: without its orders and their users. */
export interface TradeRow {
  /** 1, 2, 3, … within the market, in the order of time. */
  readonly trade: number
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly takerSide: Side
  readonly at: TimeMs
}

/** The table of trades: one row a fill, numbered within its market. */
export class TradeRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<TradeRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO trades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `SELECT trade, price, quantity, taker_side AS takerSide, at FROM trades
       WHERE market = ? AND trade < ? ORDER BY trade DESC LIMIT ?`,
    )
  }

  insert(event: Extract<EngineEvent, { type: 'traded' }>, at: TimeMs): void {
    for (const { trade, price, quantity, maker, makerOwner } of event.fills) {
      const { market, takerSide, taker, takerOwner } = event
      this.#insert.run(market, trade, price, quantity, takerSide, taker, takerOwner, maker, makerOwner, at)
    }
  }

  /** A page of a market's trades, newest first. */
  page(market: MarketCode, before: number | undefined, lengthMax: number): TradeRow[] {
    return this.#selectPage.all(market, before ?? Number.MAX_SAFE_INTEGER, lengthMax)
  }
}
