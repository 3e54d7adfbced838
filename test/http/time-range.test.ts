import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { appOn } from '../fixtures/http-scenario.js'
import { readAll, readPage } from '../fixtures/paging.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'

type Row = Readonly<Record<'ts' | 'createdAt', string>>
const LISTS = [
  '/events/1000001/trades',
  '/portfolio/asha/fills',
  '/portfolio/asha/statement',
  '/order?userid=asha',
  '/order?userid=ben&event_id=1000002',
  '/order?userid=ben&state=cancelled',
  '/order?userid=cora&state=resting',
]

const timeOf = ({ ts, createdAt }: Row) => Date.parse(ts ?? createdAt)

t.test('a time range selects exactly its rows, whatever the pages', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  await liveFullDay(test, dice, 200)
  const on = appOn(test)
  for (const path of LISTS) {
    const all = await readAll<Row>(on, path, 1000)
    const times = [...all.map(timeOf), START, test.now + 1]
    for (let n = 0; n < 12; n++) {
      const from = times[dice.between(0, times.length - 1)] as number
      const to = (times[dice.between(0, times.length - 1)] as number) + dice.between(0, 1)
      if (to <= from) continue
      const written = dice.percent(50) ? String(from) : new Date(from).toISOString()
      const bounds = dice.oneOf([`from=${written}&to=${to}`, `from=${written}`, `to=${to}`])
      const wanted = all
        .filter(row => !bounds.includes('from') || timeOf(row) >= from)
        .filter(row => !bounds.includes('to') || timeOf(row) < to)
      const query = `${path}${path.includes('?') ? '&' : '?'}${bounds}`
      const limit = dice.oneOf([1, 3, 7, 1000])
      t.same(await readAll<Row>(on, query, limit), wanted, `${query} by ${limit}`)
    }
  }
})

t.test('a range reads the same with an offset, in epoch milliseconds, and under /api/v1', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  test.now += 60_000
  await test.playAll(['ben sell 1 @ 6'])
  const on = appOn(test)
  const iso = new Date(START + 1).toISOString()
  const offset = `${new Date(START + 1 + 19_800_000).toISOString().slice(0, -1)}%2B05:30`
  for (const from of [String(START + 1), iso, offset]) {
    for (const base of ['', '/api/v1']) {
      const { rows, next } = await readPage<Row>(on, `${base}/events/1000001/trades?from=${from}`)
      t.same([rows.length, next], [1, null], from)
    }
  }
})

t.test('an invalid time or range is refused and the parameter named', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6'])
  const { app } = appOn(test)
  const moment = 'Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds'
  const rows = [
    ['from=today', `from: ${moment}`],
    ['to=2026-01-31', `to: ${moment}`],
    ['to=2026-01-31T18:30:00', `to: ${moment}`],
    ['from=', `from: ${moment}`],
    ['from=-1', `from: ${moment}`],
    ['from=1e3', `from: ${moment}`],
    ['from=1969-12-31T23:59:59.999Z', 'from: Expected a time since 1970'],
    ['from=5&to=5', 'to: Expected a time after from'],
    ['from=2026-01-31T18:30:00Z&to=7', 'to: Expected a time after from'],
  ]
  for (const path of [...LISTS.slice(0, 4), '/events/1000001/candles']) {
    for (const [query, message] of rows) {
      const response = await app.request(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      t.match(await response.json(), { code: 422, message }, `${path} ${query}`)
    }
  }
})
