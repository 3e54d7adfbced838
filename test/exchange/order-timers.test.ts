import type { Test } from 'tap'
import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { MarketCode } from '../../src/core/units.js'
import type { Room } from '../../src/store/room-state.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const OTHER = (MARKET + 1) as MarketCode
const SECOND = 1000

async function open(t: Test, options = {}): Promise<TestExchange> {
  const test = await TestExchange.open(t, options)
  for (let count = 0; count < 2; count++) await test.create()
  return test
}

const setTimer = ({ exchange }: TestExchange, seconds: number, markets?: readonly MarketCode[]) =>
  exchange.timers.set({ userId: 'asha', timeoutMs: seconds * SECOND, markets })

async function pass(test: TestExchange, seconds: number): Promise<void> {
  test.now += seconds * SECOND
  test.exchange.advanceClock()
  await test.exchange.drain()
}

/** Reads orders again, also from the tables of another run. */
async function endsOf(test: TestExchange, ...orders: readonly OrderRecord[]): Promise<string[]> {
  const found = await Promise.all(orders.map(order => test.exchange.findOrder(orderId(order))))
  return found.map(order => (typeof order === 'object' ? test.endOf(order) : 'lost'))
}

const count = (test: TestExchange, type: string) =>
  test.journalled().filter(command => command.type === type).length

t.test('a timer that is not set again cancels the orders of its user, once, and no others', async t => {
  const test = await open(t)
  const mine = [await test.place('asha buy 10 @ 5'), await test.place('asha sell 2 @ 7', OTHER)]
  const other = await test.place('ben buy 1 @ 4')
  t.match(await setTimer(test, 30), { endsAt: test.now + 30 * SECOND, markets: undefined })
  await test.place('cora sell 4 @ 5')
  await pass(test, 29)
  t.same(await endsOf(test, ...mine, other), ['partially_filled 4', 'resting 0', 'resting 0'])
  await pass(test, 1)
  t.same(await endsOf(test, ...mine, other), [
    'cancelled 4 timer_ended',
    'cancelled 0 timer_ended',
    'resting 0',
  ])
  t.equal(test.money('asha'), 'cash 980 held 0 available 980')
  const later = await test.place('asha buy 1 @ 3')
  await pass(test, 300)
  t.same(await endsOf(test, later), ['resting 0'], 'it fires once')
  t.equal(count(test, 'FIRE_TIMER'), 1)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a later call replaces the timer and its events, and 0 switches it off', async t => {
  const test = await open(t)
  const [one, two] = [await test.place('asha buy 1 @ 5'), await test.place('asha buy 1 @ 5', OTHER)]
  await setTimer(test, 10)
  await pass(test, 9)
  await setTimer(test, 10, [OTHER])
  await pass(test, 9)
  t.same(await endsOf(test, one, two), ['resting 0', 'resting 0'])
  await pass(test, 1)
  t.same(await endsOf(test, one, two), ['resting 0', 'cancelled 0 timer_ended'])
  await setTimer(test, 5)
  t.match(await setTimer(test, 0), { endsAt: undefined })
  await pass(test, 60)
  t.same(await endsOf(test, one), ['resting 0'])
})

t.test('an order that arrives after the end stays, even if the timer has not fired yet', async t => {
  const test = await open(t)
  const before = await test.place('asha buy 1 @ 5')
  await setTimer(test, 10)
  test.now += 10 * SECOND
  const queued = test.exchange.amendOrder(orderId(before), { price: 6 })
  const [after, again] = [test.place('asha buy 2 @ 4'), setTimer(test, 20)]
  const kept = await after
  t.match(await queued, { reason: 'order_changed' }, 'an amendment comes too late')
  t.match(await again, { endsAt: test.now + 20 * SECOND })
  await pass(test, 0)
  t.same(await endsOf(test, before, kept), ['cancelled 0 timer_ended', 'resting 0'])
})

t.test('an order that arrives after the end stays, even if the clock goes back before its turn', async t => {
  const test = await open(t)
  const before = await test.place('asha buy 1 @ 5')
  await setTimer(test, 10)
  await test.exchange.timers.set({ userId: 'ben', timeoutMs: 10 * SECOND, markets: undefined })
  test.now += 10 * SECOND
  // Behind an order that waits until the timer of its own user has fired.
  const ahead = test.place('ben buy 1 @ 3')
  const after = test.place('asha buy 2 @ 4')
  test.now -= 5 * SECOND
  await ahead
  t.same(await endsOf(test, before, await after), ['cancelled 0 timer_ended', 'resting 0'])
  await pass(test, 60)
  t.same(await endsOf(test, await after), ['resting 0'])
  t.equal(count(test, 'FIRE_TIMER'), 2)
})

t.test('a call that arrives in time saves the orders, though its batch comes later', async t => {
  const test = await open(t)
  const order = await test.place('asha buy 1 @ 5')
  await setTimer(test, 10)
  test.now += 10 * SECOND - 1
  const again = setTimer(test, 10)
  test.now += 1
  test.exchange.advanceClock()
  const late = test.place('asha buy 1 @ 4')
  await again
  await test.exchange.drain()
  t.same(await endsOf(test, order, await late), ['resting 0', 'resting 0'])
  t.equal(count(test, 'FIRE_TIMER'), 0)
})

t.test('orders that are queued when it fires are cancelled, too', async t => {
  const test = await open(t)
  const resting = await test.place('asha buy 1 @ 5')
  await setTimer(test, 10)
  const placed = test.place('asha buy 2 @ 4')
  const amended = test.exchange.amendOrder(orderId(resting), { price: 6 })
  await pass(test, 10)
  t.equal(test.endOf(await placed), 'cancelled 0 timer_ended')
  t.match(await amended, { price: 600, state: 'cancelled', reason: 'timer_ended' })
  t.equal(test.book(), '- | -')
})

t.test('a timer outlives restarts, and one that ended meanwhile fires before the first order', async t => {
  const test = await open(t)
  const [one, two] = [await test.place('asha buy 1 @ 5'), await test.place('asha buy 1 @ 5', OTHER)]
  await setTimer(test, 60, [MARKET])
  await test.restart()
  await pass(test, 59)
  t.same(await endsOf(test, one, two), ['resting 0', 'resting 0'])
  await test.close()
  test.now += 1 * SECOND
  await test.restart()
  t.equal(test.book(), '- | -', 'when the exchange is open, its orders are gone')
  t.same(await endsOf(test, one, two), ['cancelled 0 timer_ended', 'resting 0'])
  await test.restart()
  t.equal(count(test, 'FIRE_TIMER'), 1)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a start after a crash cancels what the timer was to cancel, and no later order', async t => {
  const room: { state: Room['state'] } = { state: 'ok' }
  const test = await open(t, { room })
  const [one, two] = [await test.place('asha buy 1 @ 5'), await test.place('asha buy 1 @ 5', OTHER)]
  await setTimer(test, 10)
  test.now += 10 * SECOND
  test.exchange.advanceClock()
  room.state = 'full'
  await test.exchange.drain()
  room.state = 'ok'
  const later = [await test.place('asha buy 2 @ 4'), await test.place('asha buy 2 @ 4', OTHER)]
  await setTimer(test, 300)
  t.same(await endsOf(test, one, two), ['resting 0', 'resting 0'], 'the cancels are still to come')

  const image = test.crashImage(`${test.file}-crashed`)
  const crashed = await TestExchange.open(t, { file: image })
  t.same(await endsOf(crashed, one, two, ...later), [
    ...Array(2).fill('cancelled 0 timer_ended'),
    ...Array(2).fill('resting 0'),
  ])
  await pass(test, 1)
  t.same(await endsOf(test, one, two, ...later), [
    ...Array(2).fill('cancelled 0 timer_ended'),
    ...Array(2).fill('resting 0'),
  ])
})

t.test(
  'an order that arrives after the end stays, also while the cancels of an earlier end go on',
  async t => {
    const room: { state: Room['state'] } = { state: 'ok' }
    const test = await open(t, { room })
    const first = await test.place('asha buy 1 @ 5')
    await setTimer(test, 10)
    test.now += 10 * SECOND
    test.exchange.advanceClock()
    room.state = 'full'
    await test.exchange.drain()
    room.state = 'ok'
    const second = await test.place('asha buy 1 @ 5')
    await setTimer(test, 5)
    test.now += 5 * SECOND
    test.exchange.advanceClock()
    const later = test.place('asha buy 1 @ 4')
    await pass(test, 0)
    await pass(test, 1)
    t.same(await endsOf(test, first, second, await later), [
      'cancelled 0 timer_ended',
      'cancelled 0 timer_ended',
      'resting 0',
    ])
  },
)

t.test('a new user may set a timer before the first order, and a full disk refuses it', async t => {
  const room: { state: Room['state'] } = { state: 'ok' }
  const test = await open(t, { room })
  room.state = 'low'
  t.equal(await setTimer(test, 10), 'disk_low', 'an account would be opened')
  room.state = 'ok'
  await setTimer(test, 10)
  const order = await test.place('asha buy 1 @ 5')
  room.state = 'full'
  t.equal(await setTimer(test, 10), 'disk_full')
  await pass(test, 20)
  t.same(await endsOf(test, order), ['resting 0'], 'nothing can be written')
  room.state = 'ok'
  await pass(test, 1)
  t.same(await endsOf(test, order), ['cancelled 0 timer_ended'])
})
