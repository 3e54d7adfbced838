import type { CreateOrder } from '../../core/command.js'
import type { NamedAmendment } from '../../core/named-amendment.js'
import type { BatchKey } from '../../core/order-names.js'
import type { Database, Statement } from '../database.js'
import { WHOLE_BATCH } from '../rows/batch-key-rows.js'
import { RowBuffer } from './row-buffer.js'
import type { Arrival } from './taken-batch.js'

/** The idempotency keys of orders and batches. */
export class MergedKeys {
  readonly #orders: RowBuffer
  readonly #batches: RowBuffer
  readonly #move: Statement
  #moves: CreateOrder[] = []

  constructor(database: Database) {
    this.#orders = new RowBuffer(database, 'order_keys', { width: 5 })
    this.#batches = new RowBuffer(database, 'batch_keys', { width: 5 })
    this.#move = database.prepare('UPDATE order_keys SET number = ? WHERE account = ? AND name = ?')
  }

  addBatch({ name, fingerprint }: BatchKey): void {
    this.#batches.add(WHOLE_BATCH, name, fingerprint, null, null)
  }

  addAmendment({ index, name, fingerprint, market, number }: NamedAmendment): void {
    this.#batches.add(index, name, fingerprint, market, number)
  }

  addOrder({ account, market, number, key, batch }: Arrival): void {
    if (key !== undefined) this.#orders.add(account, key.name, key.fingerprint, market, number)
    if (batch !== undefined) this.#batches.add(batch.index, batch.name, batch.fingerprint, market, number)
  }

  /** Lets a replacement go by the name of the order that it replaces. */
  move(replacement: CreateOrder): void {
    this.#moves.push(replacement)
  }

  flush(): void {
    this.#orders.flush()
    for (const { account, name, number } of this.#moves) this.#move.run(number, account, name)
    this.#moves = []
    this.#batches.flush()
  }
}
