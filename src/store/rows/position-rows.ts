import type { PositionPosting } from '../../core/postings.js'
import type { HeldContracts, PositionRow, PricedPositionRow } from '../../core/records/position-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of positions. Its CHECKs reject negative contracts and locks above the contracts owned. */
export class PositionRows {
  readonly #insert: Statement
  readonly #update: Statement<PositionRow>
  readonly #selectAll: Statement<PositionRow>
  readonly #selectOne: Statement<PricedPositionRow>

  constructor(database: Database) {
    const columns = 'market, account, yes, no, yes_locked AS yesLocked, no_locked AS noLocked, paid'
    this.#insert = database.prepare('INSERT INTO positions VALUES (?, ?, ?, ?, ?, ?, ?)')
    this.#update = database.prepare(
      `UPDATE positions SET yes = yes + ?, no = no + ?, yes_locked = yes_locked + ?,
       no_locked = no_locked + ?, paid = paid + ? WHERE market = ? AND account = ? RETURNING ${columns}`,
    )
    this.#selectAll = database.prepare(`SELECT ${columns} FROM positions`)
    this.#selectOne = database.prepare(
      `SELECT ${columns}, payout, last_price AS lastPrice FROM positions JOIN markets ON code = market
       WHERE market = ? AND account = ?`,
    )
  }

  /**
   * Applies a posting and returns the position after it. Tries an update first: an upsert would run the
   * CHECKs on the bare change before finding the row.
   */
  post(posting: PositionPosting): HeldContracts {
    const { market, account, yes, no, yesLocked, noLocked, paid } = posting
    const row = this.#update.get(yes, no, yesLocked, noLocked, paid, market, account)
    if (row !== undefined) return row
    this.#insert.run(market, account, yes, no, yesLocked, noLocked, paid)
    return { market, yes: lots(yes), no: lots(no), yesLocked: lots(yesLocked), noLocked: lots(noLocked) }
  }

  find(market: MarketCode, account: AccountNumber): PricedPositionRow | undefined {
    return this.#selectOne.get(market, account)
  }

  all(): IterableIterator<PositionRow> {
    return this.#selectAll.iterate()
  }
}
