import t from 'tap'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { readAll, readPage } from '../../fixtures/paging.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'

interface Order {
  readonly id: string
  readonly event_id: string
  readonly state: string
  readonly createdAt: string
}

const SECOND = 1_000_002 as never
/** Returns an order id without its suffix: `1000001-3`. */
const names = (orders: readonly Order[]) => orders.map(({ id }) => id.replace(/-tail.*/, ''))

async function trade(t: Parameters<typeof TestExchange.open>[0]): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  await test.playAll(['asha buy 2 @ 5', 'asha sell 1 @ 9.95', 'ben sell 1 @ 5'])
  test.now = START + HOUR
  await test.playAll(['asha buy 1 @ 4', 'asha buy 1 market', 'ben buy 1 @ 3'], SECOND)
  test.now = START + 2 * HOUR
  await test.playAll(['asha sell 1 @ 5', 'asha buy 1 no @ 3'])
  await test.cancel(await test.place('asha buy 1 @ 2'))
  return test
}

const LISTS: readonly (readonly [string, readonly string[]])[] = [
  ['', ['1000001-6', '1000001-5', '1000001-4', '1000002-2', '1000002-1', '1000001-2', '1000001-1']],
  ['&event_id=1000002', ['1000002-2', '1000002-1']],
  ['&state=resting', ['1000001-5', '1000002-1']],
  ['&state=partially_filled', ['1000001-1']],
  ['&state=rejected', ['1000001-2']],
  ['&state=cancelled', ['1000001-6', '1000001-4', '1000002-2']],
  ['&state=cancelled&event_id=1000002', ['1000002-2']],
  ['&state=resting&event_id=1000002', ['1000002-1']],
  ['&state=queued', []],
  ['&state=expired', []],
]

t.test("a user's orders are listed newest first, by event and state, also after a restart", async t => {
  const test = await trade(t)
  for (const round of ['at once', 'after a restart']) {
    const app = appOn(test)
    for (const [query, expected] of LISTS) {
      for (const limit of [1, 2, 1000]) {
        const orders = await readAll<Order>(app, `/order?userid=asha${query}`, limit)
        t.same(names(orders), expected, `${round}: ${query} by ${limit}`)
      }
    }
    await test.restart()
  }
})

t.test('a listed order equals the order its id leads to, at / and at /api/v1', async t => {
  const app = appOn(await trade(t))
  for (const query of ['', '&state=resting', '&state=cancelled', '&state=rejected']) {
    const { rows } = await readPage<Order>(app, `/order?userid=asha${query}`)
    t.same((await readPage(app, `/api/v1/order?userid=asha${query}`)).rows, rows)
    for (const order of rows) {
      const response = await app.app.request(`/order/${order.id}`)
      t.match(await response.json(), { additional: order })
    }
  }
})

t.test('3,000 orders are each listed once while others arrive, fill and end', async t => {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000 })
  const app = appOn(test)
  await test.create()
  await test.create()
  for (let sent = 0; sent < 3000; sent += 500) {
    test.now += 1
    const batch = Array.from({ length: 500 }, (_, index) =>
      test.place(`asha buy 1 @ ${2 + (index % 100) / 100}`, (1_000_001 + (index % 2)) as never),
    )
    await Promise.all(batch)
  }
  const before = names(await readAll<Order>(app, '/order?userid=asha', 1000))
  t.equal(new Set(before).size, 3000)
  let rounds = 0
  const more = async () => {
    rounds++
    test.now += rounds % 3
    const sells = Array.from({ length: 3 }, () =>
      test.place('ben sell 1 @ 2', (1_000_001 + (rounds % 2)) as never),
    )
    await Promise.all([...sells, test.place('asha buy 1 @ 4'), test.place('asha buy 1 @ 1', SECOND)])
  }
  for (const limit of [97, 1000]) {
    const read = names(await readAll<Order>(app, '/order?userid=asha', limit, more))
    t.equal(new Set(read).size, read.length, 'none twice')
    t.same(read.slice(-3000), before, 'none missing')
  }
  const resting = new Set(names(await readAll<Order>(app, '/order?userid=asha&state=resting', 1000)))
  const read = names(await readAll<Order>(app, '/order?userid=asha&state=resting', 97, more))
  t.equal(new Set(read).size, read.length, 'none twice')
  const left = new Set(names(await readAll<Order>(app, '/order?userid=asha&state=resting', 1000)))
  const missing = [...resting].filter(name => left.has(name) && !read.includes(name))
  t.same(missing, [], 'none missing of those that stay')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order is not listed before it is on disk', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const lists = ['', '&state=resting', '&state=queued', '&event_id=1000001']
  const counts = () =>
    Promise.all(lists.map(async query => (await readPage(app, `/order?userid=asha${query}`)).rows.length))
  const onItsWay = test.place('asha buy 1 @ 5')
  t.same(await counts(), [1, 1, 0, 1])
  await onItsWay
  t.same(await counts(), [2, 2, 0, 2])
})

const STATES = ['queued', 'resting', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected']

t.test('an invalid listing request is refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const row = (query: string, status: number, message: string): Scenario => {
    return { name: query, path: `/order${query}`, status, answer: refusal(status, message) }
  }
  const enumeration = STATES.map(state => `'${state}'`).join(' | ')
  const cursors = [
    '',
    '1',
    '1-1000001',
    '1-1000001-',
    '1-1000001-1-1',
    'x-1000001-1',
    '1-100001-1',
    '-1-1000001-1',
  ]
  await checkScenarios(t, appOn(test), [
    row('', 422, 'userid: Required'),
    row('?event_id=1000001', 422, 'userid: Required'),
    row('?userid=', 422, 'userid: Expected 1 to 128 characters'),
    row(`?userid=${'x'.repeat(129)}`, 422, 'userid: Expected 1 to 128 characters'),
    row('?userid=%00', 422, 'userid: Expected text without lone surrogates or NUL'),
    ...['open', '', 'Resting', 'resting,filled'].map(state =>
      row(
        `?userid=asha&state=${state}`,
        422,
        `state: Invalid enum value. Expected ${enumeration}, received '${state}'`,
      ),
    ),
    ...['0', '1001', 'x'].map(limit => row(`?userid=asha&limit=${limit}`, 422, 'limit: Expected 1 to 1000')),
    ...cursors.map(cursor =>
      row(`?userid=asha&cursor=${cursor}`, 422, 'cursor: Expected the next_cursor of a page before'),
    ),
    ...['1000002', 'x', ''].map(code => row(`?userid=asha&event_id=${code}`, 404, 'Event not found')),
    ...['ben', 'Asha', 'house', 'escrow:1000001'].map(user => row(`?userid=${user}`, 404, 'User not found')),
  ])
})
