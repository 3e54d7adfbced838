import type { AccountNumber, Amount } from '../../core/units.js'
import type { Database } from '../database.js'
import { jsonPages } from './json-pages.js'

export interface AccountRow {
  readonly number: AccountNumber
  /** `external`, `fees`, `house`, `user:<id>`, `escrow:<code>`, or `maker:<code>` for quotes of the house. */
  readonly owner: string
  readonly cash: Amount
  readonly held: Amount
  /** The number of messages on the user's private channel so far. */
  readonly userSeq: number
}

export const userOwner = (userId: string) => `user:${userId}`
export const escrowOwner = (code: number) => `escrow:${code}`
/** The first account of the house in a market is named after it, later ones are counted. */
export const makerOwner = (code: number, round: number) =>
  round === 1 ? `maker:${code}` : `maker:${code}:${round}`

const SELECT = `SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts
  WHERE number > ? AND NOT (owner GLOB 'escrow:*' AND cash = 0 AND held = 0) ORDER BY number`

/** The table of accounts. */
export class AccountRows {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Yields all but the empty escrows: those of all events that are over. */
  filled(): IterableIterator<AccountRow> {
    return jsonPages(this.#database, SELECT, 'number')
  }

  /** Returns the highest number. */
  last(): AccountNumber {
    const select = this.#database.prepare<unknown[], AccountNumber>('SELECT max(number) FROM accounts')
    return select.pluck().get() ?? (0 as AccountNumber)
  }
}
