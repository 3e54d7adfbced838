import { assert } from '../core/assert.js'
import type { CreateOrder } from '../core/command.js'
import type { OrderChange } from '../core/engine-event.js'
import type { RestingOrder } from '../core/order-book.js'
import type { OrderRecord } from '../core/order-record.js'
import { newOrderRecord } from '../core/order-record.js'
import type { MarketCode, OrderNumber, TimeMs } from '../core/units.js'
import { userOwner } from './account-rows.js'
import type { Database, Statement } from './database.js'

const OPEN = "state IN ('resting', 'partially_filled')"
const COLUMNS = `o.market, o.number, o.suffix, o.account, o.side, o.outcome, o.order_type AS orderType,
  o.self_trade AS selfTrade, o.price, o.quantity, o.asked, o.covered, o.filled, o.filled_value AS filledValue,
  o.state, o.reason, o.created_at AS createdAt, o.updated_at AS updatedAt, o.expires_at AS expiresAt,
  substr(a.owner, ${userOwner('').length + 1}) AS userId`

type OrderRow = Omit<OrderRecord, 'asked' | 'reason' | 'expiresAt'> & {
  readonly asked: string | null
  readonly reason: OrderRecord['reason'] | null
  readonly expiresAt: TimeMs | null
}

/** The table of orders: one row each, written once when it arrives and once in each batch that changes it. */
export class OrderRows {
  readonly #insert: Statement
  readonly #update: Statement
  readonly #selectOne: Statement<OrderRow>
  readonly #selectOpen: Statement<OrderRow>
  readonly #selectResting: Statement<RestingOrder>
  readonly #selectLast: Statement<{ number: OrderNumber | null }>

  constructor(database: Database) {
    this.#insert = database.prepare(
      'INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#update = database.prepare(
      `UPDATE orders SET filled = filled + ?, filled_value = filled_value + ?, covered = ?, state = ?,
       reason = ?, updated_at = ? WHERE market = ? AND number = ?`,
    )
    const from = `SELECT ${COLUMNS} FROM orders o JOIN accounts a ON a.number = o.account WHERE o.market = ?`
    this.#selectOne = database.prepare(`${from} AND o.number = ?`)
    this.#selectOpen = database.prepare(`${from} AND ${OPEN} ORDER BY o.number`)
    this.#selectResting = database.prepare(
      `SELECT number, account AS owner, side, price, quantity - filled AS lots, covered FROM orders
       WHERE market = ? AND ${OPEN} ORDER BY number`,
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
      order.quantity,
      order.asked === undefined ? null : JSON.stringify(order.asked),
      change.covered,
      change.filled,
      change.filledValue,
      change.state,
      change.reason ?? null,
      at,
      at,
      order.expiresAt ?? null,
    )
  }

  /** Writes what a batch did to an order that was there before. */
  update(change: OrderChange, at: TimeMs): void {
    const { filled, filledValue, covered, state, reason, market, number } = change
    const { changes } = this.#update.run(
      filled,
      filledValue,
      covered,
      state,
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

  /** The open orders of a market, in the order of arrival. */
  *open(market: MarketCode): Generator<OrderRecord> {
    for (const row of this.#selectOpen.iterate(market)) yield fromRow(row)
  }

  /** The same as the book needs them. */
  resting(market: MarketCode): IterableIterator<RestingOrder> {
    return this.#selectResting.iterate(market)
  }

  /** The number of the last order that arrived, 0 where none has. */
  lastNumber(market: MarketCode): OrderNumber {
    return this.#selectLast.get(market)?.number ?? (0 as OrderNumber)
  }
}

function fromRow(row: OrderRow): OrderRecord {
  const asked = row.asked === null ? undefined : (JSON.parse(row.asked) as OrderRecord['asked'])
  return { ...row, asked, reason: row.reason ?? undefined, expiresAt: row.expiresAt ?? undefined }
}
