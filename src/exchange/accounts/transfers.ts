import { assert } from '../../core/assert.js'
import type { By, TransferDirection, TransferMoney } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { TransferRow } from '../../core/records/statement-record.js'
import type { AccountNumber, Amount } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import { KeyedMutex } from '../orders/keyed-mutex.js'
import type { Lookups } from '../reads/lookups.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { AccountOpening } from './account-opening.js'

/** A deposit or withdrawal. The operator chooses `txnId`; each one is applied once. */
export interface TransferRequest {
  readonly userId: string
  readonly direction: TransferDirection
  readonly amount: Amount
  readonly txnId: string
  readonly by?: By
  /** Set if the turn of a season makes it: others wait until the turn is over. */
  readonly isTurn?: true
}

/** Why a transfer is refused; nothing has changed. */
export type TransferRefusal =
  | { readonly refusal: 'user_unknown' | 'txn_id_used' }
  | { readonly refusal: 'funds_insufficient'; readonly available: Amount }

/**
 * Deposits and withdrawals, all written by the shard of the external account. A withdrawal is held as soon as
 * it is admitted; a deposit counts once it is committed. Past transfers are looked up in the table, so a
 * `txn_id` is remembered for ever.
 */
export class Transfers {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #lookups: Lookups
  readonly #accounts: AccountOpening
  readonly #sources: Sources
  /** Serialises requests with the same `txn_id`. */
  readonly #inTurn = new KeyedMutex()
  /** Committed transfers whose callers have no answer yet. */
  readonly #done = new Map<string, TransferRow>()

  constructor({ desk, shards, sources }: CommandParts, lookups: Lookups, accounts: AccountOpening) {
    this.#desk = desk
    this.#shards = shards
    this.#lookups = lookups
    this.#accounts = accounts
    this.#sources = sources
  }

  /** Records the transfers of a committed batch, before their callers get an answer. */
  committed(rows: readonly TransferRow[]): void {
    for (const row of rows) this.#done.set(row.txnId, row)
  }

  /** Makes a transfer, or returns the earlier one with the same `txnId`. */
  transfer(request: TransferRequest): Promise<TransferRow | TransferRefusal | CapacityRefusal> {
    return this.#inTurn.run(request.txnId, () => this.#transferOnce(request))
  }

  async #transferOnce(request: TransferRequest): Promise<TransferRow | TransferRefusal | CapacityRefusal> {
    const before = await this.#lookups.transfer(request.txnId)
    if (before !== undefined) return this.#isSame(before, request) ? before : { refusal: 'txn_id_used' }

    const refusal = this.#refusal(request)
    if (refusal !== undefined) return refusal
    const found = this.#accountOf(request)
    if (found === undefined) return { refusal: 'user_unknown' }
    if (typeof found === 'string') return found
    if (typeof found === 'object') {
      await found.opened
      const late = this.#refusal(request)
      if (late !== undefined) return late
    }
    const account = typeof found === 'object' ? found.account : found
    const refused = this.#reserve(request, account)
    if (refused !== undefined) return refused

    // After this point the money is held, or counted as pending, until the transfer is committed.
    const { direction, amount, txnId, by } = request
    const id = this.#sources.messageId()
    const moved = { id, txnId, direction, account, amount }
    const command: TransferMoney = { type: 'TRANSFER_MONEY', ...moved, ...signed(by) }
    await this.#shards.submit(EXTERNAL, command)
    const row = this.#done.get(txnId)
    assert(row !== undefined, 'a committed transfer has been recorded')
    this.#done.delete(txnId)
    return row
  }

  /** Returns why there is no room for a transfer now; in a season's turn, only its own are made. */
  #refusal({ isTurn }: TransferRequest): CapacityRefusal | undefined {
    const { growthRefusal, tradeRefusal } = this.#desk
    const refusal = isTurn ? growthRefusal : tradeRefusal
    return refusal ?? (this.#shards.isFull(EXTERNAL) ? 'queue_full' : undefined)
  }

  /** Returns the account of the user; a deposit opens one for a new user, a withdrawal does not. */
  #accountOf({ userId, direction }: TransferRequest) {
    return direction === 'deposit'
      ? this.#accounts.accountOf(userId, EXTERNAL)
      : this.#desk.users.accountOf(userId)
  }

  #reserve(
    { direction, amount }: TransferRequest,
    account: AccountNumber,
  ): TransferRefusal | CapacityRefusal | undefined {
    const { ledger } = this.#desk
    if (direction === 'deposit') {
      if (!ledger.canPayIn(amount)) return 'accounts_full'
      ledger.payIn(amount)
      return undefined
    }
    const { available } = ledger.balance(account)
    if (available < amount) return { refusal: 'funds_insufficient', available }
    ledger.hold(account, amount)
    return undefined
  }

  #isSame(row: TransferRow, { userId, direction, amount }: TransferRequest): boolean {
    return (
      row.account === this.#desk.users.accountOf(userId) &&
      row.direction === direction &&
      row.amount === amount
    )
  }
}
