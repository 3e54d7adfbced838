import type { CreateOrder } from '../../core/command.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The order placed under an idempotency key. */
export interface OrderKeyRow {
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly fingerprint: string
}

/** The table of order keys: one order per user and name, kept for ever. */
export class OrderKeyRows {
  readonly #insert: Statement
  readonly #select: Statement<OrderKeyRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO order_keys VALUES (?, ?, ?, ?, ?)')
    this.#select = database.prepare(
      'SELECT market, number, fingerprint FROM order_keys WHERE account = ? AND name = ?',
    )
  }

  insert({ account, key, market, number }: CreateOrder): void {
    if (key !== undefined) this.#insert.run(account, key.name, key.fingerprint, market, number)
  }

  find(account: AccountNumber, name: string): OrderKeyRow | undefined {
    return this.#select.get(account, name)
  }
}
