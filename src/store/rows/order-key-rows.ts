import type { CreateOrder } from '../../core/command.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The order placed under an idempotency key, or the last one that an amendment made of it. */
export interface OrderKeyRow {
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly fingerprint: string
}

/** Gives a name to another order of the same market: its number, then account and name. */
export const MOVE_NAME = 'UPDATE order_keys SET number = ? WHERE account = ? AND name = ?'

/** The table of order keys: one order per user and name, kept for ever. */
export class OrderKeyRows {
  readonly #insert: Statement
  readonly #move: Statement
  readonly #select: Statement<OrderKeyRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO order_keys VALUES (?, ?, ?, ?, ?)')
    this.#move = database.prepare(MOVE_NAME)
    this.#select = database.prepare(
      'SELECT market, number, fingerprint FROM order_keys WHERE account = ? AND name = ?',
    )
  }

  insert({ account, key, market, number }: CreateOrder): void {
    if (key !== undefined) this.#insert.run(account, key.name, key.fingerprint, market, number)
  }

  /** Lets a replacement go by the name of the order that it replaces. */
  move({ account, name, number }: CreateOrder): void {
    if (name !== undefined) this.#move.run(number, account, name)
  }

  find(account: AccountNumber, name: string): OrderKeyRow | undefined {
    return this.#select.get(account, name)
  }
}
