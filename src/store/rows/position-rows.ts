import type { PositionRow, PricedPositionRow } from '../../core/records/position-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of positions. */
export class PositionRows {
  readonly #selectLive: Statement<PositionRow>
  readonly #selectOne: Statement<PricedPositionRow>

  constructor(database: Database) {
    const columns = 'market, account, yes, no, yes_locked AS yesLocked, no_locked AS noLocked, paid'
    const joined = 'FROM markets CROSS JOIN positions ON market = code'
    const pools = `FROM (SELECT pool AS code, max(status NOT IN ('settled', 'voided')) AS isLive,
        max(status = 'voided') AS isVoid FROM markets WHERE group_code IS NOT NULL AND pool IS NOT NULL
        GROUP BY pool) CROSS JOIN positions ON market = code`
    // Two parts, so that SQLite looks at the market first: with OR it reads the positions of settled ones.
    this.#selectLive = database.prepare(
      `SELECT ${columns} ${joined} WHERE status NOT IN ('settled', 'voided')
       UNION ALL SELECT ${columns} ${joined} WHERE status = 'voided' AND (yes > 0 OR no > 0 OR paid <> 0)
       UNION ALL SELECT ${columns} ${pools} WHERE isLive OR isVoid AND paid <> 0`,
    )
    this.#selectOne = database.prepare(
      `SELECT ${columns}, payout, last_price AS lastPrice, EXISTS (SELECT 1 FROM conversions AS c
         WHERE c.account = p.account AND group_code = pool) AS isConverted
       FROM positions AS p JOIN markets ON code = market WHERE market = ? AND p.account = ?`,
    )
  }

  find(market: MarketCode, account: AccountNumber): PricedPositionRow | undefined {
    return this.#selectOne.get(market, account)
  }

  /** Yields the positions that may still change: of markets, and groups as pools, that have not paid them. */
  live(): IterableIterator<PositionRow> {
    return this.#selectLive.iterate()
  }
}
