import type { CashEntry } from '../../core/postings.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import type { TimeMs } from '../../core/units.js'
import type { ExpectedRows } from '../stored/expected-rows.js'

/** An account as recorded by the journal. */
export interface ShadowAccount {
  readonly owner: string
  cash: number
  held: number
  /** The cash by the lines of its statement. */
  entered: number
  /** Deposits and forgiven debts, less withdrawals. */
  broughtIn: number
  /** Latest rows of the account. */
  lastEntry: number | undefined
  lastMarket: number | undefined
  lastNumber: number | undefined
}

export function followAccount(owner: string): ShadowAccount {
  const last = { lastEntry: undefined, lastMarket: undefined, lastNumber: undefined }
  return { owner, cash: 0, held: 0, entered: 0, broughtIn: 0, ...last }
}

/** The lines of all statements: each line refers to the previous one of its account. */
export class ShadowStatements {
  readonly #rows: ExpectedRows
  #lastId = 0

  constructor(rows: ExpectedRows) {
    this.#rows = rows
  }

  add(account: ShadowAccount, entry: CashEntry, place: EntryPlace, at: TimeMs): void {
    this.#lastId++
    const link = { id: this.#lastId, previous: account.lastEntry ?? null }
    account.lastEntry = this.#lastId
    this.#rows.entry(link, entry, place, at, account.entered)
  }
}
