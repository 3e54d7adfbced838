import { assert } from '../../core/assert.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { AccountPosting } from '../../core/postings.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber } from '../../core/units.js'
import { amount } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { RowBuffer } from './row-buffer.js'

/** An account as of the last batch taken. */
export interface MergedAccount {
  readonly number: AccountNumber
  cash: Amount
  held: Amount
  /** Its newest rows; each row links to the one before it. */
  lastEntry: number | null
  lastMarket: MarketCode | null
  lastNumber: OrderNumber | null
  lastUpdate: number | null
  userSeq: number
  /** The owner of an account that is not in the table yet. */
  newOwner: string | undefined
  isWaiting: boolean
}

type Row = [
  cash: Amount,
  held: Amount,
  lastEntry: number | null,
  lastMarket: MarketCode | null,
  lastNumber: OrderNumber | null,
  lastUpdate: number | null,
  userSeq: number,
]

/** The accounts that batches change; each is written once per flush. */
export class MergedAccounts {
  readonly #select: Statement<Row>
  readonly #update: Statement
  readonly #inserts: RowBuffer
  readonly #cachedMax: number
  readonly #accounts = new Map<AccountNumber, MergedAccount>()
  #waiting: MergedAccount[] = []

  constructor(database: Database, cachedMax: number) {
    this.#cachedMax = cachedMax
    this.#select = database
      .prepare<unknown[], Row>(
        `SELECT cash, held, last_entry, last_market, last_number, last_update, user_seq
         FROM accounts WHERE number = ?`,
      )
      .raw()
    this.#update = database.prepare(
      `UPDATE accounts SET cash = ?, held = ?, last_entry = ?, last_market = ?, last_number = ?,
       last_update = ?, user_seq = ? WHERE number = ?`,
    )
    const columns = 'number, owner, cash, held, last_entry, last_market, last_number, last_update, user_seq'
    this.#inserts = new RowBuffer(database, `accounts (${columns})`, { width: 9 })
  }

  open(number: AccountNumber, owner: string): void {
    assert(this.#find(number) === undefined, 'an account number is used once')
    const account = newAccount(number, [amount(0), amount(0), null, null, null, null, 0])
    account.newOwner = owner
    this.#accounts.set(number, account)
    this.#change(account)
  }

  /** Returns an account that the caller is about to change. */
  changing(number: AccountNumber): MergedAccount {
    const account = this.#find(number)
    assert(account !== undefined, 'rows belong to accounts that exist')
    this.#change(account)
    return account
  }

  /** Applies a batch's posting; throws where the table's CHECK would. */
  post({ account: number, cash, held }: AccountPosting): void {
    const account = this.changing(number)
    account.cash = amount(account.cash + cash)
    account.held = amount(account.held + held)
    const isCovered = 0 <= account.held && account.held <= account.cash
    assert(number === EXTERNAL || isCovered, 'an account holds at most its cash, and never owes')
  }

  flush(): void {
    for (const account of this.#waiting) {
      const { number, newOwner, cash, held } = account
      const { lastEntry, lastMarket, lastNumber, lastUpdate, userSeq } = account
      const ends = [lastEntry, lastMarket, lastNumber, lastUpdate, userSeq] as const
      if (newOwner !== undefined) this.#inserts.add(number, newOwner, cash, held, ...ends)
      else {
        const { changes } = this.#update.run(cash, held, ...ends, number)
        assert(changes === 1, 'an account that changes exists')
      }
      account.newOwner = undefined
      account.isWaiting = false
    }
    this.#inserts.flush()
    this.#waiting = []
    if (this.#accounts.size > this.#cachedMax) this.#accounts.clear()
  }

  #change(account: MergedAccount): void {
    if (account.isWaiting) return
    account.isWaiting = true
    this.#waiting.push(account)
  }

  #find(number: AccountNumber): MergedAccount | undefined {
    const known = this.#accounts.get(number)
    if (known !== undefined) return known
    const row = this.#select.get(number)
    if (row === undefined) return undefined
    const account = newAccount(number, row)
    this.#accounts.set(number, account)
    return account
  }
}

function newAccount(number: AccountNumber, row: Row): MergedAccount {
  const [cash, held, lastEntry, lastMarket, lastNumber, lastUpdate, userSeq] = row
  const ends = { lastEntry, lastMarket, lastNumber, lastUpdate, userSeq }
  return { number, cash, held, ...ends, newOwner: undefined, isWaiting: false }
}
