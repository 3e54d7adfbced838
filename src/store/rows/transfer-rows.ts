import type { TransferDirection } from '../../core/command.js'
import type { CashEntry } from '../../core/postings.js'
import type { TransferRow } from '../../core/records/statement-record.js'
import type { Amount, TimeMs } from '../../core/units.js'
import { amount } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of deposits and withdrawals: one row per `txn_id`, kept for ever. */
export class TransferRows {
  readonly #insert: Statement
  readonly #select: Statement<TransferRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?)')
    this.#select = database.prepare(
      'SELECT txn_id AS txnId, account, direction, amount, cash, at FROM transfers WHERE txn_id = ?',
    )
  }

  /** Inserts a row and returns it. */
  insert(txnId: string, { account, kind, change }: CashEntry, at: TimeMs, cash: Amount): TransferRow {
    const direction = kind as TransferDirection
    const row = { txnId, account, direction, amount: amount(Math.abs(change)), cash, at }
    this.#insert.run(txnId, account, direction, row.amount, cash, at)
    return row
  }

  find(txnId: string): TransferRow | undefined {
    return this.#select.get(txnId)
  }
}
