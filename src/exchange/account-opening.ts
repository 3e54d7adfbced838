import type { OpenAccount } from '../core/command.js'
import { EXTERNAL } from '../core/ledger.js'
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
   * The user's account: at once where it is open, else when its opening is on disk. It is written by the
   * shard of the market that the user's first order is for.
   */
  accountOf(userId: string, market: MarketCode): AccountNumber | Promise<AccountNumber> | 'accounts_full' {
    const known = this.#desk.users.accountOf(userId) ?? this.#ahead.get(userId)
    if (known !== undefined) return known
    const paidIn = -this.#desk.ledger.balance(EXTERNAL).cash
    const ahead = this.#startingBalance * (this.#ahead.size + 1)
    return Number.isSafeInteger(paidIn + ahead) ? this.#open(userId, market) : 'accounts_full'
  }

  #open(userId: string, market: MarketCode): Promise<AccountNumber> {
    const account = this.#desk.users.takeNumber()
    const id = this.#sources.messageId()
    const command: OpenAccount = { type: 'OPEN_ACCOUNT', id, account, userId, amount: this.#startingBalance }
    const opened = this.#shards.submit(market, command).then(() => {
      this.#ahead.delete(userId)
      return account
    })
    this.#ahead.set(userId, opened)
    return opened
  }
}
