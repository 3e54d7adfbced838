import { assert } from '../../core/assert.js'
import type { OrderChange } from '../../core/engine-event.js'
import { isOpen } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Amount, MarketCode, OrderNumber, QuantityLots, TimeMs } from '../../core/units.js'
import { amount, lots, NO_LOTS, NOTHING } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { FixedCells, StoredProgress } from '../rows/order-columns.js'
import { ORDER_COLUMNS, PROGRESS_COLUMNS, progressCells } from '../rows/order-columns.js'
import { MarketCache } from './market-cache.js'
import { RowBuffer } from './row-buffer.js'
import type { Arrival } from './taken-batch.js'

/** An order as of the last batch taken. */
export type MergedOrder = { -readonly [Field in keyof StoredProgress]: StoredProgress[Field] } & {
  readonly market: MarketCode
  readonly number: OrderNumber
  covered: QuantityLots
  feeCredit: number
  updatedAt: TimeMs
  /** The cells that never change; of an order that is not in the table yet. */
  arrival: FixedCells | undefined
  /** The user's order before it. */
  readonly previousMarket: MarketCode | null
  readonly previousNumber: OrderNumber | null
  isWaiting: boolean
}

type Row = [OrderRecord['state'], QuantityLots, QuantityLots, Amount, Amount]

/** A change sets what is not read from the table. */
const NEVER = 0 as TimeMs

/** The orders that batches change; each is written once per flush. */
export class MergedOrders {
  readonly #select: Statement<Row>
  readonly #update: Statement
  readonly #inserts: RowBuffer
  readonly #orders: MarketCache<OrderNumber, MergedOrder>
  #waiting: MergedOrder[] = []

  constructor(database: Database, cachedMax: number) {
    this.#orders = new MarketCache(cachedMax)
    this.#select = database
      .prepare<unknown[], Row>(
        'SELECT state, quantity, filled, filled_value, fee_paid FROM orders WHERE market = ? AND number = ?',
      )
      .raw()
    this.#update = database.prepare(
      `UPDATE orders SET ${PROGRESS_COLUMNS.map(column => `${column} = ?`).join(', ')}
       WHERE market = ? AND number = ?`,
    )
    const width = ORDER_COLUMNS.length
    this.#inserts = new RowBuffer(database, `orders (${ORDER_COLUMNS.join(', ')})`, { width })
  }

  /** Adds an order that arrived; the batch's change to it follows. */
  arrive(
    { market, number, quantity, fixed }: Arrival,
    previousMarket: MarketCode | null,
    previousNumber: OrderNumber | null,
    at: TimeMs,
  ): void {
    this.#orders.add(market, number, {
      market,
      number,
      state: 'queued',
      reason: null,
      quantity,
      filled: NO_LOTS,
      filledValue: NOTHING,
      feePaid: NOTHING,
      feeCredit: 0,
      covered: NO_LOTS,
      updatedAt: at,
      arrival: fixed,
      previousMarket,
      previousNumber,
      isWaiting: false,
    })
  }

  /** Applies a batch's change; throws where the table's CHECK would. */
  apply(change: OrderChange, at: TimeMs): void {
    const order = this.find(change.market, change.number)
    order.quantity = lots(order.quantity - change.reduced)
    order.filled = lots(order.filled + change.filled)
    order.filledValue = amount(order.filledValue + change.filledValue)
    order.feePaid = amount(order.feePaid + change.fee)
    order.feeCredit = change.feeCredit
    order.covered = change.covered
    order.state = change.state ?? order.state
    order.reason = change.reason ?? null
    order.updatedAt = at
    assert(order.filled <= order.quantity, 'an order is filled up to its quantity')
    if (!order.isWaiting) this.#waiting.push(order)
    order.isWaiting = true
  }

  find(market: MarketCode, number: OrderNumber): MergedOrder {
    const known = this.#orders.get(market, number)
    if (known !== undefined) return known
    const row = this.#select.get(market, number)
    assert(row !== undefined, 'an order that changes exists')
    const [state, quantity, filled, filledValue, feePaid] = row
    const order: MergedOrder = {
      market,
      number,
      state,
      reason: null,
      quantity,
      filled,
      filledValue,
      feePaid,
      feeCredit: 0,
      covered: NO_LOTS,
      updatedAt: NEVER,
      arrival: undefined,
      previousMarket: null,
      previousNumber: null,
      isWaiting: false,
    }
    this.#orders.add(market, number, order)
    return order
  }

  /**
   * Writes the orders that wait, in the order of the table: each of its pages is then done with before the
   * next, and SQLite writes none twice, however many there are. Forgets those that ended: they never change
   * again.
   */
  flush(): void {
    this.#waiting.sort((one, other) => one.market - other.market || one.number - other.number)
    for (const order of this.#waiting) {
      const { market, number, state } = order
      if (order.arrival !== undefined) {
        this.#insert(order, order.arrival)
        this.#inserts.flushFull()
      } else {
        const { changes } = this.#update.run(...progressCells(order), market, number)
        assert(changes === 1, 'an order that changes exists')
      }
      order.arrival = undefined
      order.isWaiting = false
      if (!isOpen(state)) this.#orders.delete(market, number)
    }
    this.#inserts.flush()
    this.#waiting = []
    this.#orders.trim()
  }

  #insert(order: MergedOrder, fixed: FixedCells): void {
    const { market, number, previousMarket, previousNumber } = order
    this.#inserts.add(market, number, ...fixed, ...progressCells(order), previousMarket, previousNumber)
  }
}
