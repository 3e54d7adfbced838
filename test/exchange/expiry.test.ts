import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { TimeMs } from '../../src/core/units.js'
import { ExpiryQueue } from '../../src/exchange/markets/expiry-queue.js'
import { readCommands } from '../../src/store/command-text.js'
import { Dice } from '../fixtures/dice.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

/** Places a bid for one contract that expires at a given time. */
async function placeUntil(
  test: TestExchange,
  userId: string,
  expiresAt: number,
  price = 5,
  market = MARKET,
): Promise<OrderRecord> {
  const request: OrderRequest = {
    market,
    userId,
    side: 'yes',
    orderType: 'LO',
    selfTrade: 'taker',
    expiresAt: expiresAt as TimeMs,
    outcome: 'yes',
    yesPrice: price,
    askedPrice: price,
    quantity: 1,
  }
  const order = await test.exchange.placeOrder(request)
  if (typeof order === 'string') throw new Error(order)
  return order
}

async function at(test: TestExchange, now: number): Promise<void> {
  test.now = now
  test.exchange.advanceClock()
  await test.exchange.drain()
}

t.test('an order expires at its time, once, and releases its hold', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const told: unknown[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) if (message.type === 'ORDER_CANCELLED') told.push(message.reason)
  })
  const order = await placeUntil(test, 'asha', START + HOUR)
  const longer = await placeUntil(test, 'asha', START + 2 * HOUR)
  await at(test, START + HOUR - 1)
  t.equal(order.state, 'resting')
  await at(test, START + HOUR)
  t.equal(test.endOf(order), 'expired 0 order_expired')
  t.equal(longer.state, 'resting')
  t.equal(test.money('asha'), 'cash 1000 held 5 available 995')
  for (const now of [START, START + HOUR, START + 2 * HOUR - 1]) await at(test, now)
  t.same(told, ['order_expired'])
  t.equal(test.book(), '1@5 | -')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order that has already expired on arrival is refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  t.equal(test.endOf(await placeUntil(test, 'asha', START)), 'rejected 0 order_expired')
  t.equal(test.endOf(await placeUntil(test, 'asha', START - HOUR)), 'rejected 0 order_expired')
  t.equal(test.endOf(await placeUntil(test, 'asha', START + 1)), 'resting 0')
  t.equal(test.money('asha'), 'cash 1000 held 5 available 995')
})

t.test('an order that expires in the queue is refused, and holds nothing', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.place('asha buy 1 @ 1')
  const waiting = placeUntil(test, 'asha', START + 10)
  test.now = START + 10
  t.equal(test.endOf(await waiting), 'rejected 0 order_expired')
  t.equal(test.money('asha'), 'cash 1000 held 1 available 999')
})

t.test('an order does not fill against one that expires as it arrives', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const bid = await placeUntil(test, 'asha', START + HOUR)
  test.now = START + HOUR
  const ask = await test.place('ben sell 1 @ 5')
  t.equal(test.endOf(ask), 'resting 0', 'although the clock has not ticked yet')
  t.equal(bid.state, 'expired')
})

t.test('orders filled or cancelled before their expiry do not end again', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const [filled, cancelled] = [
    await placeUntil(test, 'asha', START + HOUR),
    await placeUntil(test, 'asha', START + HOUR, 4),
  ]
  await test.place('ben sell 1 @ 5')
  await test.exchange.cancelOrder(`${MARKET}-${cancelled.number}-${cancelled.suffix}`)
  const before = test.journalled().length
  await at(test, START + HOUR)
  t.equal(test.journalled().length, before)
  t.same([filled.state, cancelled.state], ['filled', 'cancelled'])
})

t.test('an order keeps its expiry across a restart, and overdue orders expire at the start', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await placeUntil(test, 'asha', START + HOUR)
  await placeUntil(test, 'asha', START + 3 * HOUR, 4)
  test.now = START + 2 * HOUR
  await test.restart()
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(test.book(), '1@4 | -')
  await at(test, START + 3 * HOUR)
  t.equal(test.book(), '- | -')
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
})

t.test('the queue returns each open order once, by expiry, and drops ended ones', async t => {
  const dice = new Dice(7)
  const queue = new ExpiryQueue()
  const record = (number: number, expiresAt: number) =>
    ({ number, expiresAt, state: 'resting' }) as unknown as OrderRecord
  const orders = Array.from({ length: 5000 }, (_, number) => record(number, dice.between(1, 300)))
  for (const order of orders) {
    queue.add(order)
    if (dice.percent(40)) order.state = 'filled'
  }
  queue.add({ ...record(9999, 5), expiresAt: undefined })
  const open = orders.filter(({ state }) => state === 'resting')
  const due: OrderRecord[] = []
  const takeAll = (now: TimeMs) => {
    for (let next = queue.takeDue(now); next !== undefined; next = queue.takeDue(now)) due.push(next)
    t.notOk(queue.hasDue(now))
  }
  for (let now = 0; now <= 300; now += dice.between(1, 30)) takeAll(now as TimeMs)
  takeAll(300 as TimeMs)
  const byTime = open.sort((a, b) => Number(a.expiresAt) - Number(b.expiresAt) || a.number - b.number)
  t.same(due.length, open.length)
  t.ok(due.every((order, place) => order === byTime[place]))
})

t.test('many orders expiring at once fit the queue, and no order fills against the rest of them', async t => {
  const test = await TestExchange.open(t, { queueLengthMax: 8, shardCount: 1 })
  await test.create()
  const crowd: OrderRecord[] = []
  for (let count = 0; count < 30; count++) crowd.push(await placeUntil(test, 'asha', START + HOUR))
  test.now = START + HOUR
  test.exchange.advanceClock()
  const [fromKnown, amended] = await Promise.all([
    test.tryPlace('asha sell 1 @ 5'),
    test.exchange.amendOrder(orderId(crowd[29] as OrderRecord), { price: 4 }),
  ])
  t.same([fromKnown, amended], ['queue_full', 'queue_full'])
  const fromNew = await test.tryPlace('ben sell 1 @ 5')
  t.ok(typeof fromNew === 'string' || fromNew.filled === 0, 'a new user, whose account takes a batch to open')
  for (let second = 0; second < 3; second++) await at(test, START + HOUR)
  const lengths = test.journal().map(({ sequence, commands }) => readCommands(commands, sequence).length)
  const longest = Math.max(...lengths)
  t.ok(longest <= 10, `${longest} commands waited at a time`)
  t.ok(crowd.every(({ filled, reason }) => filled === 0 && reason === 'order_expired'))
  t.equal(test.endOf(await test.place('ben sell 1 @ 5')), 'resting 0')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a crowd of expiries leaves room for orders and cancels, and needs one tick', async t => {
  const test = await TestExchange.open(t, { queueLengthMax: 512, shardCount: 1 })
  await test.create()
  const other = (await test.create({ title: 'Snow' })).terms.code
  const crowd: Promise<OrderRecord>[] = []
  for (let count = 0; count < 2000; count++) {
    crowd.push(placeUntil(test, 'asha', START + HOUR, 0.1))
    if (count % 500 === 499) await test.exchange.drain()
  }
  const orders = await Promise.all(crowd)
  const kept = await test.place('ben buy 1 @ 2', other)
  test.now = START + HOUR
  test.exchange.advanceClock()
  const placed = Array.from({ length: 200 }, () => test.tryPlace('ben buy 1 @ 1', other))
  const cancelled = test.exchange.cancelOrder(orderId(kept))
  t.same(new Set((await Promise.all(placed)).map(Object).map(({ state }) => state)), new Set(['resting']))
  t.match(await cancelled, { state: 'cancelled' })
  await test.exchange.drain()
  t.same(new Set(orders.map(({ state }) => state)), new Set(['expired']))
  t.match(await test.exchange.health(), { openOrders: 200, markets: 2 })
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('crowds that expire in several events refuse nobody elsewhere, and need one tick', async t => {
  const test = await TestExchange.open(t, { queueLengthMax: 512, shardCount: 1 })
  const crowded = [MARKET]
  await test.create()
  for (const title of ['Snow', 'Hail', 'Fog', 'Sun', 'Wind'])
    crowded.push((await test.create({ title })).terms.code)
  const quiet = (await test.create({ title: 'Dew' })).terms.code
  const orders: OrderRecord[] = []
  for (const market of crowded) {
    const placed = Array.from({ length: 300 }, () => placeUntil(test, 'asha', START + HOUR, 0.1, market))
    orders.push(...(await Promise.all(placed)))
  }
  const kept = await test.place('ben buy 1 @ 2', quiet)
  const few = await placeUntil(test, 'ben', START + HOUR, 1, quiet)
  test.now = START + HOUR
  test.exchange.advanceClock()
  const placed = Array.from({ length: 200 }, () => test.tryPlace('ben buy 1 @ 1', quiet))
  const cancelled = test.exchange.cancelOrder(orderId(kept))
  t.same(new Set((await Promise.all(placed)).map(Object).map(({ state }) => state)), new Set(['resting']))
  t.match(await cancelled, { state: 'cancelled' })
  t.equal(few.reason, 'order_expired', 'an order in the quiet event expired before them')
  await test.exchange.drain()
  t.same(new Set(orders.map(({ reason }) => reason)), new Set(['order_expired']))
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('the queue does not keep orders that ended before their expiry', async t => {
  const queue = new ExpiryQueue()
  const record = (number: number) => ({ number, expiresAt: 500, state: 'resting' }) as unknown as OrderRecord
  const orders = Array.from({ length: 20_000 }, (_, number) => record(number))
  for (const order of orders) queue.add(order)
  const open = orders.splice(-10)
  for (const order of orders) {
    order.state = 'cancelled'
    queue.end(order)
  }
  t.ok(queue.length < 3000, `${queue.length} entries for ${open.length} orders`)
  const due = Array.from({ length: 11 }, () => queue.takeDue(500 as TimeMs))
  t.same(due, [...open, undefined])
})
