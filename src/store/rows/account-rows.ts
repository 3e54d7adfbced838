import type { AccountNumber, Amount } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

export interface AccountRow {
  readonly number: AccountNumber
  /** `external`, `fees`, `house`, `user:<id>` or `escrow:<code>`. */
  readonly owner: string
  readonly cash: Amount
  readonly held: Amount
  /** The number of messages on the user's private channel so far. */
  readonly userSeq: number
}

export const userOwner = (userId: string) => `user:${userId}`
export const escrowOwner = (code: number) => `escrow:${code}`

/** The table of accounts. */
export class AccountRows {
  readonly #selectAll: Statement<AccountRow>

  constructor(database: Database) {
    this.#selectAll = database.prepare(
      'SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts ORDER BY number',
    )
  }

  all(): IterableIterator<AccountRow> {
    return this.#selectAll.iterate()
  }
}
