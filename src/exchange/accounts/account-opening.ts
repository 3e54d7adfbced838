import type { OpenAccount } from '../../core/command.js'
import { skeletonOf } from '../../core/plain-name.js'
import type { AccountNumber, Amount, MarketCode } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { Sources } from '../sources.js'

/** An account whose opening is not committed yet. */
export interface Opening {
  readonly account: AccountNumber
  /** The market or account whose shard writes it. */
  readonly key: MarketCode | AccountNumber
  /** Resolves when it is committed. */
  readonly opened: Promise<void>
}

/**
 * Opens new users' accounts with their play money, once each, even if several first orders arrive together.
 */
export class AccountOpening {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #startingBalance: Amount
  readonly #ahead = new Map<string, Opening>()

  constructor({ desk, shards, sources }: CommandParts, startingBalance: Amount) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#startingBalance = startingBalance
  }

  /** The money of a user whose account is opened now. */
  get balance(): Amount {
    return this.#desk.seasons.openingBalance(this.#sources.now(), this.#startingBalance)
  }

  /**
   * Returns the user's account; opens it at the given shard if the user is new. Returns a number if the
   * account is open or that same shard is opening it: commands queued there from now on find it open. Returns
   * an `Opening` if another shard is opening it: the caller must wait until it is committed.
   */
  accountOf(userId: string, key: MarketCode | AccountNumber): AccountNumber | Opening | CapacityRefusal {
    const known = this.#desk.users.accountOf(userId)
    if (known !== undefined) return known
    const ahead = this.#ahead.get(userId)
    if (ahead !== undefined) return this.#shards.isSameShard(ahead.key, key) ? ahead.account : ahead
    if (this.#shards.isFull(key)) return 'queue_full'
    if (!this.#desk.ledger.canPayIn(this.balance)) return 'accounts_full'
    if (this.#isTaken(userId)) return 'user_id_taken'
    return this.#open(userId, key)
  }

  /** Returns the number of the user's account, committed or not. */
  numberOf(userId: string): AccountNumber | undefined {
    return this.#desk.users.accountOf(userId) ?? this.#ahead.get(userId)?.account
  }

  /** Returns true if another user's name differs from this one only in invisible characters. */
  #isTaken(userId: string): boolean {
    const { users } = this.#desk
    if (users.isLikeJoined(userId)) return true
    const skeleton = skeletonOf(userId)
    return skeleton !== userId && this.numberOf(skeleton) !== undefined
  }

  #open(userId: string, key: MarketCode | AccountNumber): AccountNumber {
    const account = this.#desk.users.takeNumber()
    this.#desk.users.noteName(userId)
    const amount = this.balance
    this.#desk.ledger.openPending(account, amount)
    const id = this.#sources.messageId()
    const command: OpenAccount = { type: 'OPEN_ACCOUNT', id, account, userId, amount }
    const opened = this.#shards.submit(key, command).then(() => {
      this.#ahead.delete(userId)
    })
    this.#ahead.set(userId, { account, key, opened })
    return account
  }
}
