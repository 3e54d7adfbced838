import { LIMITS } from '../../api/limits.js'
import type { HeldIn, UserMessage, UserSnapshot } from '../../core/records/user-message.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { UpdatedUser } from '../../shard/batch-runner.js'
import type { Desk } from '../desk.js'
import type { History } from './history.js'

/** The state of a user without an account. */
const NOTHING_YET: UserSnapshot = {
  ...{ userSeq: 0, balance: undefined },
  ...{ positions: [], hasMorePositions: false, orders: [], hasMoreOrders: false },
}

/**
 * The private channel of each user (specification 12). A user's present state comes from memory; everything
 * after it is read from disk, be it a year or a millisecond old. So live messages and replays take one path,
 * and nothing has to be kept for slow readers.
 */
export class PrivateChannels {
  readonly #desk: Desk
  readonly #history: History
  readonly #listeners: ((userIds: readonly string[]) => void)[] = []

  constructor(desk: Desk, history: History) {
    this.#desk = desk
    this.#history = history
  }

  /** Calls back after each batch with the users who have new messages. */
  onMessages(listener: (userIds: readonly string[]) => void): void {
    this.#listeners.push(listener)
  }

  /** Notifies listeners of users with new messages, after a committed batch was applied. */
  notify(users: readonly UpdatedUser[]): void {
    const userIds = users.map(([account, count]) => this.#desk.users.advance(account, count))
    for (const listener of this.#listeners) listener(userIds)
  }

  /** Returns the number of a user's last message; 0 if there is none. */
  userSeq(userId: string): number {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? 0 : this.#desk.users.userSeqOf(account)
  }

  /** Returns a user's contracts per market, the lowest codes first; empty for an unknown user. */
  positions(userId: string): HeldIn[] {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? [] : this.#heldIn(account, this.#desk.ledger.marketsOf(account))
  }

  #heldIn(account: AccountNumber, markets: readonly MarketCode[]): HeldIn[] {
    const { ledger } = this.#desk
    return markets.map(market => ({ market, contracts: ledger.contracts(market, account) }))
  }

  /** Returns an immutable snapshot of a user's state. */
  snapshot(userId: string): UserSnapshot {
    const { users, ledger, ownOrders } = this.#desk
    const { snapshotOrdersMax, snapshotPositionsMax } = LIMITS
    const account = users.accountOf(userId)
    if (account === undefined) return NOTHING_YET
    const markets = ledger.marketsOf(account)
    const newest = ownOrders.newest(account, snapshotOrdersMax + 1)
    return {
      userSeq: users.userSeqOf(account),
      balance: ledger.balance(account),
      positions: this.#heldIn(account, markets.slice(0, snapshotPositionsMax)),
      hasMorePositions: markets.length > snapshotPositionsMax,
      orders: newest.slice(0, snapshotOrdersMax).map(order => ({ ...order })),
      hasMoreOrders: newest.length > snapshotOrdersMax,
    }
  }

  /** Returns a bounded number of messages after the given one; empty if it was the last. */
  async messagesAfter(userId: string, userSeq: number): Promise<readonly UserMessage[]> {
    const account = this.#desk.users.accountOf(userId)
    const last = this.userSeq(userId)
    if (account === undefined || userSeq >= last) return []
    return this.#history.ask('userMessages', account, userSeq, last)
  }
}
