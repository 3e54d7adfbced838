import { join } from 'node:path'
import t from 'tap'
import { CLEAR_LENGTH_MAX } from '../../src/core/command.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

async function openMarket(t: Parameters<typeof TestExchange.open>[0]) {
  const test = await TestExchange.open(t)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  const told: { seq: number; text: string }[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) {
      const text = message.type === 'status' ? `${message.status} ${message.outcome ?? ''}`.trim() : ''
      told.push({ seq: message.seq, text })
    }
  })
  const statuses = () => told.flatMap(({ text }) => (text === '' ? [] : [text]))
  return { test, operator: new Operator(test), told, statuses }
}

/** Sets the clock and ticks the exchange. */
async function at(test: TestExchange, now: number): Promise<void> {
  test.now = now
  test.exchange.advanceClock()
  await test.exchange.drain()
}

t.test('a halted market refuses new orders, keeps its resting ones, and lets them be cancelled', async t => {
  const { test, operator } = await openMarket(t)
  await at(test, START + HOUR)
  const [first, second] = [await test.place('asha buy 1 @ 5'), await test.place('ben buy 1 @ 4')]
  t.equal(await operator.move('halt'), 'halted')
  t.equal(test.endOf(await test.place('cora sell 1 @ 4')), 'rejected 0 market_halted')
  t.equal(test.money('cora'), 'cash 1000 held 0 available 1000')
  t.equal(test.book(), '1@5 1@4 | -')
  await test.exchange.cancelOrder(`${MARKET}-${first.number}-${first.suffix}`)
  t.equal(test.endOf(first), 'cancelled 0 user_cancelled')
  t.equal(await operator.move('resume'), 'open')
  t.equal(test.endOf(await test.place('cora sell 1 @ 4')), 'filled 1')
  t.equal(second.state, 'filled')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('each status change is published once, with its sequence number', async t => {
  const { test, operator, told, statuses } = await openMarket(t)
  await at(test, START + HOUR)
  await test.playAll(['asha buy 2 @ 5', 'ben sell 1 @ 5'])
  for (const move of ['halt', 'halt', 'resume', 'resume', 'halt', 'close', 'close'] as const) {
    await operator.move(move)
  }
  await operator.settle('no')
  t.same(statuses(), ['open', 'halted', 'open', 'halted', 'closed', 'resolved no', 'settled no'])
  t.same(
    told.map(({ seq }) => seq),
    told.map((_, place) => place + 1),
    'no gap, no repeat',
  )
  t.equal(test.exchange.market(MARKET)?.progress.seq, told.length)
})

t.test('a market makes only legal status changes', async t => {
  const { test, operator, statuses } = await openMarket(t)
  t.equal(await operator.move('halt'), 'refused: scheduled')
  t.equal(await operator.move('resume'), 'refused: scheduled', 'it cannot be opened before its time')
  await at(test, START + HOUR)
  t.equal(await operator.move('resume'), 'open')
  await at(test, START + 2 * HOUR)
  t.equal(operator.status(), 'closed')
  t.equal(await operator.move('halt'), 'refused: closed')
  t.equal(await operator.move('resume'), 'refused: closed')
  t.same(statuses(), ['open', 'closed'])
})

t.test('the clock neither opens nor closes a market closed by hand', async t => {
  const { test, operator, statuses } = await openMarket(t)
  t.equal(await operator.move('close'), 'closed')
  for (const hour of [1, 2, 0, 3]) await at(test, START + hour * HOUR)
  await test.restart()
  await at(test, START + 5 * HOUR)
  t.equal(operator.status(), 'closed')
  t.same(statuses(), ['closed'])
})

t.test('a halted market closes at its end, before any request made at that time', async t => {
  const { test, operator } = await openMarket(t)
  await at(test, START + HOUR)
  await operator.move('halt')
  test.now = START + 2 * HOUR
  t.equal(await operator.move('resume'), 'refused: closed')
  t.equal(await operator.resolve('yes'), 'resolved yes')
})

t.test('a halt or resume applies to the orders queued behind it', async t => {
  const { test, operator } = await openMarket(t)
  await at(test, START + HOUR)
  await test.playAll(['asha buy 1 @ 5', 'ben buy 1 @ 4'])
  const before = test.place('asha buy 1 @ 6')
  const halted = operator.move('halt')
  const behind = test.place('ben buy 1 @ 6')
  const resumed = operator.move('resume')
  const later = test.place('ben sell 1 @ 6')
  t.equal(test.endOf(await before), 'filled 1')
  t.equal(await halted, 'open', 'by the time it is answered, trading has resumed')
  t.equal(test.endOf(await behind), 'rejected 0 market_halted')
  t.equal(await resumed, 'open')
  t.equal(test.endOf(await later), 'filled 1')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a full book is cleared in parts, and every hold is released', async t => {
  const { test, operator } = await openMarket(t)
  await at(test, START + HOUR)
  const count = CLEAR_LENGTH_MAX * 2 + 20
  const sides = ['buy 0.1 @ 3', 'buy 0.1 @ 2', 'sell 0.1 @ 7', 'sell 0.1 @ 8']
  const orders = await Promise.all(
    Array.from({ length: count }, (_, n) => test.place(`u${n % 20} ${sides[n % sides.length]}`)),
  )
  const image = test.crashImage(join(t.testdirName, 'full.db'))
  await operator.move('close')
  await test.exchange.drain()
  await new Promise(resolve => setImmediate(resolve))
  await test.exchange.drain()
  t.ok(orders.every(order => test.endOf(order) === 'cancelled 0 market_closed'))
  t.equal(test.book(), '- | -')
  t.equal(test.money('u3'), 'cash 1000 held 0 available 1000')
  const parts = test.journalled().filter(({ type }) => type === 'CLEAR_BOOK')
  t.equal(parts.length, 2, 'the first part goes with the close')
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()

  t.test('even after a crash between the parts', async t => {
    const other = await TestExchange.open(t, { file: image })
    other.tamper(`CREATE TRIGGER log.fault BEFORE INSERT ON journal WHEN NEW.commands LIKE '%CLEAR_BOOK%'
      BEGIN SELECT RAISE(ABORT, 'disk failure'); END`)
    other.now = START + HOUR
    void new Operator(other).move('close')
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
    t.equal(other.failures.length, 1)
    const left = other.rows<object>("SELECT * FROM orders WHERE state = 'resting'").length
    t.ok(left > 0 && left < count, `${left} orders still rested`)
    other.tamper('DROP TRIGGER log.fault')
    await other.restart()
    await other.exchange.drain()
    t.equal(other.book(), '- | -')
    t.equal(other.money('u3'), 'cash 1000 held 0 available 1000')
    t.ok(other.exchange.moneyIsAllThere())
  })
})

t.test('of two creations at once, one gets the id, and one the title', async t => {
  const test = await TestExchange.open(t)
  const { terms, listing } = await test.create()
  const create = (id: string, slug: string) => {
    const { id: _id, createdAt: _createdAt, ...words } = listing
    return test.exchange.createMarket({ terms, listing: { ...words, slug }, id })
  }
  const shown = (made: Awaited<ReturnType<typeof create>>) =>
    typeof made === 'string' ? made : made.listing.id
  const sameId = await Promise.all([
    create('daily-1', 'snow'),
    create('daily-1', 'hail'),
    create('daily-1', 'fog'),
  ])
  t.same(sameId.map(shown), ['daily-1', 'id_used', 'id_used'])
  const sameSlug = await Promise.all([create('daily-2', 'wind'), create('daily-3', 'wind')])
  t.same(sameSlug.map(shown), ['daily-2', 'slug_used'])
  t.same(
    [...test.exchange.directory.all()].map(market => market.listing.slug),
    [listing.slug, 'snow', 'wind'],
  )
  await test.restart()
  t.equal([...test.exchange.directory.all()].length, 3)
})
