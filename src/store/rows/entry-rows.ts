import type { CashEntry } from '../../core/postings.js'
import type { EntryPlace, EntryRow } from '../../core/records/statement-record.js'
import type { AccountNumber, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { TimeRange } from './time-range.js'
import { boundsOf, SEARCH_LENGTH_MAX } from './time-range.js'

/** Where a line stands: its id, and that of the same account's line before it. */
export interface EntryLink {
  readonly id: number
  readonly previous: number | null
}

/**
 * An account's lines from a given one backwards, one after the other as they are asked for: to be joined.
 * Takes the id of the newest as its first parameter.
 */
export const LINES_BACKWARDS = `WITH RECURSIVE lines AS (
    SELECT * FROM entries WHERE id = ?
    UNION ALL SELECT entries.* FROM lines CROSS JOIN entries ON entries.id = lines.previous)`

/**
 * The same for a page: from a line backwards, one line behind the beginning of a range of time, and no more
 * lines than may be looked through.
 */
export const LINES_IN_RANGE = `WITH RECURSIVE lines AS (
    SELECT 1 AS place, entries.* FROM entries WHERE id = @newest
    UNION ALL SELECT place + 1, entries.* FROM lines CROSS JOIN entries ON entries.id = lines.previous
    WHERE lines.at >= @from AND lines.place < @searchLengthMax)`

/** Rows of a statement, and where the search for more of them stopped, where it did before the end. */
export interface EntryPage<Row extends EntryPlace> {
  readonly rows: readonly Row[]
  readonly searchedTo: EntryPlace | undefined
}

/** What LINES_IN_RANGE takes. */
interface LinesWalk {
  readonly newest: number | null
  readonly from: number
  readonly to: number
  readonly searchLengthMax: number
}

/**
 * The table of statements: every change of a user's cash, with the cash after it. A trade that changed none
 * has its line as well, which the statement leaves out and the list of fills does not.
 */
export class EntryRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<EntryRow>
  readonly #selectSearched: Statement<EntryPlace>
  readonly #selectLastId: Statement<number>
  readonly #selectLast: Statement<number | null>
  readonly #selectPlace: Statement<EntryPlace & { readonly account: AccountNumber } & EntryLink>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `${LINES_IN_RANGE}
       SELECT e.sequence, e.line, e.at, e.kind, e.change, e.cash, e.market, e.trade, e.txn_id AS txnId,
       e.order_number AS orderNumber, o.suffix AS orderSuffix
       FROM lines e LEFT JOIN orders o ON o.market = e.market AND o.number = e.order_number
       WHERE e.change <> 0 AND e.at >= @from AND e.at < @to LIMIT @lengthMax`,
    )
    this.#selectSearched = database.prepare(
      `${LINES_IN_RANGE} SELECT sequence, line FROM lines WHERE place = @searchLengthMax`,
    )
    this.#selectLastId = database.prepare<unknown[], number>('SELECT ifnull(max(id), 0) FROM entries').pluck()
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT last_entry FROM accounts WHERE number = ?')
      .pluck()
    this.#selectPlace = database.prepare(
      'SELECT id, previous, account, sequence, line FROM entries WHERE id = ?',
    )
  }

  /** The id of the last line of all; the next one has the next. */
  lastId(): number {
    return this.#selectLastId.get() ?? 0
  }

  insert(
    { id, previous }: EntryLink,
    entry: CashEntry,
    { sequence, line }: EntryPlace,
    at: TimeMs,
    cash: number,
  ): void {
    const { account, kind, change, market, order, trade, txnId } = entry
    const origin = [market ?? null, order ?? null, trade ?? null, txnId ?? null]
    this.#insert.run(id, account, previous, sequence, line, at, kind, change, cash, ...origin)
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
   * Reads a page of a user's lines of one kind from behind a place. What is newer than the range is walked
   * over, and so it is bounded; without an end of the range the page begins where the walk does.
   */
  pageOf<Row extends EntryPlace>(
    select: (walk: LinesWalk) => Row[],
    account: AccountNumber,
    range: TimeRange,
    before: EntryPlace | undefined,
    lengthMax: number,
  ): EntryPage<Row> {
    const searchLengthMax = range.to === undefined ? Number.MAX_SAFE_INTEGER : SEARCH_LENGTH_MAX
    const walk = { newest: this.newestBehind(account, before), ...boundsOf(range), searchLengthMax }
    const rows = select(walk)
    const isCutShort = range.to !== undefined && rows.length < lengthMax
    const { newest, from } = walk
    const searchedTo = isCutShort ? this.#selectSearched.get({ newest, from, searchLengthMax }) : undefined
    return { rows, searchedTo }
  }

  /** The id of an account's newest line, or of the one before the line at a place, which must be its own. */
  newestBehind(account: AccountNumber, before: EntryPlace | undefined): number | null {
    if (before === undefined) return this.#selectLast.get(account) ?? null
    const found = this.#find(before)
    return found?.account === account ? found.previous : null
  }

  /** Ids and places rise together, so a line is found by halves. */
  #find({ sequence, line }: EntryPlace) {
    let low = 1
    for (let high = this.lastId(); low <= high; ) {
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
