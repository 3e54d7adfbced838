import type { EntryPlace, EntryRow } from '../../core/records/statement-record.js'
import type { AccountNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { lastIdIn } from './last-id.js'
import type { TimeRange } from './time-range.js'
import { boundsOf, SEARCH_LENGTH_MAX } from './time-range.js'

/** A line's id, and the id of the same account's previous line. */
export interface EntryLink {
  readonly id: number
  readonly previous: number | null
}

/**
 * Walks an account's lines backwards from a given one, lazily; for joins. The first parameter is the id of
 * the newest line.
 */
export const LINES_BACKWARDS = `WITH RECURSIVE lines AS (
    SELECT * FROM whole_entries WHERE id = ?
    UNION ALL SELECT e.* FROM lines CROSS JOIN entries e ON e.id = lines.previous
    UNION ALL SELECT e.* FROM lines CROSS JOIN archived_entries e ON e.id = lines.previous)`

/**
 * Walks an account's lines backwards for a page: to one line before the range, and no further than the search
 * limit.
 */
export const LINES_IN_RANGE = `WITH RECURSIVE lines AS (
    SELECT 1 AS place, e.* FROM whole_entries e WHERE e.id = @newest
    UNION ALL SELECT place + 1, e.* FROM lines CROSS JOIN entries e ON e.id = lines.previous
    WHERE lines.at >= @from AND lines.place < @searchLengthMax
    UNION ALL SELECT place + 1, e.* FROM lines CROSS JOIN archived_entries e ON e.id = lines.previous
    WHERE lines.at >= @from AND lines.place < @searchLengthMax)`

/** A page of statement rows, and where the search stopped if it hit the limit before the end. */
export interface EntryPage<Row extends EntryPlace> {
  readonly rows: readonly Row[]
  readonly searchedTo: EntryPlace | undefined
}

/** The parameters of LINES_IN_RANGE. */
interface LinesWalk {
  readonly newest: number | null
  readonly from: number
  readonly to: number
  readonly searchLengthMax: number
}

/**
 * The table of statement lines: every change of a user's cash, with the cash after it. A trade that moved no
 * cash has a line too, which the statement omits and the list of fills includes.
 */
export class EntryRows {
  readonly #selectPage: Statement<EntryRow>
  readonly #selectSearched: Statement<EntryPlace>
  readonly #lastId: () => number
  readonly #selectLast: Statement<number | null>
  readonly #selectPlace: Statement<EntryPlace & { readonly account: AccountNumber } & EntryLink>

  constructor(database: Database) {
    this.#selectPage = database.prepare(
      `${LINES_IN_RANGE}
       SELECT e.sequence, e.line, e.at, e.kind, e.change, e.fee, e.cash, e.market, e.trade, e.txn_id AS txnId,
       e.order_number AS orderNumber, ifnull(o.suffix, p.suffix) AS orderSuffix
       FROM lines e LEFT JOIN orders o ON o.market = e.market AND o.number = e.order_number
       LEFT JOIN archived_orders p ON p.market = e.market AND p.number = e.order_number
       WHERE e.change <> 0 AND e.at >= @from AND e.at < @to LIMIT @lengthMax`,
    )
    this.#selectSearched = database.prepare(
      `${LINES_IN_RANGE} SELECT sequence, line FROM lines WHERE place = @searchLengthMax`,
    )
    this.#lastId = lastIdIn(database, 'entries')
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT last_entry FROM accounts WHERE number = ?')
      .pluck()
    this.#selectPlace = database.prepare(
      'SELECT id, previous, account, sequence, line FROM whole_entries WHERE id = ?',
    )
  }

  page(
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<EntryRow> {
    const select = (walk: LinesWalk) => this.#selectPage.all({ ...walk, lengthMax })
    return this.pageOf(select, account, range, before, lengthMax)
  }

  /**
   * Reads a page of a user's lines of one kind after a place. The walk skips lines of other kinds and those
   * newer than the range, so it is bounded.
   */
  pageOf<Row extends EntryPlace>(
    select: (walk: LinesWalk) => Row[],
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<Row> {
    const walk = {
      newest: this.newestBefore(account, before),
      ...boundsOf(range),
      searchLengthMax: SEARCH_LENGTH_MAX,
    }
    const rows = select(walk)
    if (rows.length >= lengthMax) return { rows, searchedTo: undefined }
    const { newest, from, searchLengthMax } = walk
    return { rows, searchedTo: this.#selectSearched.get({ newest, from, searchLengthMax }) }
  }

  /**
   * Returns the id of an account's newest line, or of the line before a place, which must be the account's.
   */
  newestBefore(account: AccountNumber, before: EntryPlace | undefined): number | null {
    if (before === undefined) return this.#selectLast.get(account) ?? null
    const found = this.#find(before)
    return found?.account === account ? found.previous : null
  }

  /** Finds a line by bisection: ids and places increase together. */
  #find({ sequence, line }: EntryPlace) {
    let low = 1
    for (let high = this.#lastId(); low <= high; ) {
      const middle = Math.floor((low + high) / 2)
      const row = this.#selectPlace.get(middle)
      if (row === undefined) return undefined
      if (row.sequence === sequence && row.line === line) return row
      if (row.sequence < sequence || (row.sequence === sequence && row.line < line)) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}
