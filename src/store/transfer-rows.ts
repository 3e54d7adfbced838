import type { TransferDirection } from '../core/command.js'
import type { CashEntry } from '../core/postings.js'
import type { AccountNumber, Amount, TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'

/** A deposit or a withdrawal, and the account's cash right after it. */
export interface TransferRow {
  readonly txnId: string
  readonly account: AccountNumber
  readonly direction: TransferDirection
  readonly amount: Amount
  readonly cash: Amount
  readonly at: TimeMs
}

/** The table of deposits and withdrawals: one row a `txn_id`, for ever. */
export class TransferRows {
  readonly #insert: Statement
  readonly #select: Statement<TransferRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?)')
    this.#select = database.prepare(
      'SELECT txn_id AS txnId, account, direction, amount, cash, at FROM transfers WHERE txn_id = ?',
    )
  }

  insert(entry: CashEntry, at: TimeMs, cash: number): void {
    const { txnId, account, kind, change } = entry
    this.#insert.run(txnId, account, kind, Math.abs(change), cash, at)
  }

  find(txnId: string): TransferRow | undefined {
    return this.#select.get(txnId)
  }
}
