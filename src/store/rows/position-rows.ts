import type { PositionRow, PricedPositionRow } from '../../core/records/position-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of positions. */
export class PositionRows {
  readonly #selectAll: Statement<PositionRow>
  readonly #selectOne: Statement<PricedPositionRow>

  constructor(database: Database) {
    const columns = 'market, account, yes, no, yes_locked AS yesLocked, no_locked AS noLocked, paid'
    this.#selectAll = database.prepare(`SELECT ${columns} FROM positions`)
    this.#selectOne = database.prepare(
      `SELECT ${columns}, payout, last_price AS lastPrice FROM positions JOIN markets ON code = market
       WHERE market = ? AND account = ?`,
    )
  }

  find(market: MarketCode, account: AccountNumber): PricedPositionRow | undefined {
    return this.#selectOne.get(market, account)
  }

  all(): IterableIterator<PositionRow> {
    return this.#selectAll.iterate()
  }
}
