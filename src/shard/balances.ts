import { assert } from '../core/assert.js'
import type { Command } from '../core/command.js'
import type { BatchOutcome } from '../core/engine-event.js'
import { escrowsOf } from '../core/command-effects.js'
import { EXTERNAL, FEES, HOUSE } from '../core/ledger.js'
import type { AccountNumber } from '../core/units.js'

/** Cash, hold, and 1 for an account that exists: 8 bytes each. */
const CELLS = 3
const ACCOUNT_BYTES = CELLS * Float64Array.BYTES_PER_ELEMENT
const ACCOUNTS_FIRST = 4096
/** The accounts of every exchange. */
const FOUNDERS = [EXTERNAL, FEES, HOUSE]
/** Reserved addresses, not memory: pages are taken as accounts are opened. */
const ACCOUNTS_MAX = 2 ** 26

/**
 * Cash and holds of all accounts as of the journal's end, in memory that all shards share; changed under the
 * write lock only. Each shard checks a batch here before it commits: no account but `external` goes below
 * zero or holds more than its cash (invariants, I2). The tables have the same rules as CHECKs, but they are
 * written after the commit.
 */
export class Balances {
  readonly memory: SharedArrayBuffer
  /** Grows with the memory. */
  readonly #cells: Float64Array

  constructor(memory?: SharedArrayBuffer) {
    this.memory =
      memory ??
      new SharedArrayBuffer(ACCOUNTS_FIRST * ACCOUNT_BYTES, { maxByteLength: ACCOUNTS_MAX * ACCOUNT_BYTES })
    this.#cells = new Float64Array(this.memory)
    if (memory === undefined) for (const account of FOUNDERS) this.set(account, 0, 0)
  }

  /** Sets a stored account; before any batch. */
  set(account: AccountNumber, cash: number, held: number): void {
    this.#growTo(account)
    const at = account * CELLS
    this.#cells[at] = cash
    this.#cells[at + 1] = held
    this.#cells[at + 2] = 1
  }

  /** Asserts what a batch does to cash and holds, line by line and as a whole, and posts it. */
  post(
    commands: readonly Command[],
    { accounts, entries }: Pick<BatchOutcome, 'accounts' | 'entries'>,
  ): void {
    for (const command of commands) {
      if (command.type === 'OPEN_ACCOUNT' || command.type === 'FUND_QUOTES') this.#open(command.account)
      else for (const [escrow] of escrowsOf(command)) this.#open(escrow)
    }
    this.#assertLines(entries)
    for (const { account, cash, held } of accounts) {
      const at = account * CELLS
      assert(
        this.#cells[at + 2] === 1,
        () => `money moves between accounts that exist, not to account ${account}`,
      )
      const cashAfter = (this.#cells[at] as number) + cash
      const heldAfter = (this.#cells[at + 1] as number) + held
      const isInBounds = 0 <= heldAfter && heldAfter <= cashAfter && Number.isSafeInteger(cashAfter)
      const isFine = account === EXTERNAL || isInBounds
      assert(isFine, () => `account ${account} holds ${heldAfter} of ${cashAfter}`)
      this.#cells[at] = cashAfter
      this.#cells[at + 1] = heldAfter
    }
  }

  /** No statement line leaves its account below zero, even if a later one of the batch brings money. */
  #assertLines(entries: BatchOutcome['entries']): void {
    const changed = new Map<AccountNumber, number>()
    for (const { account, change } of entries) {
      const sum = (changed.get(account) ?? 0) + change
      changed.set(account, sum)
      const before = this.#cells[account * CELLS] ?? 0
      assert(before + sum >= 0, () => `a statement line leaves account ${account} with ${before + sum}`)
    }
  }

  #open(account: AccountNumber): void {
    this.#growTo(account)
    assert(this.#cells[account * CELLS + 2] === 0, () => `account ${account} is opened once`)
    this.#cells[account * CELLS + 2] = 1
  }

  #growTo(account: AccountNumber): void {
    const bytes = (account + 1) * ACCOUNT_BYTES
    if (bytes <= this.memory.byteLength) return
    assert(account < ACCOUNTS_MAX, 'an account number is below 2^26')
    this.memory.grow(Math.min(Math.max(bytes, this.memory.byteLength * 2), ACCOUNTS_MAX * ACCOUNT_BYTES))
  }
}
