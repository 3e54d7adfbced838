import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../src/core/assert.js'
import { isOpen } from '../../src/core/order.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../src/core/units.js'
import type { OrderRequest } from '../../src/exchange/admission.js'

/** What clients were told of their orders: no later answer and no crash may take any of it back. */
export class OrdersTold {
  /** Every id that a client knows, the oldest first. */
  readonly ids: string[] = []
  readonly #last = new Map<string, OrderRecord>()
  /** Orders that had ended, and were found so on disk after a start. */
  readonly #ended = new Set<string>()
  readonly #numbers = new Set<string>()
  readonly #accounts = new Map<string, AccountNumber>()

  /** A 201: the order is decided, is the one that was asked for, and its id is new. */
  placed(request: OrderRequest, order: OrderRecord): void {
    const id = orderId(order)
    assert(!this.#numbers.has(`${order.market} ${order.number}`), 'an order number is given once')
    this.#numbers.add(`${order.market} ${order.number}`)
    this.ids.push(id)
    for (const key of ['market', 'userId', 'side', 'orderType', 'selfTrade', 'outcome'] as const)
      assert(order[key] === request[key], `an order keeps what was asked for: ${key}`)
    assert(order.expiresAt === request.expiresAt, 'an order keeps its date')
    const account = this.#accounts.get(order.userId) ?? order.account
    assert(account === order.account, 'a user has one account')
    this.#accounts.set(order.userId, account)
    this.seen(order)
  }

  /** The order as it was shown again, or is on disk: it can only have gone on from where it was. */
  seen(order: OrderRecord): void {
    const id = orderId(order)
    const before = this.#last.get(id)
    if (before !== undefined) assertGoesOn(before, order)
    assert(order.filled >= 0 && order.filled <= order.quantity, 'an order fills up to its quantity')
    assert(order.state !== 'filled' || order.filled === order.quantity, 'filled means all of it')
    assert(!isOpen(order.state) || order.filled < order.quantity, 'something is left of an open order')
    this.#last.set(id, { ...order })
  }

  /** The last that a client heard of an order. */
  last(id: string): OrderRecord | undefined {
    return this.#last.get(id)
  }

  /** What was told since the last start, or may have gone on since then, is still so; or all that ever was. */
  assertKept(
    find: (market: MarketCode, number: OrderNumber) => OrderRecord | undefined,
    isAll = false,
  ): void {
    for (const [id, told] of this.#last) {
      if (this.#ended.has(id) && !isAll) continue
      const order = find(told.market, told.number)
      assert(order !== undefined, `an answered order is on disk: ${id}`)
      this.seen(order)
      if (!isOpen(order.state)) this.#ended.add(id)
    }
  }
}

const FIXED = [
  'market',
  'number',
  'suffix',
  'account',
  'userId',
  'side',
  'outcome',
  'orderType',
  'selfTrade',
  'price',
  'quantity',
  'expiresAt',
  'createdAt',
] as const

function assertGoesOn(before: OrderRecord, after: OrderRecord): void {
  const id = orderId(before)
  for (const key of FIXED) assert(before[key] === after[key], `an order keeps its ${key}: ${id}`)
  assert(after.updatedAt >= before.updatedAt, `an order's time never goes back: ${id}`)
  assert(after.filled >= before.filled, `a fill is never taken back: ${id}`)
  assert(after.filledValue >= before.filledValue, `what a fill cost is never taken back: ${id}`)
  if (isOpen(before.state)) return
  const differs = `an order never changes after its end: ${id} ${before.state} ${after.state}`
  assert(isDeepStrictEqual(before, { ...after }), differs)
}
