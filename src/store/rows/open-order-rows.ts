import { assert } from '../../core/assert.js'
import type { RestingOrder } from '../../core/book/order-book.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber, QuantityLots } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { OrderCells } from './order-columns.js'
import { ORDER_CELLS, orderFromCells } from './order-columns.js'

const PAGE_LENGTH = 4096
/** Chooses what the index `orders_open` has. */
const IS_OPEN = "state IN ('resting', 'partially_filled')"
const OPEN = `market = ? AND ${IS_OPEN}`
// Without the hint SQLite would scan the market's whole history by the primary key.
const FROM = 'FROM orders o INDEXED BY orders_open'

const BOOK_COLUMNS = [
  'number',
  'account',
  'side',
  'price',
  'quantity',
  'filled',
  'covered',
  'fee_maker',
  'fee_credit',
]
type BookColumns = [
  number: OrderNumber,
  owner: AccountNumber,
  side: OrderRecord['side'],
  price: OrderRecord['price'],
  quantity: QuantityLots,
  filled: QuantityLots,
  covered: QuantityLots,
  feeMaker: number,
  feeCredit: number,
]

/**
 * Reads the open orders of a market in order of arrival, at start. SQLite returns a page of rows as one JSON
 * text: value by value took five times as long, 10 s of a start with a million open orders.
 */
export class OpenOrderRows {
  readonly #selectMarkets: Statement<MarketCode>
  readonly #selectPageEnd: Statement<number>
  readonly #selectBookPage: Statement<string>
  readonly #selectRecordPage: Statement<string>

  constructor(database: Database) {
    const pageOf = (cells: string) =>
      database
        .prepare<unknown[], string>(
          `SELECT json_group_array(${cells}) ${FROM}
           WHERE ${OPEN} AND number > ? AND number <= ?`,
        )
        .pluck()
    // One look into the index for each market, however many orders it has.
    this.#selectMarkets = database
      .prepare<unknown[], MarketCode>(
        `WITH RECURSIVE chain (code) AS (
           SELECT min(market) ${FROM} WHERE ${IS_OPEN}
           UNION ALL SELECT (SELECT min(market) ${FROM} WHERE ${IS_OPEN} AND market > code) FROM chain
           WHERE code IS NOT NULL)
         SELECT code FROM chain WHERE code IS NOT NULL`,
      )
      .pluck()
    this.#selectPageEnd = database
      .prepare<unknown[], number>(
        `SELECT number ${FROM} WHERE ${OPEN} AND number > ?
         ORDER BY number LIMIT 1 OFFSET ${PAGE_LENGTH - 1}`,
      )
      .pluck()
    this.#selectBookPage = pageOf(`json_array(${BOOK_COLUMNS.join(', ')})`)
    this.#selectRecordPage = pageOf(ORDER_CELLS)
  }

  /** Returns the markets that have open orders. */
  markets(): MarketCode[] {
    return this.#selectMarkets.all()
  }

  /** Yields the open orders as clients see them. */
  *records(market: MarketCode, userIdOf: (account: AccountNumber) => string): Generator<OrderRecord> {
    for (const row of this.#rows<OrderCells>(this.#selectRecordPage, market)) {
      const [, [, account]] = row
      yield orderFromCells(market, userIdOf(account), row)
    }
  }

  /** Yields the open orders as the book needs them. */
  *resting(market: MarketCode): Generator<RestingOrder> {
    for (const row of this.#rows<BookColumns>(this.#selectBookPage, market)) {
      const [number, owner, side, price, quantity, filled, covered, rate, credit] = row
      const order = { number, owner, side, price, lots: lots(quantity - filled), covered }
      yield rate > 0 ? { ...order, fee: { rate, credit } } : order
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
