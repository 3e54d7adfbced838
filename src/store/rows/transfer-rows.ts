import type { TransferRow } from '../../core/records/statement-record.js'
import type { Database, Statement } from '../database.js'

/** The table of deposits and withdrawals: one row per `txn_id`, kept for ever. */
export class TransferRows {
  readonly #select: Statement<TransferRow>

  constructor(database: Database) {
    this.#select = database.prepare(
      'SELECT txn_id AS txnId, account, direction, amount, cash, at FROM transfers WHERE txn_id = ?',
    )
  }

  find(txnId: string): TransferRow | undefined {
    return this.#select.get(txnId)
  }
}
