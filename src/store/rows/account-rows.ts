import { assert } from '../../core/assert.js'
import type { AccountPosting } from '../../core/postings.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber } from '../../core/units.js'
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

/** The newest rows of an account; each row links to the one before it. */
export interface AccountEnds {
  lastEntry: number | null
  lastMarket: MarketCode | null
  lastNumber: OrderNumber | null
  lastUpdate: number | null
  userSeq: number
}

/** An account's money, in units of ₹0.0001. */
export type StoredMoney = Pick<AccountRow, 'cash' | 'held'>

export const userOwner = (userId: string) => `user:${userId}`
export const escrowOwner = (code: number) => `escrow:${code}`

/** The table of accounts. Its CHECK rejects a balance below zero and a hold above the cash. */
export class AccountRows {
  readonly #insert: Statement
  readonly #update: Statement<StoredMoney>
  readonly #updateAll: Statement<StoredMoney>
  readonly #selectAll: Statement<AccountRow>
  readonly #selectEnds: Statement<AccountEnds>
  readonly #selectUsers: Statement<UserRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO accounts (number, owner, cash, held) VALUES (?, ?, 0, 0)')
    const money = 'UPDATE accounts SET cash = cash + ?, held = held + ?'
    this.#update = database.prepare(`${money} WHERE number = ? RETURNING cash, held`)
    this.#updateAll = database.prepare(
      `${money}, last_entry = ?, last_market = ?, last_number = ?, last_update = ?, user_seq = ?
       WHERE number = ? RETURNING cash, held`,
    )
    this.#selectAll = database.prepare(
      'SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts ORDER BY number',
    )
    this.#selectEnds = database.prepare(
      `SELECT last_entry AS lastEntry, last_market AS lastMarket, last_number AS lastNumber,
       last_update AS lastUpdate, user_seq AS userSeq FROM accounts WHERE number = ?`,
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

  ends(number: AccountNumber): AccountEnds {
    const row = this.#selectEnds.get(number)
    assert(row !== undefined, 'rows belong to accounts that exist')
    return row
  }

  /**
   * Applies a posting and returns the account's money after it. Updates the newest rows if `ends` is given.
   */
  post({ account, cash, held }: AccountPosting, ends?: AccountEnds): StoredMoney {
    const row =
      ends === undefined
        ? this.#update.get(cash, held, account)
        : this.#updateAll.get(
            cash,
            held,
            ends.lastEntry,
            ends.lastMarket,
            ends.lastNumber,
            ends.lastUpdate,
            ends.userSeq,
            account,
          )
    assert(row !== undefined, 'money moves between accounts that exist')
    return row
  }

  all(): IterableIterator<AccountRow> {
    return this.#selectAll.iterate()
  }

  /** Returns a page of user accounts after the given number. */
  users(after: number, lengthMax: number): UserRow[] {
    return this.#selectUsers.all(after, lengthMax)
  }
}
