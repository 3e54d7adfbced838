import type { Test } from 'tap'
import t from 'tap'
import { assert } from '../../src/core/assert.js'
import { slugOf } from '../../src/core/slug.js'
import type { TimeMs } from '../../src/core/units.js'
import { BOTS } from '../../src/demo/bots.js'
import type { DemoOptions } from '../../src/demo/demo.js'
import { Demo } from '../../src/demo/demo.js'
import { SERIES } from '../../src/demo/series.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'

const STRIDE_MS = 90_000
const ORDERS_MAX = 300

/** Opens a demo that the test advances by hand, on an exchange without a history. */
async function openDemo(t: Test, options: Partial<DemoOptions> = {}) {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000 })
  const told: string[] = []
  const demo = new Demo({
    exchange: test.exchange,
    seed: 1,
    now: () => test.now as TimeMs,
    isFull: () => false,
    tellFull: () => told.push('full'),
    fail: error => told.push(`failed: ${error.message}`),
    ...options,
  })
  /** Runs this many turns, with those of the operator and the clock in between. */
  const live = async (turns: number, strideMs = STRIDE_MS) => {
    for (let turn = 0; turn < turns; turn++) {
      test.now += strideMs
      test.exchange.advanceClock()
      await demo.round()
      await demo.turn()
    }
    await test.exchange.drain()
  }
  return { test, demo, live, told }
}

/** Returns the open event of a kind. */
function openEvent(test: TestExchange, kind: string) {
  const found = [...test.exchange.directory.all()].find(
    ({ listing, progress }) => listing.category?.toLowerCase() === kind && progress.status === 'open',
  )
  assert(found !== undefined, 'a demo has an open event of each kind')
  return found
}

const statuses = (test: TestExchange) =>
  Array.from(test.exchange.directory.all(), ({ progress }) => progress.status)

t.test('after two days some markets are trading, others are settled, and no money is missing', async t => {
  const { test, live, told } = await openDemo(t)
  let bothSides = 0
  let looks = 0
  for (let part = 0; part < 20; part++) {
    await live(96)
    const open = [...test.exchange.directory.all()].filter(({ progress }) => progress.status === 'open')
    t.equal(new Set(open.map(({ listing }) => listing.category)).size, 7, 'one open event of each kind')
    t.equal(open.length, 6 + 8, 'and a cup of eight teams')
    for (const { ladder, openOrders } of open) {
      looks++
      if (ladder.bids().length > 0 && ladder.asks().length > 0) bothSides++
      if (openOrders.size > ORDERS_MAX) t.fail(`${openOrders.size} orders pile up`)
    }
  }
  // Turns are 450 times rarer here than in a running demo.
  t.ok(bothSides > looks * 0.75, `${bothSides} of ${looks} books had both sides`)
  t.ok(test.exchange.moneyIsAllThere())
  t.same(told, [])
  const ended = statuses(test).filter(status => status === 'settled' || status === 'voided')
  t.ok(ended.length >= 6, `${ended.length} events have ended`)
  t.ok(statuses(test).includes('settled'))
  await test.close()
  t.ok(verifyFile(test.file).ok)
})

t.test('leaves the orders of guests alone', async t => {
  const { test, live } = await openDemo(t)
  const mine = await test.create({ category: 'weather', endAt: test.now + HOUR })
  const order = await test.place('asha buy 10 @ 5')
  await live(60)
  t.equal(mine.progress.status, 'closed', 'the clock has closed it')
  t.equal(mine.progress.trades, 0, 'no bot has traded it')
  await live(60)
  t.equal(mine.progress.status, 'closed', 'its outcome is for its owner to tell')
  t.equal(order.reason, 'market_closed')
  t.equal(test.money('asha'), 'cash 1000000 held 0 available 1000000')
})

t.test('bots bring back a price that a guest has pushed away', async t => {
  const { test, live } = await openDemo(t)
  await live(200, 1000)
  const market = openEvent(test, 'stocks')
  const before = market.progress.lastPrice ?? 0
  await test.place('asha buy 2000 @ 9.5', market.terms.code)
  t.ok((market.ladder.bids(1)[0]?.[0] ?? 0) >= 900, 'the guest has bought all there was, and bids for more')
  await live(600, 1000)
  await test.exchange.cancelOrders('asha', undefined)
  await live(600, 1000)
  const after = market.progress.lastPrice ?? 0
  t.ok(Math.abs(after - before) < 250, `from ${before} back to ${after}`)
  t.ok(market.ladder.asks().length > 0, 'and both sides are there')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('tops up bots without money, and withdraws the excess of rich ones', async t => {
  const { test, live } = await openDemo(t)
  await live(100)
  const [rich, poor] = ['bot-maker-1', 'bot-noise-1']
  const bring = (userId: string, direction: 'deposit' | 'withdrawal', rupees: number) =>
    test.exchange.transfer({ userId, direction, amount: (rupees * 10_000) as never, txnId: `${userId}-test` })
  await bring(rich, 'deposit', 9_000_000)
  await bring(poor, 'withdrawal', 900_000)
  t.ok((test.exchange.balance(poor)?.available ?? 0) < 200_000 * 10_000)
  await live(1)
  for (const userId of [rich, poor]) {
    const { available = 0 } = test.exchange.balance(userId) ?? {}
    t.ok(Math.abs(available / 10_000 - 1_000_000) < 10_000, `${userId} has ${available / 10_000}`)
  }
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('replaces an event that the operator closes by hand', async t => {
  const { test, live } = await openDemo(t)
  await live(2, 1000)
  const market = openEvent(test, 'films')
  t.equal(await test.exchange.moveMarket(market, 'close'), undefined)
  await live(2, 1000)
  const films = [...test.exchange.directory.all()].filter(({ listing }) => listing.category === 'Films')
  t.same(
    films.map(({ progress }) => progress.status),
    ['closed', 'open'],
  )
  t.ok((films[1]?.terms.endAt ?? 0) > market.terms.endAt)
})

t.test('skips a title that a guest has taken', async t => {
  const { test, live } = await openDemo(t)
  const films = SERIES.find(({ category }) => category === 'films')
  assert(films !== undefined, 'there are films')
  const next = films.nextEnd((test.now + 2 * HOUR) as TimeMs)
  const { title } = films.question(next)
  const theirs = await test.create({ title, slug: slugOf(title), category: 'mine', endAt: test.now + HOUR })
  await live(20, 1000)
  t.ok(openEvent(test, 'films').terms.endAt > next, 'the film after it is traded')
  t.equal(theirs.progress.seq, 0, 'and not theirs')
})

t.test('a halted event is neither traded nor replaced', async t => {
  const { test, live } = await openDemo(t)
  await live(30, 1000)
  const market = openEvent(test, 'space')
  await test.exchange.moveMarket(market, 'halt')
  const { seq } = market.progress
  await live(100, 1000)
  t.equal(market.progress.seq, seq)
  t.equal(statuses(test).length, 6 + 8)
})

t.test('bots pause while the file is full, and events still end', async t => {
  let isFull = false
  const { test, live, told } = await openDemo(t, { isFull: () => isFull })
  await live(50)
  const orders = () => test.rows<{ n: number }>('SELECT count(*) AS n FROM orders')[0]?.n
  isFull = true
  await live(1)
  const before = orders()
  await live(200, HOUR / 4)
  t.equal(orders(), before, 'no order came')
  t.same(told, ['full'], 'it is reported once')
  t.ok(statuses(test).includes('settled') || statuses(test).includes('voided'))
})

t.test('a stopped demo does nothing more', async t => {
  const { test, demo } = await openDemo(t)
  demo.start(50)
  const until = Date.now() + 60_000
  while (test.rows('SELECT 1 FROM trades LIMIT 1').length === 0 && Date.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  t.ok(test.rows('SELECT 1 FROM trades LIMIT 1').length > 0, 'it traded by itself')
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const running = timers()
  await demo.stop()
  t.equal(timers(), running - 2, 'neither turns nor rounds will come')
  t.ok(BOTS.every(({ userId }) => (test.exchange.balance(userId)?.cash ?? 0) >= 0))
})
