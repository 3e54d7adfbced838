import type { OwnFill } from '../../core/cost-basis.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import type { FillRow } from '../../core/records/trade-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { EntryPage } from './entry-rows.js'
import { EntryRows, LINES_BACKWARDS, LINES_IN_RANGE } from './entry-rows.js'
import type { TimeRange } from './time-range.js'

type Line = [market: MarketCode, trade: number, number: OrderNumber, change: number, fee: number]
type Trade = Pick<OwnFill, 'side' | 'price' | 'quantity'>

/** The most statement lines searched for a cost. */
const LINES_MAX = 100_000

/** A user's fills: statement lines joined with their trades and orders. */
export class FillRows {
  readonly #entries: EntryRows
  readonly #selectPage: Statement<FillRow>
  readonly #selectUpTo: Statement<FillRow>
  readonly #selectLines: Statement<Line>
  readonly #selectTrade: Statement<Trade>

  constructor(database: Database) {
    this.#entries = new EntryRows(database)
    // A trade and its order are each in the tables or in the archive.
    const fills = `
       SELECT e.sequence, e.line, e.market, e.trade, e.order_number AS number,
       ifnull(o.suffix, p.suffix) AS suffix, ifnull(o.side, p.side) AS side,
       ifnull(o.outcome, p.outcome) AS outcome, ifnull(t.price, u.price) AS price,
       ifnull(t.quantity, u.quantity) AS quantity, ifnull(t.taker, u.taker) = e.order_number AS isTaker,
       e.at, e.change, e.fee
       FROM lines e LEFT JOIN trades t ON t.market = e.market AND t.trade = e.trade
       LEFT JOIN archived_trades u ON u.market = e.market AND u.trade = e.trade
       LEFT JOIN orders o ON o.market = e.market AND o.number = e.order_number
       LEFT JOIN archived_orders p ON p.market = e.market AND p.number = e.order_number
       WHERE e.kind = 'trade'`
    this.#selectPage = database.prepare(
      `${LINES_IN_RANGE} ${fills} AND e.at >= @from AND e.at < @to LIMIT @lengthMax`,
    )
    this.#selectUpTo = database.prepare(`${LINES_BACKWARDS} ${fills} LIMIT ?`)
    this.#selectLines = database
      .prepare<unknown[], Line>(
        `${LINES_BACKWARDS} SELECT market, trade, order_number, change, fee FROM
         (SELECT * FROM lines LIMIT ${LINES_MAX}) WHERE kind = 'trade'`,
      )
      .raw()
    this.#selectTrade = database.prepare(
      `SELECT price, quantity, iif((taker = ?) = (taker_side = 'yes'), 'yes', 'no') AS side
       FROM whole_trades WHERE market = ? AND trade = ?`,
    )
  }

  /** Returns a page of a user's fills in all markets after the given line, newest first. */
  page(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<FillRow> {
    const select = (walk: object) => this.#selectPage.all({ ...walk, lengthMax })
    return this.#entries.pageOf(select, account, range, before, lengthMax)
  }

  /** Returns the last `count` fills up to the line with an id, oldest first. */
  upTo(entry: number, count: number): FillRow[] {
    return this.#selectUpTo.all(entry, count).reverse()
  }

  /** Yields a user's fills in the given markets, newest first. */
  *newest(
    account: AccountNumber,
    markets: { has(market: MarketCode): boolean },
  ): Generator<readonly [MarketCode, OwnFill]> {
    const newest = this.#entries.newestBefore(account, undefined)
    for (const [market, trade, number, change, fee] of this.#selectLines.iterate(newest)) {
      if (!markets.has(market)) continue
      const found = this.#selectTrade.get(number, market, trade)
      if (found !== undefined) yield [market, { ...found, change, fee }]
    }
  }
}
