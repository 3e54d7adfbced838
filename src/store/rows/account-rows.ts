import type { AccountNumber, Amount } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

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
