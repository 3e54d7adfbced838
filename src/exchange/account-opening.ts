import type { OpenAccount } from '../core/command.js'
import type { AccountNumber, Amount, MarketCode } from '../core/units.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { Desk } from './desk.js'
import type { Sources } from './sources.js'

/** Opens new users' accounts with their play money, once each, however many first orders arrive together. */
export class AccountOpening {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #startingBalance: Amount
  readonly #ahead = new Map<string, Promise<AccountNumber>>()

  constructor(desk: Desk, shards: ShardPool, sources: Sources, startingBalance: Amount) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#startingBalance = startingBalance
  }

  /**
   * The user's account: at once where it is open, else when its opening is on disk. The opening is written by
   * the shard whose queue the caller has found to have room.
   */
  accountOf(
    userId: string,
    key: MarketCode | AccountNumber,
  ): AccountNumber | Promise<AccountNumber> | 'accounts_full' {
    const known = this.#desk.users.accountOf(userId) ?? this.#ahead.get(userId)
    if (known !== undefined) return known
    return this.#desk.ledger.mayPayIn(this.#startingBalance) ? this.#open(userId, key) : 'accounts_full'
  }

  #open(userId: string, key: MarketCode | AccountNumber): Promise<AccountNumber> {
    const account = this.#desk.users.takeNumber()
    this.#desk.ledger.payIn(this.#startingBalance)
    const id = this.#sources.messageId()
    const command: OpenAccount = { type: 'OPEN_ACCOUNT', id, account, userId, amount: this.#startingBalance }
    const opened = this.#shards.submit(key, command).then(() => {
      this.#ahead.delete(userId)
      return account
    })
    this.#ahead.set(userId, opened)
    return opened
  }
}
