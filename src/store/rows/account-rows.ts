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

/** A user's account in a list of users. */
export interface UserRow {
  readonly number: AccountNumber
  readonly userId: string
  readonly cash: Amount
  readonly held: Amount
}

export const userOwner = (userId: string) => `user:${userId}`
export const escrowOwner = (code: number) => `escrow:${code}`

/** The table of accounts. */
export class AccountRows {
  readonly #selectAll: Statement<AccountRow>
  readonly #selectUsers: Statement<UserRow>

  constructor(database: Database) {
    this.#selectAll = database.prepare(
      'SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts ORDER BY number',
    )
    const prefix = userOwner('')
    this.#selectUsers = database.prepare(
      `SELECT number, substr(owner, ${prefix.length + 1}) AS userId, cash, held FROM accounts
       WHERE number > ? AND owner GLOB '${prefix}*' ORDER BY number LIMIT ?`,
    )
  }

  all(): IterableIterator<AccountRow> {
    return this.#selectAll.iterate()
  }

  /** Returns a page of user accounts after the given number. */
  users(after: number, lengthMax: number): UserRow[] {
    return this.#selectUsers.all(after, lengthMax)
  }
}
