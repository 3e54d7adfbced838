import t from 'tap'
import { CLEAR_LENGTH_MAX } from '../../src/core/command.js'
import type { MarketStatus } from '../../src/core/market.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

/** Sets the clock, ticks the exchange, and returns the market's status. */
async function at(test: TestExchange, now: number): Promise<MarketStatus | undefined> {
  test.now = now
  test.exchange.advanceClock()
  await test.exchange.drain()
  return test.exchange.market(MARKET)?.progress.status
}

const moves = (test: TestExchange) =>
  test.journalled().flatMap(command => (command.type === 'MOVE_MARKET' ? [command.to] : []))

t.test('a market opens and closes at its times, once each', async t => {
  const test = await TestExchange.open(t)
  const told: unknown[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) if (message.type === 'status') told.push(message.status)
  })
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  t.equal(await at(test, START + HOUR - 1), 'scheduled')
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'rejected 0 market_not_open')
  t.equal(await at(test, START + HOUR), 'open')
  t.equal(await at(test, START + HOUR), 'open')
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'resting 0')
  t.equal(await at(test, START + 2 * HOUR - 1), 'open')
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'resting 0')
  t.equal(await at(test, START + 2 * HOUR), 'closed')
  t.equal(await at(test, START + 9 * HOUR), 'closed')
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'rejected 0 market_closed')
  t.same(moves(test), ['open', 'closed'])
  t.same(told, ['open', 'closed'])
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a clock that jumps back changes nothing', async t => {
  const test = await TestExchange.open(t)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  await at(test, START + HOUR)
  t.equal(await at(test, START), 'open')
  const order = await test.place('asha buy 1 @ 5')
  t.equal(test.endOf(order), 'resting 0')
  t.equal(order.createdAt, START + HOUR, 'the time of the journal stands still')
  await at(test, START + 2 * HOUR)
  t.equal(await at(test, START + HOUR), 'closed')
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'rejected 0 market_closed')
  await test.restart()
  t.equal(await at(test, START), 'closed')
  t.same(moves(test), ['open', 'closed'])
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order is checked against its own arrival time, even before the clock ticks', async t => {
  const test = await TestExchange.open(t)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  test.now = START + HOUR
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'resting 0')
  test.now = START + 2 * HOUR
  const late = [test.place('asha sell 1 @ 5'), test.place('ben buy 1 @ 5')]
  for (const order of await Promise.all(late)) t.equal(test.endOf(order), 'rejected 0 market_closed')
  t.same(moves(test), ['open', 'closed'])
  t.equal(test.book(), '- | -')
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
})

t.test('orders queued before the close trade, later ones do not', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben buy 1 @ 1'])
  const before = test.place('ben sell 1 @ 5')
  test.now = START + 24 * HOUR
  test.exchange.advanceClock()
  const behind = test.place('ben sell 1 @ 1')
  t.equal(test.endOf(await before), 'filled 1')
  t.equal(test.endOf(await behind), 'rejected 0 market_closed')
  await test.exchange.drain()
  t.equal(test.money('ben'), 'cash 995 held 0 available 995')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('closing ends each resting order once; cancelling it afterwards is harmless', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const order = await test.place('asha buy 10 @ 5')
  await test.place('ben sell 4 @ 5')
  const cancelled: unknown[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) if (message.type === 'ORDER_CANCELLED') cancelled.push(message)
  })
  test.now = START + 24 * HOUR
  test.exchange.advanceClock()
  const race = test.cancel(order)
  t.equal(test.endOf(await race), 'cancelled 4 market_closed')
  await test.exchange.drain()
  t.equal(test.endOf(await test.cancel(order)), 'cancelled 4 market_closed')
  t.equal(cancelled.length, 1)
  t.match(cancelled[0], { executed: 400, remainingContracts: 6, reason: 'market_closed' })
  t.equal(test.money('asha'), 'cash 980 held 0 available 980')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a market is created in the status its dates imply', async t => {
  const test = await TestExchange.open(t)
  const rows: readonly (readonly [number, number, MarketStatus])[] = [
    [START - 2, START - 1, 'closed'],
    [START - 1, START, 'closed'],
    [START - 1, START + 1, 'open'],
    [START, START + 1, 'open'],
    [START + 1, START + 2, 'scheduled'],
  ]
  for (const [startAt, endAt, status] of rows)
    t.equal((await test.create({ startAt, endAt })).progress.status, status)
  t.same(moves(test), [])
})

t.test('a market whose whole trading period was missed closes without opening', async t => {
  const test = await TestExchange.open(t)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  test.now = START + 3 * HOUR
  await test.restart()
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'rejected 0 market_closed')
  t.same(moves(test), ['closed'])
})

t.test('closing releases the holds and locks of every resting order', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll([
    'asha buy 10 @ 6',
    'ben sell 4 @ 6',
    'asha sell 4 @ 8',
    'ben sell 5 @ 9',
    'ben buy 2 no @ 0.5',
  ])
  test.now += 24 * HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 976 held 0 available 976')
  t.equal(test.money('ben'), 'cash 984 held 0 available 984')
  t.equal(test.contracts('asha'), 'yes 4 no 0')
  t.equal(test.book(), '- | -')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('markets that close at once are cleared side by side, a few orders of each at a time', async t => {
  const test = await TestExchange.open(t)
  const markets = await Promise.all(Array.from({ length: 8 }, () => test.create()))
  const each = CLEAR_LENGTH_MAX + 20
  const orders = markets.flatMap(({ terms: { code } }, index) =>
    Array.from({ length: each }, () => test.place(`u${index} buy 0.1 @ 0.5`, code)),
  )
  await Promise.all(orders)
  await test.exchange.drain()
  const resting = () => markets.reduce((sum, { openOrders }) => sum + openOrders.size, 0)
  test.now += 24 * HOUR
  test.exchange.advanceClock()
  const parts: number[] = []
  for (let left = resting(); left > 0; ) {
    await new Promise(setImmediate)
    const now = resting()
    if (now < left) parts.push(left - now)
    left = now
  }
  t.ok(Math.max(...parts) <= CLEAR_LENGTH_MAX * 3, `parts of ${parts.join(', ')} orders`)
  t.same(
    markets.map(({ terms }) => test.book(terms.code)),
    markets.map(() => '- | -'),
  )
  t.ok(test.exchange.moneyIsAllThere())
})
