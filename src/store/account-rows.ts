import { assert } from '../core/assert.js'
import type { AccountPosting } from '../core/postings.js'
import type { AccountNumber, Amount } from '../core/units.js'
import type { Database, Statement } from './database.js'

export interface AccountRow {
  readonly number: AccountNumber
  /** `external`, `fees`, `house`, `user:<id>` or `escrow:<code>`. */
  readonly owner: string
  readonly cash: Amount
  readonly held: Amount
  /** How many messages a user's private channel has had. */
  readonly userSeq: number
}

/** A user's account, as a list of users shows it. */
export interface UserRow {
  readonly number: AccountNumber
  readonly userId: string
  readonly cash: Amount
  readonly held: Amount
}

export const userOwner = (userId: string) => `user:${userId}`
export const escrowOwner = (code: number) => `escrow:${code}`

/** The table of accounts. Its CHECK refuses a balance below zero and a hold above the cash. */
export class AccountRows {
  readonly #insert: Statement
  readonly #update: Statement<{ readonly cash: number }>
  readonly #selectAll: Statement<AccountRow>
  readonly #selectUsers: Statement<UserRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO accounts (number, owner, cash, held) VALUES (?, ?, 0, 0)')
    this.#update = database.prepare(
      'UPDATE accounts SET cash = cash + ?, held = held + ? WHERE number = ? RETURNING cash',
    )
    this.#selectAll = database.prepare(
      'SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts ORDER BY number',
    )
    const prefix = userOwner('')
    this.#selectUsers = database.prepare(
      `SELECT number, substr(owner, ${prefix.length + 1}) AS userId, cash, held FROM accounts
       WHERE number > ? AND owner GLOB '${prefix}*' ORDER BY number LIMIT ?`,
    )
  }

  insert(number: AccountNumber, owner: string): void {
    this.#insert.run(number, owner)
  }

  /** Answers the cash after it. */
  post(posting: AccountPosting): number {
    const row = this.#update.get(posting.cash, posting.held, posting.account)
    assert(row !== undefined, 'money moves between accounts that exist')
    return row.cash
  }

  all(): IterableIterator<AccountRow> {
    return this.#selectAll.iterate()
  }

  /** A page of the users' accounts, by number, from behind the given one. */
  users(after: number, lengthMax: number): UserRow[] {
    return this.#selectUsers.all(after, lengthMax)
  }
}
