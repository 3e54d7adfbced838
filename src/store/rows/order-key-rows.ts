import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The order placed under an idempotency key, or the last one that an amendment made of it. */
export interface OrderKeyRow {
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly fingerprint: string
}

/** The table of order keys: one order per user and name, kept for ever. */
export class OrderKeyRows {
  readonly #select: Statement<OrderKeyRow>

  constructor(database: Database) {
    this.#select = database.prepare(
      'SELECT market, number, fingerprint FROM order_keys WHERE account = ? AND name = ?',
    )
  }

  find(account: AccountNumber, name: string): OrderKeyRow | undefined {
    return this.#select.get(account, name)
  }
}
