import { assert } from '../../../src/core/assert.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import { orderId } from '../../../src/core/order-record.js'
import type { OrderJudge } from '../judges/order-judge.js'
import { assertGoesOn } from '../judges/order-judge.js'
import type { TransferJudge } from '../judges/transfer-judge.js'
import type { World } from './world.js'

/** More rows than a user has in a seed. */
const LENGTH_MAX = 2000
const ALWAYS = { from: undefined, to: undefined }

/** The judges of the answers that a list must show. */
interface Judges {
  readonly orders: OrderJudge
  readonly transfers: TransferJudge
}

/** Takes the answer to a request once it comes. */
export type Hear = <Answer>(answer: Promise<Answer>, take: (answer: Answer) => void) => void

/** Reads lists, which must show whatever was answered before the request (invariants, I15). */
export class Listings {
  readonly #world: World
  readonly #judges: Judges
  readonly #hear: Hear

  constructor(world: World, judges: Judges, hear: Hear) {
    this.#world = world
    this.#judges = judges
    this.#hear = hear
  }

  /**
   * Reads a user's orders, as they were when asked for or later. The clock may jump while the read waits for
   * the tables: then it is refused.
   */
  orders(userId: string): void {
    const { exchange, branches, machine } = this.#world
    const { orders } = this.#judges
    const told = new Map<string, OrderRecord>()
    for (const id of orders.ids) {
      const order = orders.last(id)
      if (order?.userId === userId) told.set(id, order)
    }
    const wasBehind = machine.isBehind
    const filter = { market: undefined, state: undefined, ...ALWAYS }
    this.#hear(exchange.archive.orders(userId, filter, undefined, LENGTH_MAX), page => {
      if (typeof page === 'string') return
      assert(page !== undefined || told.size === 0, 'a user with an answered order has an account')
      for (const order of page?.rows ?? []) {
        const before = told.get(orderId(order))
        if (before !== undefined) assertGoesOn(before, order)
        told.delete(orderId(order))
      }
      assert(told.size === 0, `a list shows every answered order: ${[...told.keys()].join(' ')}`)
      branches.count('list shows what was answered while the tables were behind', wasBehind)
    })
  }

  /** Reads a user's statement. */
  statement(userId: string): void {
    const told = new Set(this.#judges.transfers.doneOf(userId))
    const { archive } = this.#world.exchange
    this.#hear(archive.statement(userId, ALWAYS, undefined, LENGTH_MAX), page => {
      if (typeof page === 'string') return
      for (const { txnId } of page?.rows ?? []) if (typeof txnId === 'string') told.delete(txnId)
      assert(told.size === 0, `a statement shows every answered transfer: ${[...told].join(' ')}`)
    })
  }
}
