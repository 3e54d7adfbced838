import type { OrderKey } from '../core/command.js'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber } from '../core/units.js'
import type { History } from '../shard/history.js'
import type { ReadBusy } from '../shard/read-lane.js'
import type { Busy } from './busy.js'
import type { Desk } from './desk.js'
import { InTurn } from './in-turn.js'

/** A name stands for one order: asked again in the same words it is the same order, in others a refusal. */
export class OrderKeys {
  readonly #desk: Desk
  readonly #history: History
  /** Requests of one user under one name come one after the other. */
  readonly #inTurn = new InTurn()

  constructor(desk: Desk, history: History) {
    this.#desk = desk
    this.#history = history
  }

  /**
   * Places an order where its name is new, else answers the order that has it.
   *
   * @param findOrder reads an order by its place
   */
  once(
    userId: string,
    key: OrderKey,
    place: () => Promise<OrderRecord | Busy>,
    findOrder: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | ReadBusy | undefined>,
  ): Promise<OrderRecord | Busy | 'key_used'> {
    const name = JSON.stringify([userId, key.name])
    return this.#inTurn.run(name, async () => (await this.#known(userId, key, findOrder)) ?? place())
  }

  async #known(
    userId: string,
    key: OrderKey,
    findOrder: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | ReadBusy | undefined>,
  ): Promise<OrderRecord | ReadBusy | 'key_used' | undefined> {
    const account = this.#desk.users.accountOf(userId)
    const row = account && (await this.#history.ask('findOrderKey', account, key.name))
    if (row === undefined) return undefined
    return row.fingerprint === key.fingerprint ? findOrder(row.market, row.number) : 'key_used'
  }
}
