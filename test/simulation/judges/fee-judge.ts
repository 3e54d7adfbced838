import { assert } from '../../../src/core/assert.js'
import type { World } from '../world/world.js'

interface Filled {
  readonly market: number
  readonly number: number
  readonly payout: number
  readonly rate: number
  readonly paid: number
  readonly price: number
  readonly quantity: number
}

const FILLED = `SELECT o.market, o.number, payout, o.fee_paid AS paid, t.price, t.quantity,
    CASE WHEN t.taker = o.number THEN o.fee_taker ELSE o.fee_maker END AS rate
  FROM orders o JOIN markets ON code = o.market
  JOIN trades t ON t.market = o.market AND (t.taker = o.number OR t.maker = o.number)`

/** Checks that each order has paid its exact fee rounded up once, in however many parts it was filled. */
export function assertFees(world: World): void {
  const orders = new Map<string, { owed: bigint; unit: bigint; paid: number }>()
  for (const { market, number, payout, rate, paid, price, quantity } of world.rows<Filled>(FILLED)) {
    const name = `${market} ${number}`
    const order = orders.get(name) ?? { owed: 0n, unit: 10_000n * BigInt(payout), paid }
    order.owed += BigInt(rate) * BigInt(price) * BigInt(payout - price) * BigInt(quantity)
    orders.set(name, order)
  }
  let count = 0
  for (const [name, { owed, unit, paid }] of orders) {
    const due = (owed + unit - 1n) / unit
    assert(BigInt(paid) === due, `order ${name} pays its exact fee, rounded up once: ${due}, not ${paid}`)
    if (due > 0n) count++
  }
  world.branches.count('paid a fee', count > 0)
}
