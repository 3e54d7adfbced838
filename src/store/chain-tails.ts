import type { CreateOrder } from '../core/command.js'
import type { CashEntry } from '../core/postings.js'
import type { AccountNumber } from '../core/units.js'
import type { UserUpdates } from '../core/user-updates.js'
import { updatesCount } from '../core/user-updates.js'
import type { AccountEnds, AccountRows } from './rows/account-rows.js'
import type { EntryLink } from './rows/entry-rows.js'
import type { OrderLink } from './rows/order-rows.js'

/**
 * The last rows of each account that a batch adds rows to, as they move on with each of them: in the order of
 * the commands for orders, and of the batch's own lists for the rest, so that a replay finds the same.
 */
export class ChainTails {
  readonly #accounts: AccountRows
  readonly #ends = new Map<AccountNumber, AccountEnds>()
  #lastEntry: number
  #lastUpdate: number

  constructor(accounts: AccountRows, lastEntry: number, lastUpdate: number) {
    this.#accounts = accounts
    this.#lastEntry = lastEntry
    this.#lastUpdate = lastUpdate
  }

  /** Undefined for an account to which the batch adds no row. */
  get(account: AccountNumber): AccountEnds | undefined {
    return this.#ends.get(account)
  }

  /** Every account to which the batch adds rows. */
  accounts(): Iterable<AccountNumber> {
    return this.#ends.keys()
  }

  /** An order has arrived; answers the one that its user placed before. */
  addOrder({ account, market, number }: CreateOrder): OrderLink {
    const ends = this.#of(account)
    const before = [ends.lastMarket, ends.lastNumber] as const
    ends.lastMarket = market
    ends.lastNumber = number
    return before
  }

  addEntry({ account }: CashEntry): EntryLink {
    const ends = this.#of(account)
    const { lastEntry: previous } = ends
    this.#lastEntry++
    ends.lastEntry = this.#lastEntry
    return { id: this.#lastEntry, previous }
  }

  /** Answers the id of the row of updates that the user had before. */
  addUpdates(account: AccountNumber, updates: UserUpdates): number | null {
    const ends = this.#of(account)
    const { lastUpdate: previous } = ends
    this.#lastUpdate++
    ends.lastUpdate = this.#lastUpdate
    ends.userSeq += updatesCount(updates)
    return previous
  }

  #of(account: AccountNumber): AccountEnds {
    const known = this.#ends.get(account)
    if (known !== undefined) return known
    const ends = this.#accounts.ends(account)
    this.#ends.set(account, ends)
    return ends
  }
}
