import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import type { AccountNumber } from '../../src/core/units.js'
import { byAge, OwnOrders } from '../../src/exchange/orders/own-orders.js'
import { Dice } from '../fixtures/dice.js'

const ACCOUNT = 3 as AccountNumber

function record(createdAt: number, market: number, number: number): OrderRecord {
  return { account: ACCOUNT, createdAt, market, number, state: 'resting' } as unknown as OrderRecord
}

t.test('lists open orders newest first, whatever the order of arrival and whichever ended', async t => {
  const dice = Dice.fromEnvironment(t)
  const own = new OwnOrders()
  const open = new Set<OrderRecord>()
  for (let number = 1; number <= 3000; number++) {
    // Batches of several markets share a time, and a clock may step back.
    const order = record(Math.floor(number / 7) + dice.between(-3, 3), dice.between(1, 4), number)
    if (number < 500) own.restore(order)
    else own.add(order)
    if (number === 499) own.sort()
    open.add(order)
    if (number < 500 || !dice.percent(70)) continue
    const [ended] = open
    if (ended === undefined) continue
    ended.state = dice.percent(50) ? 'filled' : 'cancelled'
    open.delete(ended)
    own.delete(ended)
  }
  const expected = [...open].sort(byAge)
  t.same(own.newest(ACCOUNT, 5000), expected)
  t.same(own.of(ACCOUNT), expected.toReversed())
  const place = expected[40] as OrderRecord
  t.same(own.newest(ACCOUNT, 10, place), expected.slice(41, 51))
  const isEven = ({ number }: OrderRecord) => number % 2 === 0
  t.same(own.newest(ACCOUNT, 10, place, isEven), expected.slice(41).filter(isEven).slice(0, 10))
  t.same(own.newest(9 as AccountNumber, 10), [])
})

t.test('keeps nothing of a user whose orders have all ended', async t => {
  const own = new OwnOrders()
  const orders = Array.from({ length: 20 }, (_, number) => record(1, 1, number))
  for (const order of orders) own.add(order)
  for (const order of orders) {
    order.state = 'cancelled'
    own.delete(order)
  }
  t.same([own.of(ACCOUNT), own.newest(ACCOUNT, 9)], [[], []])
})
