import { assert } from '../../core/assert.js'
import type { RestingOrder } from '../../core/book/order-book.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import { lots, ticks } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { ORDER_CELLS, orderFromCells } from './order-columns.js'
import type { OrderCells } from './order-columns.js'
import type { PlainCells } from './plain-orders.js'
import { IS_PLAIN, orderFromPlainCells, PLAIN_CELLS, PLAIN_LENGTH } from './plain-orders.js'

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

/** An order as the book needs it: numbers, one behind another. */
const BOOK_CELLS = `concat_ws(',', o.number, o.account, o.side = 'yes', o.price, o.quantity - o.filled,
  o.covered, o.fee_maker, o.fee_credit)`
const BOOK_LENGTH = 8

type Page = readonly [count: number, text: string | null]

/** Selects a page by the index, and through all orders of its numbers. */
interface SelectPage {
  readonly byIndex: Statement<Page>
  readonly byTable: Statement<Page>
}

/**
 * Reads the open orders of a market in order of arrival, at start. SQLite returns a page of rows as one JSON
 * text: value by value took five times as long, 10 s of a start with a million open orders. Most orders rest
 * as they came, and are a few values in it, without an array around them.
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
          `SELECT count(*), '[' || group_concat(${cells}) || ']' ${from}
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
    this.#selectRecordPage = pageOf(`CASE WHEN ${IS_PLAIN} THEN ${PLAIN_CELLS} ELSE ${ORDER_CELLS} END`)
  }

  /** Returns the markets that have open orders. */
  markets(): MarketCode[] {
    return this.#selectMarkets.all()
  }

  /** Yields the open orders as clients see them. */
  *records(market: MarketCode, userIdOf: (account: AccountNumber) => string): Generator<OrderRecord> {
    let last = 0
    for (const cells of this.#pages(this.#selectRecordPage, market)) {
      for (let at = 0; at < cells.length; ) {
        const one = cells[at]
        const isPlain = typeof one === 'number'
        const order = isPlain
          ? orderFromPlainCells(market, userIdOf, cells as PlainCells, at)
          : orderFromCells(market, userIdOf((one as OrderCells)[1][1]), one as OrderCells)
        at += isPlain ? PLAIN_LENGTH : 1
        assertLater(order.number, last)
        last = order.number
        yield order
      }
    }
  }

  /** Yields the open orders as the book needs them. */
  *resting(market: MarketCode): Generator<RestingOrder> {
    let last = 0
    for (const page of this.#pages(this.#selectBookPage, market)) {
      const cells = page as readonly number[]
      for (let at = 0; at < cells.length; at += BOOK_LENGTH) {
        const order = restingOrderAt(cells, at)
        assertLater(order.number, last)
        last = order.number
        yield order
      }
    }
  }

  *#pages({ byIndex, byTable }: SelectPage, market: MarketCode): Generator<readonly unknown[]> {
    let share = DENSE
    for (let next = this.#selectNext.get(market, 0); next !== undefined; ) {
      const span = Math.min(SPAN_MAX, Math.ceil(PAGE_LENGTH / share))
      const end = next + span
      const [count, text] = (share > DENSE ? byTable : byIndex).get(market, next, end) ?? [0, null]
      yield JSON.parse(text ?? '[]') as unknown[]
      share = count / span
      next = this.#selectNext.get(market, end)
    }
  }
}

function assertLater(number: number, last: number): void {
  assert(number > last, 'orders are read in order of arrival')
}

/** Returns an order as a book needs it from its numbers, in the order of `BOOK_CELLS`. */
export function restingOrderAt(cells: readonly number[], at: number): RestingOrder {
  const cell = (index: number) => cells[at + index] as number
  const number = cell(0) as OrderNumber
  const owner = cell(1) as AccountNumber
  const side = cell(2) === 1 ? 'yes' : 'no'
  const [price, rest, covered] = [ticks(cell(3)), lots(cell(4)), lots(cell(5))]
  const order = { number, owner, side, price, lots: rest, covered } as const
  const rate = cell(6)
  return rate > 0 ? { ...order, fee: { rate, credit: cell(7) } } : order
}
