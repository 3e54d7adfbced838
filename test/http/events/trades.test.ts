import t from 'tap'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { readAll, readPage } from '../../fixtures/paging.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'

interface Trade {
  readonly tradeId: string
  readonly qty: number
}

const iso = (ms: number) => new Date(ms).toISOString()

t.test('trades are listed newest first, with all their fields', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  await test.playAll(['asha buy 10 @ 6.25', 'ben sell 4 @ 6'])
  await test.playAll(['dev sell 1 @ 5', 'cora buy 1 @ 5'], 1_000_002 as never)
  test.now = START + HOUR
  await test.playAll(['cora sell 2 no @ 4', 'ben buy 7 no @ 3.75'])
  const trade = (number: number, qty: number, taker_side: string, ts: number) => {
    const prices = { price: 6.25, no_price: 3.75 }
    return { tradeId: `1000001-${number}`, event_id: '1000001', ...prices, qty, taker_side, ts: iso(ts) }
  }
  const trades = [trade(2, 6, 'no', START + HOUR), trade(1, 4, 'no', START)]
  const additional = { trades, next_cursor: null }
  const answer = { status: true, code: 200, message: 'Trades fetched successfully', additional }
  await checkScenarios(t, appOn(test), [
    { name: 'at /', path: '/events/1000001/trades', status: 200, answer },
    { name: 'at /api/v1', path: '/api/v1/events/1000001/trades?limit=2', status: 200, answer },
  ])
})

t.test('an event without trades lists none', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 6', 'ben buy 1 market self maker'])
  t.same(await readPage(appOn(test), '/events/1000001/trades'), { rows: [], next: null })
})

t.test('pages neither skip nor repeat a trade while others are made', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100_000 })
  const app = appOn(test)
  await test.create()
  const trade = () => test.playAll(['asha sell 1 @ 5', 'ben buy 1 @ 5'])
  for (let made = 0; made < 20; made++) await trade()
  const before = await readAll<Trade>(app, '/events/1000001/trades', 1000)
  t.equal(before.length, 20)
  for (const limit of [1, 3, 19, 20, 21]) {
    const read = await readAll<Trade>(app, '/events/1000001/trades', limit, trade)
    const numbers = read.map(({ tradeId }) => Number(tradeId.slice('1000001-'.length)))
    t.same(
      numbers,
      Array.from(numbers, (_, index) => numbers.length - index),
      `by ${limit}`,
    )
  }
})

t.test('a trade that is not on disk is not shown', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const onItsWay = test.place('ben sell 1 @ 5')
  t.same((await readPage(app, '/events/1000001/trades')).rows, [], 'while it is on its way')
  await onItsWay
  t.equal((await readPage(app, '/events/1000001/trades')).rows.length, 1)
})

t.test('an invalid event, limit or cursor is refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'])
  const row = (path: string, status: number, message: string): Scenario => {
    return { name: path, path: `/events/${path}`, status, answer: refusal(status, message) }
  }
  const cursors = ['', '1', 'x', '1000001', '1000001-', '1000002-1', '1000001-x', '1000001-1-1', '-1', '%00']
  const none = { status: true, code: 200, message: 'Trades fetched successfully' }
  await checkScenarios(t, appOn(test), [
    ...cursors.map(text =>
      row(`1000001/trades?cursor=${text}`, 422, 'cursor: Expected the next_cursor of a page before'),
    ),
    ...['0', '-1', '1001', '1e2', ''].map(limit =>
      row(`1000001/trades?limit=${limit}`, 422, 'limit: Expected 1 to 1000'),
    ),
    ...['1000003', 'abc', '0', '1000001%20'].map(code => row(`${code}/trades`, 404, 'Event not found')),
    {
      name: 'behind the first',
      path: '/events/1000001/trades?cursor=1000001-1',
      status: 200,
      answer: { ...none, additional: { trades: [], next_cursor: null } },
    },
  ])
})
