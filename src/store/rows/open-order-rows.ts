import { assert } from '../../core/assert.js'
import type { RestingOrder } from '../../core/book/order-book.js'
import type { MarketTerms } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import { lots, ticks } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { CellReader } from './cell-reader.js'
import { ORDER_CELLS, orderFromCells } from './order-columns.js'
import type { OrderCells } from './order-columns.js'
import type { PlainOrders } from './plain-orders.js'
import { IS_PLAIN, PLAIN_CELLS } from './plain-orders.js'

const PAGE_LENGTH = 4096
/** The most numbers of a page, in a market that has few open orders among many. */
const SPAN_MAX = 16 * PAGE_LENGTH
/** The share of open orders among the numbers of a page from which reading all of them is cheaper. */
const DENSE = 0.5
/** Chooses what the index `orders_open` has. */
const IS_OPEN = "state IN ('resting', 'partially_filled')"
const OPEN = `market = ? AND ${IS_OPEN}`
// Without the hint SQLite would scan the market's whole history by the primary key.
const FROM = 'FROM orders o INDEXED BY orders_open'
const FROM_ALL = 'FROM orders o NOT INDEXED'

/** An order as the book needs it. */
const BOOK_CELLS = `printf('%d,%d,%d,%d,%d,%d,%d,%d,', o.number, o.account, o.side = 'yes', o.price,
  o.quantity - o.filled, o.covered, o.fee_maker, o.fee_credit)`
const BOOK_LENGTH = 8
/** An order as clients see it: a plain one, or 0, its length and JSON. No order has the number 0. */
const RECORD_CELLS = `CASE WHEN ${IS_PLAIN} THEN ${PLAIN_CELLS}
  ELSE printf('0,%d,', octet_length(${ORDER_CELLS})) || ${ORDER_CELLS} END`
const NO_BYTES = Buffer.alloc(0)

type Page = readonly [count: number, bytes: Buffer | null]

/** Selects a page by the index, and through all orders of its numbers. */
interface SelectPage {
  readonly byIndex: Statement<Page>
  readonly byTable: Statement<Page>
}

/**
 * Reads the open orders of a market in order of arrival, at start. SQLite returns a page of rows as one text:
 * value by value took five times as long, 10 s of a start with a million open orders.
 */
export class OpenOrderRows {
  readonly #selectMarkets: Statement<MarketCode>
  readonly #selectNext: Statement<number>
  readonly #selectBookPage: SelectPage
  readonly #selectRecordPage: SelectPage

  constructor(database: Database) {
    const pageFrom = (from: string, cells: string) =>
      database
        .prepare<unknown[], Page>(
          `SELECT count(*), CAST(group_concat(${cells}, '') AS BLOB) ${from}
           WHERE ${OPEN} AND number >= ? AND number < ?`,
        )
        .raw()
    const pageOf = (cells: string): SelectPage => {
      return { byIndex: pageFrom(FROM, cells), byTable: pageFrom(FROM_ALL, cells) }
    }
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
    this.#selectNext = database
      .prepare<unknown[], number>(
        `SELECT number ${FROM} WHERE ${OPEN} AND number >= ? ORDER BY number LIMIT 1`,
      )
      .pluck()
    this.#selectBookPage = pageOf(BOOK_CELLS)
    this.#selectRecordPage = pageOf(RECORD_CELLS)
  }

  /** Returns the markets that have open orders. */
  markets(): MarketCode[] {
    return this.#selectMarkets.all()
  }

  /** Adds the open orders that rest as they came to others, and yields the rest as clients see them. */
  *records(
    terms: Pick<MarketTerms, 'code' | 'payout' | 'tickSize'>,
    plain: PlainOrders,
    userIdOf: (account: AccountNumber) => string,
  ): Generator<OrderRecord> {
    let last = 0
    for (const cells of this.#pages(this.#selectRecordPage, terms.code)) {
      while (!cells.isAtEnd) {
        const first = cells.next()
        const order = first > 0 ? undefined : jsonOrder(terms.code, cells, userIdOf)
        const number = order?.number ?? first
        assertLater(number, last)
        last = number
        if (order !== undefined) yield order
        else if (!plain.add(number, cells, terms)) {
          yield plain.record(plain.length, terms.code, userIdOf(plain.accountAt(plain.length)))
        }
      }
    }
  }

  /** Yields the open orders as the book needs them. */
  *resting(market: MarketCode): Generator<RestingOrder> {
    const numbers = new Float64Array(BOOK_LENGTH)
    let last = 0
    for (const cells of this.#pages(this.#selectBookPage, market)) {
      while (!cells.isAtEnd) {
        for (let index = 0; index < BOOK_LENGTH; index++) numbers[index] = cells.next()
        const order = restingOrderAt(numbers, 0)
        assertLater(order.number, last)
        last = order.number
        yield order
      }
    }
  }

  *#pages({ byIndex, byTable }: SelectPage, market: MarketCode): Generator<CellReader> {
    let share = DENSE
    for (let next = this.#selectNext.get(market, 0); next !== undefined; ) {
      const span = Math.min(SPAN_MAX, Math.ceil(PAGE_LENGTH / share))
      const end = next + span
      const [count, bytes] = (share > DENSE ? byTable : byIndex).get(market, next, end) ?? [0, null]
      yield new CellReader(bytes ?? NO_BYTES)
      share = count / span
      next = this.#selectNext.get(market, end)
    }
  }
}

function jsonOrder(
  market: MarketCode,
  cells: CellReader,
  userIdOf: (account: AccountNumber) => string,
): OrderRecord {
  const bytes = Buffer.from(cells.take(cells.next()))
  const order = JSON.parse(bytes.toString()) as OrderCells
  return orderFromCells(market, userIdOf(order[1][1]), order)
}

function assertLater(number: number, last: number): void {
  assert(number > last, 'orders are read in order of arrival')
}

/** Returns an order as a book needs it from its numbers, in the order of `BOOK_CELLS`. */
export function restingOrderAt(cells: ArrayLike<number>, at: number): RestingOrder {
  const cell = (index: number) => cells[at + index] as number
  const number = cell(0) as OrderNumber
  const owner = cell(1) as AccountNumber
  const side = cell(2) === 1 ? 'yes' : 'no'
  const [price, rest, covered] = [ticks(cell(3)), lots(cell(4)), lots(cell(5))]
  const order = { number, owner, side, price, lots: rest, covered } as const
  const rate = cell(6)
  return rate > 0 ? { ...order, fee: { rate, credit: cell(7) } } : order
}
