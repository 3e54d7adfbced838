import type { OrderKey } from '../core/command.js'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber } from '../core/units.js'
import type { History } from '../shard/history.js'
import type { Busy } from './busy.js'
import type { Desk } from './desk.js'

/** A name stands for one order: asked again in the same words it is the same order, in others a refusal. */
export class OrderKeys {
  readonly #desk: Desk
  readonly #history: History
  /** Requests of one user under one name come one after the other. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor(desk: Desk, history: History) {
    this.#desk = desk
    this.#history = history
  }

  /**
   * Places an order where its name is new, else answers the order that has it.
   *
   * @param findOrder reads an order by its place
   */
  async once(
    userId: string,
    key: OrderKey,
    place: () => Promise<OrderRecord | Busy>,
    findOrder: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | undefined>,
  ): Promise<OrderRecord | Busy | 'key_used'> {
    const name = JSON.stringify([userId, key.name])
    for (let other = this.#underWay.get(name); other !== undefined; other = this.#underWay.get(name)) {
      await other
    }
    const done = this.#known(userId, key, findOrder).then(known => known ?? place())
    this.#underWay.set(name, done)
    try {
      return await done
    } finally {
      this.#underWay.delete(name)
    }
  }

  async #known(
    userId: string,
    key: OrderKey,
    findOrder: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | undefined>,
  ): Promise<OrderRecord | 'key_used' | undefined> {
    const account = this.#desk.users.accountOf(userId)
    const row = account && (await this.#history.ask('findOrderKey', account, key.name))
    if (row === undefined) return undefined
    return row.fingerprint === key.fingerprint ? findOrder(row.market, row.number) : 'key_used'
  }
}
