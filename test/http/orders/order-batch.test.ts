import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { orderId } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import { LateTask } from '../../../src/shard/late-task.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}

interface Result {
  readonly status: boolean
  readonly code: number
  readonly message: string
  readonly additional: { readonly id: string; readonly state: string }
}

async function openApp(t: Test, options = {}): Promise<TestApp> {
  const test = await TestExchange.open(t, options)
  await test.create()
  await test.place('asha buy 1 @ 1')
  return appOn(test)
}

async function batch({ app }: TestApp, body: unknown) {
  const response = await app.request('/order/batch', { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as {
    readonly code: number
    readonly message: string
    readonly additional: { readonly results: readonly Result[] }
  }
}

t.test('an internal error in one order leaves the rest of its batch alone', async t => {
  const { app, test, faults } = await openApp(t)
  const { exchange } = test
  const placeOrder = exchange.placeOrder.bind(exchange)
  const ends = [new Error('broken'), new LateTask('lookups', 120_000)]
  Object.assign(exchange, {
    placeOrder: (request: OrderRequest) =>
      request.userId === 'ben' ? Promise.reject(ends.shift()) : placeOrder(request),
  })
  const ofBen = { ...ORDER, userid: 'ben' }
  const { code, additional } = await batch({ app, test, faults }, { orders: [ORDER, ofBen, ofBen, ORDER] })
  t.equal(code, 200)
  t.match(additional.results, [
    { status: true, code: 201 },
    { ...Object(refusal(500, 'The exchange could not answer this request')), reason: 'internal' },
    {
      ...Object(refusal(503, 'The read waited too long for its turn: try again in a moment')),
      reason: 'read_late',
    },
    { status: true, code: 201 },
  ])
  t.same(
    faults.map(({ message }) => message),
    ['broken', 'lookups: no answer within 120 s'],
  )
})

t.test('each order of a batch has its own answer in its place and affects no other', async t => {
  const app = await openApp(t)
  const { code, message, additional } = await batch(app, {
    orders: [
      ORDER,
      { ...ORDER, offer_type: 'hold' },
      { ...ORDER, event_id: '1000009' },
      { ...ORDER, l1_expected_price: 9.99 },
      null,
      { ...ORDER, offer_type: 'sell', userid: 'ben' },
    ],
  })
  t.match({ code, message }, { code: 200, message: '3 of 6 orders placed' })
  t.match(additional.results, [
    { status: true, code: 201, message: 'Order placed successfully' },
    refusal(422, "offer_type: Invalid enum value. Expected 'buy' | 'sell', received 'hold'"),
    refusal(404, 'Event not found'),
    { code: 201, additional: { state: 'rejected', reason: 'price_out_of_range' } },
    refusal(422, 'body: Expected object, received null'),
    { code: 201, additional: { state: 'filled', userid: 'ben' } },
  ])
  t.equal(app.test.book(), '1@1 | -')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('a hundred orders share their batches, and are cancelled as they were placed', async t => {
  const app = await openApp(t)
  const before = app.test.rows<object>('SELECT * FROM journal').length
  const placed = await batch(app, { orders: Array.from({ length: 100 }, () => ORDER) })
  const ids = placed.additional.results.map(result => result.additional.id)
  t.equal(new Set(ids).size, 100)
  t.equal(app.test.rows<object>('SELECT * FROM journal').length - before, 1)
  const ended = await batch(app, { cancels: [...ids.slice(2), 'nothing', ids[5]] })
  t.equal(ended.message, '99 of 100 orders cancelled')
  t.match(ended.additional.results.at(-2), refusal(404, 'Order not found'))
  t.match(ended.additional.results.at(-1), { code: 200, additional: { state: 'cancelled' } })
  t.equal(app.test.book(), '2@5 1@1 | -')
})

t.test('an unreadable batch is refused as a whole', async t => {
  const app = await openApp(t)
  const orders = Array.from({ length: 101 }, () => ORDER)
  for (const [body, message] of [
    [[], 'body: Expected object, received array'],
    [{}, 'orders: Required'],
    [{ orders: {} }, 'orders: Expected array, received object'],
    [{ orders: [] }, 'orders: Expected 1 to 100, received 0'],
    [{ orders }, 'orders: Expected 1 to 100, received 101'],
    [{ cancels: orders }, 'cancels: Expected 1 to 100, received 101'],
    [{ orders: [ORDER], cancels: ['a'] }, 'cancels: Send cancels and orders in separate requests'],
  ] as const) {
    t.match(await batch(app, body), refusal(422, message))
  }
  t.equal(app.test.book(), '1@1 | -')
})

t.test('orders beyond the room in the queue are refused one by one', async t => {
  const app = await openApp(t, { queueLengthMax: 3, shardCount: 1 })
  const { additional } = await batch(app, { orders: Array.from({ length: 5 }, () => ORDER) })
  t.same(
    additional.results.map(({ code }) => code),
    [201, 201, 201, 503, 503],
  )
  t.equal(app.test.book(), '3@5 1@1 | -')
})

t.test('a batch is executed in order, whatever it contains', async t => {
  for (const shardCount of [1, 3]) {
    const app = await openApp(t, { shardCount })
    const sell = { ...ORDER, offer_type: 'sell', l1_expected_price: 6 }
    const take = { ...ORDER, l1_expected_price: 6, time_in_force: 'IOC' }
    const named = { client_order_id: 'k1' }
    for (const first of [{ userid: 'new1' }, { userid: 'asha', ...named }, { userid: 'new2', ...named }]) {
      const { additional } = await batch(app, {
        orders: [
          { ...sell, ...first },
          { ...take, userid: 'ben' },
        ],
      })
      const states = additional.results.map(result => result.additional.state)
      t.same(states, ['filled', 'filled'], `${JSON.stringify(first)} on ${shardCount}`)
    }
    const bids = [{ ...named, client_order_id: 'k2' }, {}, { ...named, client_order_id: 'k3' }]
    const { additional } = await batch(app, { orders: bids.map(bid => ({ ...ORDER, ...bid })) })
    const numbers = additional.results.map(({ additional: { id } }) => Number(id.split('-')[1]))
    t.same(
      numbers,
      [...numbers].sort((a, b) => a - b),
      'their places in the queue',
    )
    t.ok(app.test.exchange.moneyIsAllThere())
  }
})

t.test('no single order, amendment or cancel overtakes a batch read before it', async t => {
  const { app, test } = await openApp(t)
  const resting = await test.place('asha sell 1 @ 7')
  const post = (path: string, body: unknown) =>
    app.request(path, { method: 'POST', body: JSON.stringify(body) })
  const orders = [
    { ...ORDER, userid: 'new1', client_order_id: 'k1' },
    { ...ORDER, client_order_id: 'k1' },
  ]
  const before = post('/order/batch', { orders })
  const after = [
    post('/order/initiate', { ...ORDER, userid: 'ben' }),
    post(`/order/${orderId(resting)}/amend`, { price: 6.5 }),
  ]
  await Promise.all([before, ...after])
  const rows = test.rows<{ key: string | null }>('SELECT client_key AS key FROM orders ORDER BY number')
  t.same(rows.slice(2, 4), [{ key: 'k1' }, { key: 'k1' }])
  t.equal(test.book(), '3@5 1@1 | 1@6.5')
})

interface NamedAnswer {
  readonly status: number
  readonly reason: string | null
  readonly results: readonly (Result & { readonly reason?: string })[]
}

async function named({ app }: TestApp, key: string, body: unknown): Promise<NamedAnswer> {
  const headers = { 'Idempotency-Key': key }
  const response = await app.request('/order/batch', { method: 'POST', body: JSON.stringify(body), headers })
  const { additional } = (await response.json()) as { additional?: { results: NamedAnswer['results'] } }
  const results = additional?.results ?? []
  return { status: response.status, reason: response.headers.get('raay-reason'), results }
}

const idsOf = ({ results }: NamedAnswer) => results.map(result => result.additional?.id)
const writes = ({ test }: TestApp) => test.journalled().length

t.test('a named batch sent again is answered with its orders and places none', async t => {
  const app = await openApp(t)
  const orders = [
    ORDER,
    ORDER,
    { ...ORDER, offer_type: 'hold' },
    { ...ORDER, l1_expected_price: 9.99 },
    { ...ORDER, client_order_id: 'mine' },
    { ...ORDER, event_id: '1000009' },
  ]
  const first = await named(app, 'k', { orders })
  t.equal(new Set(idsOf(first).filter(id => id !== undefined)).size, 4)
  const before = writes(app)
  t.same(await named(app, 'k', { orders }), first)
  const reordered = orders.map(order =>
    order.offer_type === 'buy' ? Object.fromEntries(Object.entries(order).reverse()) : order,
  )
  t.same(await named(app, 'k', { orders: reordered }), first, 'however it is written')
  await app.test.restart()
  t.same(await named(appOn(app.test), 'k', { orders }), first, 'after a restart, too')
  t.equal(writes(app), before, 'and nothing is written again')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('a batch name reused with another body answers 409, and nothing is placed', async t => {
  const app = await openApp(t)
  await named(app, 'k', { orders: [ORDER] })
  await named(app, 'refused', { orders: [5] })
  const { results } = await named(app, 'ends', { cancels: ['1000001-1-x'] })
  t.match(results, [{ code: 404 }])
  const before = writes(app)
  const rows = [
    ['k', { orders: [ORDER, ORDER] }],
    ['k', { orders: [{ ...ORDER, l1_order_quantity: 2 }] }],
    ['refused', { orders: [6] }],
    ['ends', { cancels: ['1000001-1-y'] }],
    ['refused', { cancels: ['1000001-1-x'] }],
  ] as const
  for (const [key, body] of rows) {
    const { status, reason } = await named(app, key, body)
    t.same([status, reason], [409, 'key_used'], `${key} ${JSON.stringify(body)}`)
  }
  t.equal(writes(app), before)
  t.match((await named(app, '', { orders: [ORDER] })).status, 422)
  t.match((await named(app, 'x'.repeat(65), { orders: [ORDER] })).status, 422)
})

t.test('batch names are separate from order names', async t => {
  const app = await openApp(t)
  const one = await app.app.request('/order/initiate', {
    method: 'POST',
    body: JSON.stringify(ORDER),
    headers: { 'Idempotency-Key': 'k' },
  })
  t.equal(one.status, 201)
  const batch = await named(app, 'k', { orders: [ORDER] })
  t.equal(batch.status, 200)
  t.not(idsOf(batch)[0], one.headers.get('x-order-id'))
})

t.test('a named batch sent many times at once places its orders once', async t => {
  const app = await openApp(t)
  const orders = Array.from({ length: 5 }, () => ({ ...ORDER, userid: 'new' }))
  const answers = await Promise.all(Array.from({ length: 8 }, () => named(app, 'k', { orders })))
  for (const answer of answers) t.same(idsOf(answer), idsOf(answers[0] as NamedAnswer))
  t.equal(app.test.rows('SELECT 1 FROM orders').length, 1 + orders.length)
})

t.test('resending a named batch completes it, wherever a crash cut it short', async t => {
  const test = await TestExchange.open(t, { shardCount: 3 })
  for (const title of ['One', 'Two', 'Three']) await test.create({ title, slug: title })
  await test.place('asha buy 1 @ 1')
  const images: string[] = []
  test.exchange.onPublication(() => {
    images.push(test.crashImage(join(dirname(test.file), `${images.length}.db`)))
  })
  const orders = ['1000001', '1000002', '1000003', '1000001'].map(event_id => ({ ...ORDER, event_id }))
  const whole = await named(appOn(test), 'k', { orders })
  t.ok(images.length >= 3, 'the batch is cut short in several places')
  for (const file of images) {
    const crashed = await TestExchange.open(t, { file, shardCount: 2 })
    const kept = crashed.rows<{ id: string }>(
      "SELECT market || '-' || number || '-' || suffix AS id FROM orders WHERE price = 500",
    )
    const app = appOn(crashed)
    const other = await named(app, 'k', { orders: orders.slice(1) })
    t.equal(other.status, 409, 'its name is kept')
    const again = await named(app, 'k', { orders })
    t.ok(again.results.every(({ code }) => code === 201))
    for (const { id } of kept) t.ok(idsOf(again).includes(id), 'an order that is there is answered')
    t.equal(crashed.rows('SELECT 1 FROM orders WHERE price = 500').length, orders.length)
    t.same(idsOf(await named(app, 'k', { orders })), idsOf(again))
    t.ok(crashed.exchange.moneyIsAllThere())
  }
  t.equal(whole.results.length, orders.length)
})

t.test("an order's default time in force may be spelled out under the same name", async t => {
  const app = await openApp(t)
  const place = async (order: object) => {
    const response = await app.app.request('/order/initiate', { method: 'POST', body: JSON.stringify(order) })
    return [response.status, response.headers.get('x-order-id')]
  }
  const gtc = { ...ORDER, client_order_id: 'gtc' }
  const first = await place(gtc)
  t.same(await place({ ...gtc, time_in_force: 'GTC' }), first)
  t.same((await place({ ...gtc, time_in_force: 'IOC' }))[0], 409)
  const market = { ...ORDER, order_type: 'MO', client_order_id: 'mo', time_in_force: 'IOC' }
  const second = await place(market)
  t.same(await place({ ...market, time_in_force: undefined }), second)
  t.same((await place({ ...gtc, l1_order_quantity: 7 }))[0], 409)
})
