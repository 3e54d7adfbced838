import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../src/core/assert.js'
import { orderId } from '../../../src/core/order-record.js'
import type { AccountNumber } from '../../../src/core/units.js'
import type { Exchange } from '../../../src/exchange/exchange.js'
import { UpdatedUser } from '../../fixtures/updated-user.js'
import type { World } from '../world/world.js'

/**
 * Follows every user's private channel through all crashes: each continues after the last message received,
 * and knows its own state from messages alone.
 */
export class UserJudge {
  readonly #world: World
  readonly #users = new Map<string, UpdatedUser>()
  /** The last number announced to each user, before they read it. */
  readonly #announced = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  listen({ userChannel }: Exchange): void {
    for (const [userId, userSeq] of this.#announced) {
      assert(userChannel.userSeq(userId) >= userSeq, 'the number announced to a user never goes back')
    }
    userChannel.onMessages(userIds => {
      this.#world.assertJournalled()
      for (const userId of userIds) this.#announced.set(userId, userChannel.userSeq(userId))
    })
  }

  /** Checks, with nothing in flight, that the messages give the state in memory. */
  assertKnowThemselves(): void {
    const { exchange, branches } = this.#world
    const accounts = this.#world.rows<{ readonly number: AccountNumber; readonly owner: string }>(
      "SELECT number, owner FROM accounts WHERE owner LIKE 'user:%'",
    )
    for (const { number, owner } of accounts) {
      const userId = owner.slice('user:'.length)
      const user = this.#users.get(userId) ?? new UpdatedUser()
      this.#users.set(userId, user)
      branches.count('user far behind reads on in pages', this.#read(number, user, userId) > 1)
      const { balance, positions, orders } = exchange.userChannel.snapshot(userId)
      const money = balance?.cash === user.cash && balance.held === user.held
      assert(money, `${userId} received their balance`)
      const held = positions.map(({ market, contracts: { paid: _, ...rest } }) => ({ market, ...rest }))
      assert(isDeepStrictEqual(user.heldPositions(), held), `${userId} received their positions`)
      const open = orders.map(orderId).sort()
      assert(isDeepStrictEqual(user.openOrders(), open), `${userId} received their open orders`)
      for (const order of orders) {
        const told = user.orders.get(orderId(order))
        const known = { ...order, covered: told?.covered, arrival: told?.arrival }
        assert(isDeepStrictEqual(told, known), `${userId} received the current state of an order`)
      }
    }
  }

  /** Reads all new messages. Returns the number of pages. */
  #read(account: AccountNumber, user: UpdatedUser, userId: string): number {
    const last = this.#world.exchange.userChannel.userSeq(userId)
    for (let pages = 0; ; pages++) {
      const page = this.#world.tables().messages.after(account, user.userSeq, last)
      if (page.length === 0) {
        assert(user.userSeq === last, `${userId} received every message`)
        return pages
      }
      for (const message of page) user.take(message)
    }
  }
}
