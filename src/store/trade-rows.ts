import type { EngineEvent } from '../core/engine-event.js'
import type { TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'

/** The table of trades: one row a fill, numbered within its market. */
export class TradeRows {
  readonly #insert: Statement

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO trades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  }

  insert(event: Extract<EngineEvent, { type: 'traded' }>, at: TimeMs): void {
    for (const { trade, price, quantity, maker, makerOwner } of event.fills) {
      const { market, takerSide, taker, takerOwner } = event
      this.#insert.run(market, trade, price, quantity, takerSide, taker, takerOwner, maker, makerOwner, at)
    }
  }
}
