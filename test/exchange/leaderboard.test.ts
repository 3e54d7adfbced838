import type { Test } from 'tap'
import t from 'tap'
import type { AccountNumber, MarketCode, TimeMs } from '../../src/core/units.js'
import { UNITS_PER_RUPEE } from '../../src/core/units.js'
import { PeopleFigures } from '../../src/exchange/reads/people-figures.js'
import type { Span } from '../../src/exchange/reads/people-tallies.js'
import { openReadOnly } from '../../src/store/database.js'
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
