import type { CreateOrder } from '../core/command.js'
import type { CashEntry } from '../core/postings.js'
import type { AccountNumber } from '../core/units.js'
import type { UserUpdates } from '../core/user-updates.js'
import { updatesCount } from '../core/user-updates.js'
import type { AccountEnds, AccountRows } from './rows/account-rows.js'
import type { EntryLink } from './rows/entry-rows.js'
import type { OrderLink } from './rows/order-rows.js'

/**
 * The newest rows of each account that a batch touches, advanced with each row it adds: orders in command
 * order, other rows in the order of the batch's lists, so that a replay produces the same links.
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

  /** Returns undefined for an account to which the batch adds no row. */
  get(account: AccountNumber): AccountEnds | undefined {
    return this.#ends.get(account)
  }

  /** Returns every account to which the batch adds rows. */
  accounts(): Iterable<AccountNumber> {
    return this.#ends.keys()
  }

  /** Adds a new order; returns its user's previous one. */
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

  /** Adds a row of user messages; returns the id of the user's previous one. */
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
