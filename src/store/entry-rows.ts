import type { CashEntry } from '../core/postings.js'
import type { AccountNumber, Amount, MarketCode, Sequence, TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'

/** A line of a statement as clients page through it: newest first. */
export interface EntryRow {
  readonly sequence: Sequence
  readonly line: number
  readonly at: TimeMs
  readonly kind: CashEntry['kind'] | 'brought_forward'
  readonly change: number
  /** The account's cash after this line. */
  readonly cash: Amount
  readonly market: MarketCode | null
  readonly orderNumber: number | null
  readonly orderSuffix: string | null
  readonly trade: number | null
  readonly txnId: string | null
}

/** Where a page of a statement begins: behind this line. */
export type EntryPlace = Pick<EntryRow, 'sequence' | 'line'>

/**
 * The table of statements: every change of a user's cash, with the cash after it. A trade that changed none
 * has its line as well, which the statement leaves out and the list of fills does not.
 */
export class EntryRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<EntryRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `SELECT e.sequence, e.line, e.at, e.kind, e.change, e.cash, e.market, e.trade, e.txn_id AS txnId,
       e.order_number AS orderNumber, o.suffix AS orderSuffix
       FROM entries e LEFT JOIN orders o ON o.market = e.market AND o.number = e.order_number
       WHERE e.account = ? AND e.change <> 0 AND (e.sequence, e.line) < (?, ?)
       ORDER BY e.sequence DESC, e.line DESC LIMIT ?`,
    )
  }

  insert(entry: CashEntry, sequence: Sequence, line: number, at: TimeMs, cash: number): void {
    const { account, kind, change, market, order, trade, txnId } = entry
    const origin = [market ?? null, order ?? null, trade ?? null, txnId ?? null]
    this.#insert.run(account, sequence, line, at, kind, change, cash, ...origin)
  }

  page(account: AccountNumber, before: EntryPlace | undefined, lengthMax: number): EntryRow[] {
    const { sequence, line } = before ?? { sequence: Number.MAX_SAFE_INTEGER, line: 0 }
    return this.#selectPage.all(account, sequence, line, lengthMax)
  }
}
