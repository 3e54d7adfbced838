import { assert } from '../core/assert.js'
import type { CreateOrder } from '../core/command.js'
import type { OrderChange } from '../core/engine-event.js'
import type { OrderRecord } from '../core/order-record.js'
import { newOrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber, TimeMs } from '../core/units.js'
import { userOwner } from './account-rows.js'
import type { Database, Statement } from './database.js'

const COLUMNS = `o.market, o.number, o.suffix, o.account, o.side, o.outcome, o.order_type AS orderType,
  o.self_trade AS selfTrade, o.price, o.quantity, o.asked, o.covered, o.filled, o.filled_value AS filledValue,
  o.state, o.reason, o.created_at AS createdAt, o.updated_at AS updatedAt, o.expires_at AS expiresAt,
  o.time_in_force AS timeInForce, o.post_only AS postOnly, o.reduce_only AS reduceOnly, o.client_key AS key,
  substr(a.owner, ${userOwner('').length + 1}) AS userId`

type OrderRow = Omit<OrderRecord, 'asked' | 'reason' | 'expiresAt' | 'postOnly' | 'reduceOnly' | 'key'> & {
  readonly asked: string | null
  readonly reason: OrderRecord['reason'] | null
  readonly expiresAt: TimeMs | null
  readonly postOnly: 0 | 1
  readonly reduceOnly: 0 | 1
  readonly key: string | null
}

/** The table of orders: one row each, written once when it arrives and once in each batch that changes it. */
export class OrderRows {
  readonly #insert: Statement
  readonly #update: Statement
  readonly #selectOne: Statement<OrderRow>
  readonly #selectLast: Statement<{ number: OrderNumber | null }>

  constructor(database: Database) {
    this.#insert = database.prepare(
      'INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#update = database.prepare(
      `UPDATE orders SET quantity = quantity - ?, filled = filled + ?, filled_value = filled_value + ?,
       covered = ?, state = coalesce(?, state), reason = ?, updated_at = ? WHERE market = ? AND number = ?`,
    )
    this.#selectOne = database.prepare(
      `SELECT ${COLUMNS} FROM orders o JOIN accounts a ON a.number = o.account
       WHERE o.market = ? AND o.number = ?`,
    )
    this.#selectLast = database.prepare('SELECT max(number) AS number FROM orders WHERE market = ?')
  }

  /** Writes an order that arrived in the batch, as it stands at the batch's end. */
  insert(command: CreateOrder, change: OrderChange, at: TimeMs): void {
    const order = newOrderRecord(command, at)
    this.#insert.run(
      order.market,
      order.number,
      order.suffix,
      order.account,
      order.side,
      order.outcome,
      order.orderType,
      order.selfTrade,
      order.price,
      order.quantity - change.reduced,
      order.asked === undefined ? null : JSON.stringify(order.asked),
      change.covered,
      change.filled,
      change.filledValue,
      change.state,
      change.reason ?? null,
      at,
      at,
      order.expiresAt ?? null,
      order.timeInForce,
      Number(order.postOnly),
      Number(order.reduceOnly),
      order.key ?? null,
    )
  }

  /** Writes what a batch did to an order that was there before. */
  update(change: OrderChange, at: TimeMs): void {
    const { reduced, filled, filledValue, covered, state, reason, market, number } = change
    const { changes } = this.#update.run(
      reduced,
      filled,
      filledValue,
      covered,
      state ?? null,
      reason ?? null,
      at,
      market,
      number,
    )
    assert(changes === 1, 'an order that changes exists')
  }

  find(market: MarketCode, number: OrderNumber): OrderRecord | undefined {
    const row = this.#selectOne.get(market, number)
    return row === undefined ? undefined : fromRow(row)
  }

  /** The number of the last order that arrived, 0 where none has. */
  lastNumber(market: MarketCode): OrderNumber {
    return this.#selectLast.get(market)?.number ?? (0 as OrderNumber)
  }
}

function fromRow(row: OrderRow): OrderRecord {
  const asked = row.asked === null ? undefined : (JSON.parse(row.asked) as OrderRecord['asked'])
  return {
    ...row,
    asked,
    reason: row.reason ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
    postOnly: row.postOnly === 1,
    reduceOnly: row.reduceOnly === 1,
    key: row.key ?? undefined,
  }
}
