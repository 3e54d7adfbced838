import { assert } from '../../core/assert.js'
import type { CashEntry } from '../../core/postings.js'
import type { AccountNumber } from '../../core/units.js'
import type { Database } from '../database.js'
import type { BatchPlace } from '../journal.js'
import { lastIdIn } from '../rows/last-id.js'
import type { MergedAccounts } from './merged-accounts.js'
import { RowBuffer } from './row-buffer.js'

/** Statement lines, and the deposits and withdrawals among them. */
export class MergedEntries {
  readonly #accounts: MergedAccounts
  readonly #rows: RowBuffer
  readonly #transfers: RowBuffer
  #lastId: number

  constructor(database: Database, accounts: MergedAccounts) {
    this.#accounts = accounts
    this.#rows = new RowBuffer(database, 'entries', { width: 14 })
    this.#transfers = new RowBuffer(database, 'transfers', { width: 6 })
    this.#lastId = lastIdIn(database, 'entries')()
  }

  /** Adds a batch's lines, after its postings; throws where the tables' CHECKs would. */
  add(entries: readonly CashEntry[], { sequence, at }: BatchPlace): void {
    const afters = this.#cashAfterEach(entries)
    for (const [line, entry] of entries.entries()) {
      const { account: number, kind, change, market = null, order = null, trade = null, txnId, fee } = entry
      const cash = afters[line] as number
      assert(cash >= 0, 'a statement never shows a debt')
      const account = this.#accounts.changing(number)
      const { lastEntry: previous } = account
      this.#lastId++
      account.lastEntry = this.#lastId
      const origin = [market, order, trade, txnId ?? null, fee ?? 0] as const
      this.#rows.add(this.#lastId, number, previous, sequence, line, at, kind, change, cash, ...origin)
      if (txnId === undefined) continue
      assert(change !== 0, 'a transfer moves money')
      this.#transfers.add(txnId, number, kind, Math.abs(change), cash, at)
    }
  }

  flush(): void {
    this.#rows.flush()
    this.#transfers.flush()
  }

  /** Returns the account's cash after each line, worked backwards from the batch's end. */
  #cashAfterEach(entries: readonly CashEntry[]): number[] {
    const cash = new Map<AccountNumber, number>()
    const afters = entries.map(() => 0)
    for (let line = entries.length - 1; line >= 0; line--) {
      const { account, change } = entries[line] as CashEntry
      const after = cash.get(account) ?? this.#accounts.changing(account).cash
      afters[line] = after
      cash.set(account, after - change)
    }
    return afters
  }
}
