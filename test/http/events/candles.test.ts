import t from 'tap'
import { Dice } from '../../fixtures/dice.js'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { readAll } from '../../fixtures/paging.js'
import { HOUR, MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'
import type { SeenCandle } from './naive-candles.js'
import { naiveCandles } from './naive-candles.js'

const MINUTE = 60_000
const DAY = 24 * HOUR
const INTERVALS = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '1d': DAY } as const
const iso = (ms: number) => new Date(ms).toISOString()

async function read({ app }: TestApp, query: string): Promise<SeenCandle[]> {
  const response = await app.request(`/events/1000001/candles${query}`)
  const body = (await response.json()) as { message: string; additional: { candles: SeenCandle[] } }
  if (response.status !== 200) throw new Error(`${query}: ${body.message}`)
  return body.additional.candles
}

/** One trade at a price, of this quantity, now. */
const trade = (test: TestExchange, price: number, quantity = 1) =>
  test.playAll([`asha buy ${quantity} @ ${price}`, `ben sell ${quantity} @ ${price}`])

const open = (t: Parameters<typeof TestExchange.open>[0]) =>
  TestExchange.open(t, { startingBalance: 1_000_000 })

t.test('candles match a scan of every trade, for any interval and range', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await open(t)
  const app = appOn(test)
  await test.create({ endAt: START + 100 * DAY })
  // Another market, whose trades must not count.
  await test.create()
  for (let made = 0; made < 150; made++) {
    test.now += dice.oneOf([0, 0, 1, dice.between(0, MINUTE), dice.between(0, 3 * HOUR), MINUTE])
    await trade(test, dice.between(400, 600) / 100, dice.between(1, 500) / 100)
    if (dice.percent(20)) await test.playAll(['asha buy 1 @ 9', 'ben sell 1 @ 9'], (MARKET + 1) as never)
  }
  const trades = (await readAll<never>(app, '/events/1000001/trades', 1000)).toReversed()
  t.ok(trades.length >= 150)
  for (const [interval, intervalMs] of Object.entries(INTERVALS)) {
    for (let range = 0; range < 12; range++) {
      const from = dice.between(START - HOUR, test.now) - (dice.percent(30) ? START % intervalMs : 0)
      const to = Math.min(from + dice.between(1, 999) * intervalMs, test.now + 1)
      const query = `?interval=${interval}&from=${iso(from)}&to=${iso(to)}`
      if (to > from) t.same(await read(app, query), naiveCandles(trades, intervalMs, from, to), query)
    }
    const end = Math.floor(test.now / intervalMs) * intervalMs + intervalMs
    const last = naiveCandles(trades, intervalMs, end - 500 * intervalMs, end)
    t.same(await read(app, `?interval=${interval}`), last, `the last 500 of ${interval}`)
  }
})

t.test('a trade on an interval boundary belongs to the interval that begins there', async t => {
  const test = await open(t)
  const app = appOn(test)
  await test.create()
  for (const [at, price] of [
    [0, 5],
    [MINUTE - 1, 6],
    [MINUTE, 7],
    [4 * MINUTE, 4],
  ] as const) {
    test.now = START + at
    await trade(test, price)
  }
  const candle = (at: number, open: number, high: number, low: number, close: number, trades: number) => {
    return { ts: iso(START + at * MINUTE), open, high, low, close, volume: trades, trades }
  }
  const all = [
    candle(0, 5, 6, 5, 6, 2),
    candle(1, 7, 7, 7, 7, 1),
    candle(2, 7, 7, 7, 7, 0),
    candle(3, 7, 7, 7, 7, 0),
    candle(4, 4, 4, 4, 4, 1),
  ]
  const range = (from: number, to: number) => `?from=${iso(START + from)}&to=${iso(START + to)}`
  t.same(await read(app, ''), all, 'none before the first trade, none after now')
  t.same(await read(app, range(0, 5 * MINUTE)), all)
  t.same(await read(app, range(0, 1)), all.slice(0, 1), 'a candle is whole, wherever `to` lies in it')
  t.same(await read(app, range(0, MINUTE)), all.slice(0, 1), '`to` is exclusive')
  t.same(await read(app, range(0, MINUTE + 1)), all.slice(0, 2))
  t.same(await read(app, range(MINUTE - 1, MINUTE)), all.slice(0, 1), '`from` may lie in it')
  t.same(await read(app, range(2 * MINUTE, 3 * MINUTE)), all.slice(2, 3), 'between two trades')
  t.same(await read(app, range(4 * MINUTE, 900 * HOUR)), all.slice(4), 'not beyond now')
  t.same(await read(app, range(-HOUR, 0)), [], 'before the first trade')
  t.same(await read(app, range(HOUR, 2 * HOUR)), [], 'after now')
  t.same(await read(app, `?from=${iso(START + HOUR)}`), [])
  t.same(await read(app, `?to=${iso(START + 2 * MINUTE)}`), all.slice(0, 2))
  t.same(await read(app, `?from=${iso(START).replace('Z', '%2B05:30')}&interval=1d`), [
    { ...candle(0, 5, 7, 4, 4, 4), ts: iso(START - (START % DAY)) },
  ])
})

t.test('an event without trades has no candles', async t => {
  const test = await open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 6'])
  for (const query of ['', '?interval=1d', `?from=${iso(START - HOUR)}`])
    t.same(await read(appOn(test), query), [])
})

t.test('simultaneous trades make one candle', async t => {
  const test = await open(t)
  const app = appOn(test)
  await test.create()
  const bids = Array.from({ length: 130 }, (_, index) => test.place(`asha buy 1 @ ${(400 + index) / 100}`))
  await Promise.all(bids)
  await test.place('ben sell 130 @ 4')
  for (const interval of Object.keys(INTERVALS)) {
    const candles = await read(app, `?interval=${interval}`)
    t.match(candles, [{ open: 5.29, high: 5.29, low: 4, close: 4, volume: 130, trades: 130 }])
    t.equal(candles.length, 1)
  }
})

t.test('a candle includes no trade that is not on disk', async t => {
  const test = await open(t)
  const app = appOn(test)
  await test.create()
  await trade(test, 5)
  await test.place('asha buy 1 @ 6')
  const before = await read(app, '')
  const onItsWay = test.place('ben sell 1 @ 6')
  t.same(await read(app, ''), before)
  await onItsWay
  t.match(await read(app, ''), [{ close: 6, trades: 2 }])
})

t.test('a request that cannot yield candles is refused', async t => {
  const test = await open(t)
  await test.create()
  const row = (path: string, status: number, message: string): Scenario => {
    return { name: path, path: `/events/${path}`, status, answer: refusal(status, message) }
  }
  const intervals = "'1m' | '5m' | '15m' | '1h' | '1d'"
  const date = 'Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds'
  const tooMany = 'from: Expected at most 1000 candles: name a later time or a longer interval'
  const at = (hours: number) => iso(START + hours * HOUR)
  const none = {
    status: true,
    code: 200,
    message: 'Candles fetched successfully',
    additional: { candles: [] },
  }
  const empty = (path: string): Scenario => ({ name: path, path, status: 200, answer: none })
  const first = iso(START + MINUTE - 1000 * MINUTE)
  await checkScenarios(t, appOn(test), [
    ...['2m', '', '1M', '60', '1m,5m'].map(text =>
      row(
        `1000001/candles?interval=${text}`,
        422,
        `interval: Invalid enum value. Expected ${intervals}, received '${text}'`,
      ),
    ),
    ...['', '2027-01-15', '-1800000000000', 'now', '2027-01-15T08:00:00', '2027-13-01T00:00:00Z'].flatMap(
      text => [
        row(`1000001/candles?from=${text}`, 422, `from: ${date}`),
        row(`1000001/candles?to=${text}`, 422, `to: ${date}`),
      ],
    ),
    row('1000001/candles?from=1969-12-31T23:59:59Z', 422, 'from: Expected a time since 1970'),
    row(`1000001/candles?from=${at(1)}&to=${at(1)}`, 422, 'to: Expected a time after from'),
    row(`1000001/candles?from=${at(1)}&to=${at(0)}`, 422, 'to: Expected a time after from'),
    row(`1000001/candles?from=${at(-1000)}`, 422, tooMany),
    row(`1000001/candles?interval=1h&from=${at(-1000)}&to=${at(1)}`, 422, tooMany),
    row(`1000001/candles?from=${iso(Date.parse(first) - 1)}`, 422, tooMany),
    empty(`/events/1000001/candles?from=${first}`),
    empty(`/events/1000001/candles?interval=1h&from=${at(-999)}&to=2999-01-01T00:00:00Z`),
    empty('/api/v1/events/1000001/candles?interval=1d'),
    ...['1000002', 'x', '1000001%20'].map(code => row(`${code}/candles`, 404, 'Event not found')),
  ])
})
