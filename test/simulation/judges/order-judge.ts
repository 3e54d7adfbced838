import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../src/core/assert.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import { orderId } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../../src/core/units.js'
import { LOTS_PER_CONTRACT } from '../../../src/core/units.js'
import type { QuotesRequest } from '../../../src/exchange/orders/order-quotes.js'

/** Checks that no later answer and no crash takes back an answer about an order. */
export class OrderJudge {
  /** Every order id known to a client, oldest first. */
  readonly ids: string[] = []
  readonly #last = new Map<string, OrderRecord>()
  /** Ended orders already checked on disk after a start. */
  readonly #ended = new Set<string>()
  readonly #numbers = new Set<string>()
  readonly #accounts = new Map<string, AccountNumber>()
  /** The reduced quantities requested by the client, in lots, by id. */
  readonly #smaller = new Map<string, Set<number>>()

  /** The open quantities requested for quotes, in lots, by user, market and set. */
  readonly #quoted = new Map<string, Set<number>>()

  /** Checks a 201: the order is decided, matches its request, and has a new id. */
  placed(request: OrderRequest, order: OrderRecord): void {
    this.#isNew(order)
    this.asAsked(request, order)
    this.seen(order)
  }

  /** Checks that an order matches its request, however old. */
  asAsked(request: OrderRequest, order: OrderRecord): void {
    for (const key of ['market', 'userId', 'side', 'orderType', 'selfTrade', 'outcome'] as const)
      assert(order[key] === request[key], `an order matches its request: ${key}`)
    assert(order.expiresAt === request.expiresAt, 'an order keeps its expiry')
    assert(order.postOnly === (request.postOnly ?? false), 'an order keeps its post-only flag')
    assert(order.reduceOnly === (request.reduceOnly ?? false), 'an order keeps its reduce-only flag')
    assert(order.key === request.key?.name, 'an order keeps its key')
    const { timeInForce } = request
    assert(timeInForce === undefined || order.timeInForce === timeInForce, 'an order keeps its time in force')
    assert(!isOpen(order.state) || waits(order), 'an immediate order never rests')
    const isWhole = order.filled === 0 || order.filled === order.quantity
    assert(order.timeInForce !== 'FOK' || isWhole, 'a fill-or-kill order fills whole or not at all')
    const account = this.#accounts.get(order.userId) ?? order.account
    assert(account === order.account, 'a user has one account')
    this.#accounts.set(order.userId, account)
  }

  /** Records a requested reduction, in lots, which may or may not be applied. */
  askedForLess(id: string, total: number): void {
    const asked = this.#smaller.get(id)
    if (asked === undefined) this.#smaller.set(id, new Set([total]))
    else asked.add(total)
  }

  /** Records requested quotes, which may make others of their set smaller. */
  askedToQuote({ userId, market, set, quotes }: QuotesRequest): void {
    const name = `${userId} ${market} ${set}`
    const sizes = this.#quoted.get(name) ?? new Set()
    for (const { quantity } of quotes) sizes.add(Math.round(quantity * LOTS_PER_CONTRACT))
    this.#quoted.set(name, sizes)
  }

  /** Checks that a replacement equals the old order except for the amended fields. */
  replaced(old: OrderRecord, order: OrderRecord): void {
    this.#isNew(order)
    for (const key of LIKE_THE_OLD) assert(order[key] === old[key], `a new order keeps the old one's ${key}`)
    this.seen(order)
  }

  /** Checks an order shown again or read from disk: it can only have advanced. */
  seen(order: OrderRecord): void {
    const id = orderId(order)
    const before = this.#last.get(id)
    if (before !== undefined) assertGoesOn(before, order)
    if (before !== undefined) this.#assertQuantity(before, order)
    assert(order.filled >= 0 && order.filled <= order.quantity, 'an order fills up to its quantity')
    assert(order.state !== 'filled' || order.filled === order.quantity, 'a filled order is completely filled')
    assert(!isOpen(order.state) || order.filled < order.quantity, 'an open order has an unfilled remainder')
    this.#last.set(id, { ...order })
  }

  /** Returns the last state of an order reported to a client. */
  last(id: string): OrderRecord | undefined {
    return this.#last.get(id)
  }

  #isNew(order: OrderRecord): void {
    const number = `${order.market} ${order.number}`
    assert(!this.#numbers.has(number), 'an order number is given once')
    this.#numbers.add(number)
    this.ids.push(orderId(order))
  }

  /** Checks that a quantity is unchanged or was reduced on request. */
  #assertQuantity(before: OrderRecord, after: OrderRecord): void {
    if (before.quantity === after.quantity) return
    const id = orderId(before)
    assert(after.quantity < before.quantity, `an order never grows where it stands: ${id}`)
    const sizes = this.#quoted.get(`${after.userId} ${after.market} ${after.quoteSet}`) ?? []
    const isQuoted = [...sizes].some(size => size <= after.quantity && after.quantity <= size + after.filled)
    const isAsked = isQuoted || this.#smaller.get(id)?.has(after.quantity) === true
    assert(isAsked, `an order becomes as small as its client asked: ${id}, ${after.quantity}`)
  }

  /** Checks orders reported or open since the last start, or all ever reported, against the tables. */
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

const LIKE_THE_OLD = [
  ...(['market', 'account', 'userId', 'side', 'outcome', 'orderType', 'selfTrade', 'timeInForce'] as const),
  ...(['postOnly', 'reduceOnly', 'expiresAt', 'quoteSet', 'key'] as const),
] as const

const waits = ({ orderType, timeInForce }: OrderRecord) =>
  orderType === 'LO' && timeInForce !== 'IOC' && timeInForce !== 'FOK'

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
  'timeInForce',
  'postOnly',
  'reduceOnly',
  'quoteSet',
  'key',
  'price',
  'expiresAt',
  'createdAt',
] as const

/** Checks that one state of an order can follow from another. */
export function assertGoesOn(before: OrderRecord, after: OrderRecord): void {
  const id = orderId(before)
  for (const key of FIXED) assert(before[key] === after[key], `an order keeps its ${key}: ${id}`)
  assert(after.updatedAt >= before.updatedAt, `an order's time never goes back: ${id}`)
  assert(after.filled >= before.filled, `a fill is never undone: ${id}`)
  assert(after.filledValue >= before.filledValue, `the cost of a fill is never taken back: ${id}`)
  if (isOpen(before.state)) return
  const differs = `an order never changes after its end: ${id} ${before.state} ${after.state}`
  // The number of its arrival is not stored.
  assert(isDeepStrictEqual({ ...before, arrival: 0 }, { ...after, arrival: 0 }), differs)
}
