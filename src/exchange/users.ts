import { FIRST_FREE_ACCOUNT } from '../core/ledger.js'
import type { AccountNumber } from '../core/units.js'

/** Which account belongs to which user, and the numbers of accounts to come. */
export class Users {
  readonly #byUserId = new Map<string, AccountNumber>()
  #next: AccountNumber = FIRST_FREE_ACCOUNT

  /** A number for a new account, of a user or of an escrow. */
  takeNumber(): AccountNumber {
    const number = this.#next
    this.#next = (number + 1) as AccountNumber
    return number
  }

  /** Says that a number is taken, as the table of accounts knows it. */
  noteTaken(number: AccountNumber): void {
    if (number >= this.#next) this.#next = (number + 1) as AccountNumber
  }

  add(userId: string, account: AccountNumber): void {
    this.#byUserId.set(userId, account)
  }

  accountOf(userId: string): AccountNumber | undefined {
    return this.#byUserId.get(userId)
  }
}
