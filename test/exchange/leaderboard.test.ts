import type { Test } from 'tap'
import t from 'tap'
import { assert } from '../../src/core/assert.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../src/core/units.js'
import { UNITS_PER_RUPEE } from '../../src/core/units.js'
import { PeopleFigures } from '../../src/exchange/reads/people-figures.js'
import { PeopleRecords } from '../../src/exchange/reads/people-records.js'
import type { Span } from '../../src/exchange/reads/people-tallies.js'
import { openReadOnly } from '../../src/store/database.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { Dice } from '../fixtures/dice.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const DAY = 24 * HOUR
const EVERYBODY = { isDefault: true, others: () => [] }
const OTHER = (MARKET + 1) as MarketCode

/** Returns what a board shows: `asha 30, ben -10`. */
async function board(
  test: TestExchange,
  by: 'profit' | 'volume' | 'calibration',
  span: Span = 'all',
  choices = EVERYBODY as { isDefault: boolean; others: () => Iterable<string> },
): Promise<string> {
  const found = await test.exchange.archive.people.top(by, span, choices)
  if (typeof found === 'string') return found
  const figure = { profit: 'profit', volume: 'volume', calibration: 'error' } as const
  return found.rows
    .map(row => {
      const value = row[figure[by]]
      return `${row.userId} ${by === 'calibration' ? (value / row.forecasts).toFixed(4) : value / UNITS_PER_RUPEE}`
    })
    .join(', ')
}

/** Lets the next request count again. */
const later = (test: TestExchange) => {
  test.now += 30_000
}

async function open(t: Test) {
  const test = await TestExchange.open(t)
  await test.create({ endAt: START + 90 * DAY })
  return { test, operator: new Operator(test) }
}

t.test('profit is counted when an event is resolved, also of those who sold out before', async t => {
  const { test, operator } = await open(t)
  await test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4', 'cora buy 10 @ 7', 'asha sell 10 @ 7'])
  t.equal(await board(test, 'profit'), '', 'nothing before')
  await operator.settle('no')
  t.equal(await board(test, 'profit'), '', 'a board is kept for half a minute')
  later(test)
  t.equal(await board(test, 'profit'), 'ben 40, asha 30, cora -70')
  t.equal(await board(test, 'volume'), 'asha 70, cora 70, ben 60')
  await test.restart()
  t.equal(await board(test, 'profit'), 'ben 40, asha 30, cora -70', 'also after a restart')
})

t.test('a void event brings neither profit nor forecasts', async t => {
  const { test, operator } = await open(t)
  await test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4', 'cora buy 10 @ 7', 'asha sell 10 @ 7'])
  await operator.settle('void')
  t.equal(await board(test, 'profit'), '')
  const figures = await test.exchange.archive.people.of('asha')
  t.match(figures, { since: START, spans: { all: { profit: 0, events: 0, forecasts: 0 } } })
})

t.test('a trade with oneself is neither volume nor a forecast', async t => {
  const { test, operator } = await open(t)
  await test.playAll(['asha buy 10 @ 4 self off', 'asha sell 10 @ 4 self off'])
  await operator.settle('yes')
  t.equal(await board(test, 'volume'), '')
  const figures = await test.exchange.archive.people.of('asha')
  t.match(figures, { spans: { all: { profit: 0, volume: 0, forecasts: 0 } } })
})

t.test('a forecast lies between the price paid and certainty, and counts once for each event', async t => {
  const test = await TestExchange.open(t)
  const operator = new Operator(test)
  for (let number = 0; number < 5; number++) {
    const market = (MARKET + number) as MarketCode
    await test.create({ endAt: START + 90 * DAY })
    // Asha says 80% and, with as many contracts, 30%: 55% on average. Ben says 30% and 80%.
    await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'], market)
    if (number === 0) await test.playAll(['ben buy 10 @ 6', 'asha sell 10 @ 6'], market)
    if (number === 4) t.equal(await board(test, 'calibration'), '', 'four are too few')
    await operator.settle(number === 1 ? 'no' : 'yes', market)
    later(test)
  }
  const asha = (0.45 ** 2 + 0.8 ** 2 + 3 * 0.2 ** 2) / 5
  const ben = (0.45 ** 2 + 0.3 ** 2 + 3 * 0.7 ** 2) / 5
  t.equal(await board(test, 'calibration'), `asha ${asha.toFixed(4)}, ben ${ben.toFixed(4)}`)
})

t.test('what is older than a span is not in it', async t => {
  const { test, operator } = await open(t)
  await test.create({ endAt: START + 90 * DAY })
  await test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4'])
  await operator.settle('yes')
  test.now = START + 6 * DAY
  t.equal(await board(test, 'profit', '7d'), 'asha 60, ben -60')
  test.now = START + 7 * DAY
  t.equal(await board(test, 'profit', '7d'), '')
  t.equal(await board(test, 'volume', '7d'), '')
  await test.playAll(['ben buy 10 @ 4', 'asha sell 10 @ 4'], OTHER)
  await operator.settle('yes', OTHER)
  later(test)
  t.equal(await board(test, 'profit', '7d'), 'ben 60, asha -60')
  t.equal(await board(test, 'profit', '30d'), 'asha 0, ben 0')
  test.now = START + 30 * DAY
  t.equal(await board(test, 'profit', '30d'), 'ben 60, asha -60')
  test.now = START + 60 * DAY
  t.equal(await board(test, 'profit', '30d'), '')
  t.equal(await board(test, 'profit'), 'asha 0, ben 0')
})

t.test('a rank of a week ago is that of the span which ended then', async t => {
  const { test, operator } = await open(t)
  const settle = async (order: string, number: number, outcome: 'yes' | 'no' = 'yes') => {
    const market = (MARKET + number) as MarketCode
    if (number > 0) await test.create({ endAt: START + 90 * DAY })
    await test.playAll([`${order} buy 10 @ 4`, 'zoe sell 10 @ 4'], market)
    await operator.settle(outcome, market)
  }
  const ranks = async (span: Span) => {
    const found = await test.exchange.archive.people.top('profit', span, EVERYBODY)
    return typeof found === 'string'
      ? found
      : found.rows.map(({ userId, rank, before }) => `${rank} ${userId} ${before ?? '-'}`).join(', ')
  }
  await settle('asha', 0)
  t.equal(await ranks('7d'), '1 asha -, 2 zoe -', 'a week ago there was nobody')
  test.now = START + 7 * DAY
  t.equal(await ranks('7d'), '', 'those who are no longer ranked are not shown')
  await settle('ben', 1)
  await settle('ben', 2)
  later(test)
  t.equal(await ranks('7d'), '1 ben -, 2 zoe 2')
  t.equal(await ranks('30d'), '1 ben -, 2 asha 1, 3 zoe 2')
  t.equal(await ranks('all'), '1 ben -, 2 asha 1, 3 zoe 2')
  test.now = START + 36 * DAY
  t.equal(await ranks('30d'), '1 ben 1, 2 zoe 3', 'the span of a week ago began 37 days ago')
  t.equal(await ranks('all'), '1 ben 1, 2 asha 2, 3 zoe 3')

  const people = test.exchange.archive.people
  t.match(await people.placeOf('profit', 'all', 'zoe'), { rank: 3, before: 3, userId: 'zoe', events: 3 })
  t.equal(await people.placeOf('calibration', 'all', 'zoe'), undefined, 'that board was not read')
  t.equal(await people.placeOf('profit', 'all', 'nobody'), undefined)
})

t.test('a profile has the course of profit, the calibration and the best calls', async t => {
  const { test, operator } = await open(t)
  await test.create({ endAt: START + 90 * DAY })
  await test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4'])
  await operator.settle('yes')
  test.now = START + 2 * DAY
  await test.playAll(['asha buy 10 @ 3', 'ben sell 10 @ 3'], OTHER)
  await operator.settle('no', OTHER)
  const asha = await test.exchange.archive.people.of('asha')
  if (asha === undefined || typeof asha === 'string') throw new Error('there are figures')
  t.same(
    asha.course.slice(-4).map(({ profit }) => profit / UNITS_PER_RUPEE),
    [0, 60, 60, 30],
    'all profit by the end of each day',
  )
  t.equal(asha.course.length, 30)
  t.same(asha.bins, [
    { forecast: 0.65, happened: 0, count: 1 },
    { forecast: 0.7, happened: 1, count: 1 },
  ])
  t.equal(asha.won, 1)
  t.same(asha.best, [{ market: MARKET, outcome: 'yes', profit: 60 * UNITS_PER_RUPEE, forecast: 0.7 }])
  const ben = await test.exchange.archive.people.of('ben')
  t.match(ben, { won: 1, best: [{ market: OTHER, outcome: 'no', forecast: 0.15 }] })
  test.now = START + 60 * DAY
  const old = await test.exchange.archive.people.of('asha')
  t.match(old, { course: [{ profit: 30 * UNITS_PER_RUPEE }], won: 1 }, 'what is older is in its first day')
})

t.test('no more than three calls are kept, the best ones', async t => {
  const records = new PeopleRecords(1)
  const account = 9 as AccountNumber
  for (const profit of [10, -50, 40, 20, 0, 30]) {
    records.add(account, { market: MARKET, outcome: 'yes', profit, forecast: undefined })
  }
  t.same(
    records.of(account).best.map(call => call.profit),
    [40, 30, 20],
  )
  t.match(records.of(account), { won: 4, bins: [] })
  const certain = { market: MARKET, outcome: 'no', profit: 1, forecast: 1 } as const
  records.add(account, certain)
  t.same(records.of(account).bins, [{ forecast: 1, happened: 0, count: 1 }], 'certainty is in the last tenth')
  records.add(10 as AccountNumber, certain)
  t.same(records.of(10 as AccountNumber), { bins: [], best: [], won: 0 }, 'its memory is bounded')
})

t.test('only those who are listed are ranked', async t => {
  const { test, operator } = await open(t)
  await test.playAll(['asha buy 10 @ 4', 'ben sell 6 @ 4', 'cora sell 4 @ 4'])
  await operator.settle('yes')
  const others = () => ['ben', 'nobody']
  t.equal(await board(test, 'profit', 'all', { isDefault: true, others }), 'asha 60, cora -24')
  t.equal(await board(test, 'profit', '30d', { isDefault: false, others }), 'ben -36')
})

t.test('once all events are resolved, profit is what users have beyond what they began with', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 400 })
  const operator = new Operator(test)
  const users = ['asha', 'ben', 'cora', 'dev'] as const
  const markets = [MARKET, OTHER, (MARKET + 2) as MarketCode] as const
  for (const _ of markets) await test.create()
  for (let count = 0; count < 200; count++) {
    const price = dice.between(20, 80) / 10
    const order = `${dice.oneOf(users)} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 20)} @ ${price}`
    await test.tryPlace(`${order} self ${dice.oneOf(['taker', 'off'])}`, dice.oneOf(markets))
  }
  await test.exchange.drain()
  for (const market of markets) await operator.settle(dice.oneOf(['yes', 'no']), market)

  const database = openReadOnly(test.file)
  const lines = new PeopleFigures(database)
  const lengthMax = dice.between(1, 50)
  while (!lines.advance(test.now, lengthMax).isDone);
  const whole = new PeopleFigures(database)
  t.same(whole.advance(test.now, 1_000_000), { isDone: true, isPartial: false })
  let sum = 0
  for (const user of users) {
    const balance = test.exchange.balance(user)
    if (balance === undefined) continue
    const { number = 0 as AccountNumber } = userOf(test, user)
    const { profit } = whole.of(number, test.now).spans.all
    t.equal(profit, balance.cash - 400 * UNITS_PER_RUPEE, user)
    t.same(lines.of(number, test.now), whole.of(number, test.now), 'in parts or as a whole')
    sum += profit
  }
  t.equal(sum, 0, 'what one gains, others lose')
  database.close()
})

t.test('its memory is bounded: later users are not counted, and it says so', async t => {
  const { test, operator } = await open(t)
  await test.playAll(['asha buy 10 @ 4', 'ben sell 6 @ 4', 'cora sell 4 @ 4'])
  await operator.settle('yes')
  const database = openReadOnly(test.file)
  for (const bounds of [{ tallies: 4 }, { stakes: 2 }]) {
    const figures = new PeopleFigures(database, bounds)
    t.same(figures.advance(test.now, 1000), { isDone: true, isPartial: true })
    const listed = { isDefault: true, others: [] }
    const rows = figures.ranking('profit', 'all', test.now as TimeMs, listed, 10)
    t.ok(rows.length < 3)
    t.notOk(rows.some(({ userId }) => userId === 'cora'))
  }
  database.close()
})

function userOf(test: TestExchange, user: string): { readonly number?: AccountNumber } {
  return (
    test.rows<{ number: AccountNumber }>(`SELECT number FROM accounts WHERE owner = 'user:${user}'`)[0] ?? {}
  )
}

t.test('an exclusive group is one event, and its result is a call on the outcome that won', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3)
  for (const letter of 'ABC') {
    await group.play(`${letter}: asha buy 10 @ 3`, `${letter}: ben sell 10 @ 3`)
  }
  await group.close()
  await group.resolve('B')
  await test.exchange.drain()
  later(test)
  const asha = await test.exchange.archive.people.of('asha')
  assert(typeof asha === 'object', 'asha has figures')
  t.match(asha.spans.all, { profit: 10 * UNITS_PER_RUPEE, events: 1, forecasts: 3 })
  t.match([asha.best, asha.won], [[{ market: group.codeOf('B'), profit: 10 * UNITS_PER_RUPEE }], 1])
})
