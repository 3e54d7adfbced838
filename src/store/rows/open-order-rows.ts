import { assert } from '../../core/assert.js'
import type { RestingOrder } from '../../core/book/order-book.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber, QuantityLots } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

const PAGE_LENGTH = 4096
const OPEN = "market = ? AND state IN ('resting', 'partially_filled')"
// Without the hint SQLite would scan the market's whole history by the primary key.
const FROM = 'FROM orders INDEXED BY orders_open'

const BOOK_COLUMNS = ['number', 'account', 'side', 'price', 'quantity', 'filled', 'covered']
type BookColumns = [
  OrderNumber,
  AccountNumber,
  OrderRecord['side'],
  OrderRecord['price'],
  QuantityLots,
  QuantityLots,
  QuantityLots,
]

const RECORD_COLUMNS = [
  ...BOOK_COLUMNS,
  ...['suffix', 'outcome', 'order_type', 'self_trade', 'asked', 'filled_value', 'state', 'reason'],
  ...['created_at', 'updated_at', 'expires_at', 'time_in_force', 'post_only', 'reduce_only', 'client_key'],
]
type RecordColumns = [
  ...BookColumns,
  OrderRecord['suffix'],
  OrderRecord['outcome'],
  OrderRecord['orderType'],
  OrderRecord['selfTrade'],
  string | null,
  OrderRecord['filledValue'],
  OrderRecord['state'],
  OrderRecord['reason'] | null,
  OrderRecord['createdAt'],
  OrderRecord['updatedAt'],
  OrderRecord['expiresAt'] | null,
  OrderRecord['timeInForce'],
  0 | 1,
  0 | 1,
  string | null,
]

/**
 * Reads the open orders of a market in order of arrival, at start. SQLite returns a page of rows as one JSON
 * text: value by value took five times as long, 10 s of a start with a million open orders.
 */
export class OpenOrderRows {
  readonly #selectPageEnd: Statement<number>
  readonly #selectBookPage: Statement<string>
  readonly #selectRecordPage: Statement<string>

  constructor(database: Database) {
    const pageOf = (columns: readonly string[]) =>
      database
        .prepare<unknown[], string>(
          `SELECT json_group_array(json_array(${columns.join(', ')})) ${FROM}
           WHERE ${OPEN} AND number > ? AND number <= ?`,
        )
        .pluck()
    this.#selectPageEnd = database
      .prepare<unknown[], number>(
        `SELECT number ${FROM} WHERE ${OPEN} AND number > ?
         ORDER BY number LIMIT 1 OFFSET ${PAGE_LENGTH - 1}`,
      )
      .pluck()
    this.#selectBookPage = pageOf(BOOK_COLUMNS)
    this.#selectRecordPage = pageOf(RECORD_COLUMNS)
  }

  /** Yields the open orders as clients see them. */
  *records(market: MarketCode, userIdOf: (account: AccountNumber) => string): Generator<OrderRecord> {
    for (const row of this.#rows<RecordColumns>(this.#selectRecordPage, market)) {
      const [number, account, side, price, quantity, filled, covered, ...rest] = row
      const [suffix, outcome, orderType, selfTrade, asked, filledValue, state, reason, ...more] = rest
      const [createdAt, updatedAt, expiresAt, timeInForce, postOnly, reduceOnly, key] = more
      yield {
        market,
        number,
        suffix,
        account,
        userId: userIdOf(account),
        side,
        outcome,
        orderType,
        selfTrade,
        timeInForce,
        postOnly: postOnly === 1,
        reduceOnly: reduceOnly === 1,
        key: key ?? undefined,
        price,
        quantity,
        asked: asked === null ? undefined : (JSON.parse(asked) as OrderRecord['asked']),
        expiresAt: expiresAt ?? undefined,
        createdAt,
        updatedAt,
        state,
        reason: reason ?? undefined,
        covered,
        filled,
        filledValue,
      }
    }
  }

  /** Yields the open orders as the book needs them. */
  *resting(market: MarketCode): Generator<RestingOrder> {
    for (const row of this.#rows<BookColumns>(this.#selectBookPage, market)) {
      const [number, owner, side, price, quantity, filled, covered] = row
      yield { number, owner, side, price, lots: lots(quantity - filled), covered }
    }
  }

  *#rows<Row extends readonly [OrderNumber, ...unknown[]]>(
    page: Statement<string>,
    market: MarketCode,
  ): Generator<Row> {
    let last = 0
    for (let end = 0; end < Number.MAX_SAFE_INTEGER; ) {
      const begin = end
      end = this.#selectPageEnd.get(market, begin) ?? Number.MAX_SAFE_INTEGER
      for (const row of JSON.parse(page.get(market, begin, end) ?? '[]') as Row[]) {
        assert(row[0] > last, 'orders are read in order of arrival')
        last = row[0]
        yield row
      }
    }
  }
}
