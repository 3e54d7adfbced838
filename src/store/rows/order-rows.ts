import type { OrderState } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { userOwner } from './account-rows.js'
import type { OrderCells } from './order-columns.js'
import { ORDER_CELLS, orderFromCells } from './order-columns.js'
import type { TimeRange } from './time-range.js'
import { boundsOf, SEARCH_LENGTH_MAX } from './time-range.js'

/** An order's market, its user and its values. */
type OrderRow = readonly [MarketCode, userId: string, cells: string]

/** Orders of the house have no user. */
const ROW = `o.market,
  iif(a.owner GLOB '${userOwner('*')}', substr(a.owner, ${userOwner('').length + 1}), ''),
  ${ORDER_CELLS}`

/** An order's place in its user's list; a page begins after it. */
export type OrderPlace = Pick<OrderRecord, 'createdAt' | 'market' | 'number'>

/** A filter of a user's orders, including the time they arrived; undefined fields match all. */
export interface OrderFilter extends TimeRange {
  readonly market: MarketCode | undefined
  readonly state: OrderState | undefined
}

export interface OrderPage {
  /** Newest first. */
  readonly rows: readonly OrderRecord[]
  /** The place at which the search stopped; undefined if it reached the end or filled the page. */
  readonly searchedTo: OrderPlace | undefined
}

type OrderName = { readonly market: MarketCode | null; readonly number: OrderNumber | null }

/** The table of orders: one row each. */
export class OrderRows {
  readonly #selectOne: Statement<OrderRow>
  readonly #selectPage: Statement<OrderRow>
  readonly #selectSearched: Statement<OrderPlace>
  readonly #selectNewest: Statement<OrderName>
  readonly #selectBefore: Statement<OrderName>

  constructor(database: Database) {
    this.#selectOne = database
      .prepare<unknown[], OrderRow>(
        `SELECT ${ROW} FROM whole_orders o CROSS JOIN accounts a ON a.number = o.account
       WHERE o.market = ? AND o.number = ?`,
      )
      .raw()
    // Walked lazily, one order at a time; in SQLite, CROSS JOIN fixes the join order.
    const before = (orders: string) =>
      `SELECT place + 1, o.* FROM chain
       CROSS JOIN ${orders} o ON o.market = chain.previous_market AND o.number = chain.previous_number
       WHERE place < @searchLengthMax AND chain.created_at >= @from`
    const chain = `WITH RECURSIVE chain AS (
         SELECT 1 AS place, o.* FROM whole_orders o WHERE o.market = @market AND o.number = @number
         UNION ALL ${before('orders')} UNION ALL ${before('archived_orders')})`
    this.#selectPage = database
      .prepare<unknown[], OrderRow>(
        `${chain} SELECT ${ROW} FROM chain o CROSS JOIN accounts a ON a.number = o.account
       WHERE o.market = coalesce(@onlyMarket, o.market) AND o.state = coalesce(@onlyState, o.state)
       AND o.created_at >= @from AND o.created_at < @to
       LIMIT @lengthMax`,
      )
      .raw()
    this.#selectSearched = database.prepare(
      `${chain} SELECT created_at AS createdAt, market, number FROM chain WHERE place = @searchLengthMax`,
    )
    this.#selectNewest = database.prepare(
      'SELECT last_market AS market, last_number AS number FROM accounts WHERE number = ?',
    )
    this.#selectBefore = database.prepare(
      `SELECT previous_market AS market, previous_number AS number FROM whole_orders
       WHERE market = ? AND number = ? AND account = ?`,
    )
  }

  find(market: MarketCode, number: OrderNumber): OrderRecord | undefined {
    const row = this.#selectOne.get(market, number)
    return row === undefined ? undefined : fromRow(row)
  }

  /** Returns a page of a user's orders after the given place, newest first. */
  page(
    account: AccountNumber,
    filter: OrderFilter,
    before: OrderPlace | undefined,
    lengthMax: number,
  ): OrderPage {
    const newest = this.#newestBefore(account, before)
    if (newest === undefined) return { rows: [], searchedTo: undefined }
    const isFiltered = [filter.market, filter.state, filter.to].some(wanted => wanted !== undefined)
    const { from, to } = boundsOf(filter)
    const walk = { ...newest, from, searchLengthMax: isFiltered ? SEARCH_LENGTH_MAX : lengthMax }
    const only = { onlyMarket: filter.market ?? null, onlyState: filter.state ?? null, to }
    const found = this.#selectPage.all({ ...walk, ...only, lengthMax })
    const isCutShort = isFiltered && found.length < lengthMax
    return { rows: found.map(fromRow), searchedTo: isCutShort ? this.#selectSearched.get(walk) : undefined }
  }

  /** Returns a user's newest order, or the one before a place, which must be the user's own. */
  #newestBefore(account: AccountNumber, before: OrderPlace | undefined): OrderName | undefined {
    const row =
      before === undefined
        ? this.#selectNewest.get(account)
        : this.#selectBefore.get(before.market, before.number, account)
    return row === undefined || row.number === null ? undefined : row
  }
}

function fromRow([market, userId, cells]: OrderRow): OrderRecord {
  return orderFromCells(market, userId, JSON.parse(cells) as OrderCells)
}
