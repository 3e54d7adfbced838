import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../src/core/units.js'
import { byAge, OwnOrders } from '../../src/exchange/orders/own-orders.js'
import { Dice } from '../fixtures/dice.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

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
  for (const lengthMax of [open.size, open.size + 1]) {
    own.lengthMax = lengthMax
    t.equal(own.isFull(ACCOUNT), lengthMax === open.size)
  }
  const place = expected[40] as OrderRecord
  t.same(own.newest(ACCOUNT, 10, place), expected.slice(41, 51))
  const isEven = ({ number }: OrderRecord) => number % 2 === 0
  t.same(own.newest(ACCOUNT, 10, place, isEven), expected.slice(41).filter(isEven).slice(0, 10))
  t.same(own.newest(9 as AccountNumber, 10), [])

  // While it walks, orders end and come, and the list is swept.
  const queued = record((expected[0]?.createdAt ?? 0) - 1, 1, 9000)
  own.arrive(queued, false)
  const seen: OrderRecord[] = []
  const ended = new Set<OrderRecord>()
  for (const part of own.walk(ACCOUNT, 7)) {
    if (seen.length === 0 && part.length > 0) {
      own.land(queued)
      own.add(queued)
    }
    seen.push(...part)
    for (let ends = 0; ends < 3 && open.size > 0; ends++) {
      const order = [...open][dice.between(0, open.size - 1)] as OrderRecord
      order.state = 'cancelled'
      if (!seen.includes(order)) ended.add(order)
      open.delete(order)
      own.delete(order)
    }
    own.add(record(800, 1, 5000 + seen.length))
  }
  const inTime = [...expected.toReversed().filter(order => !ended.has(order)), queued]
  const numbers = (orders: readonly OrderRecord[]) => orders.map(({ number }) => number).join(' ')
  t.equal(numbers(seen), numbers(inTime))
  t.ok(ended.size > 10, 'some end before their look')
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

t.test('a user with as many open orders as anyone may have places no more until some end', async t => {
  const test = await TestExchange.open(t, { openOrdersMax: 3 })
  await test.create()
  for (const order of ['asha buy 1 @ 5', 'asha buy 1 @ 4', 'asha sell 1 @ 6']) await test.place(order)
  const isRefused = async () => t.equal(await test.tryPlace('asha buy 1 @ 3'), 'open_orders_full')
  await isRefused()
  t.equal(test.money('asha'), 'cash 1000 held 13 available 987', 'before money is held')
  await test.restart()
  await isRefused()
  await test.place('ben sell 1 @ 5')
  await test.place('asha buy 1 @ 3')
  await isRefused()
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('orders on their way count, so that many at once do not pass the bound', async t => {
  const test = await TestExchange.open(t, { openOrdersMax: 3, shardCount: 3 })
  const other = (MARKET + 1) as MarketCode
  for (const title of ['Rain', 'Snow']) await test.create({ title })
  const endsOf = async (texts: readonly string[], market?: MarketCode) => {
    const ends = await Promise.all(texts.map(text => test.tryPlace(text, market)))
    return ends.map(end => (typeof end === 'string' ? end : end.state))
  }
  const rest = (user: string, count: number) => Array.from({ length: count }, () => `${user} buy 1 @ 5`)
  const full = (count: number) => Array.from({ length: count }, () => 'open_orders_full')
  const both = await Promise.all([endsOf(rest('asha', 5)), endsOf(rest('asha', 5), other)])
  t.same(both.flat().sort(), [...full(7), 'resting', 'resting', 'resting'])

  // What cannot come to rest takes no place, and a replacement takes that of its order.
  const passing = ['ben buy 1 market', 'ben buy 1 @ 99', 'ben buy 1 @ 5.005', ...rest('ben', 4)]
  const states = await endsOf(passing)
  t.same(states, ['cancelled', 'rejected', 'rejected', 'resting', 'resting', 'resting', ...full(1)])
  await test.place('cora buy 1 @ 4')
  const order = await test.place('cora buy 1 @ 3')
  const amended = ['2', '2.5'].map(price =>
    test.exchange.amendOrder(orderId(order), { price: Number(price) }),
  )
  t.same(await endsOf(rest('cora', 2)), ['resting', ...full(1)])
  await Promise.all(amended)
  t.same(await endsOf(rest('cora', 1)), full(1))
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an event whose numbers are used up takes no more orders, and loses none of those it has', async t => {
  const test = await TestExchange.open(t)
  const market = await test.create()
  // The books keep numbers in 32 bits; a million are left for the quotes of the house.
  const last = 2 ** 31 - 1 - 1_000_000
  market.noteNumber((last - 2) as OrderNumber)
  const [first, second] = [await test.place('asha buy 2 @ 5'), await test.place('asha buy 1 @ 4')]
  t.same([first.number, second.number], [last - 1, last])
  const assertRefused = async () => {
    t.equal(await test.tryPlace('ben sell 1 @ 5'), 'numbers_used_up')
    t.equal(await test.exchange.amendOrder(orderId(second), { price: 5 }), 'numbers_used_up')
    t.equal(test.book(), '2@5 1@4 | -')
  }
  await assertRefused()
  const smaller = await test.exchange.amendOrder(orderId(first), { quantity: 1 })
  t.match(smaller, { number: last - 1 }, 'a smaller quantity needs no number')
  await test.restart()
  t.equal((await test.cancel(second)).state, 'cancelled')
  t.equal(await test.tryPlace('ben sell 1 @ 5'), 'numbers_used_up')
  t.ok(test.exchange.moneyIsAllThere())
})
