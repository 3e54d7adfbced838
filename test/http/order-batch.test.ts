import type { Test } from 'tap'
import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import type { TestApp } from '../fixtures/http-scenario.js'
import { appOn, refusal } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

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

t.test('each order has its own answer, in its place, and none spoils another', async t => {
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

t.test('a batch that cannot be read is refused whole', async t => {
  const app = await openApp(t)
  const orders = Array.from({ length: 101 }, () => ORDER)
  for (const [body, message] of [
    [[], 'body: Expected object, received array'],
    [{}, 'orders: Required'],
    [{ orders: {} }, 'orders: Expected array, received object'],
    [{ orders: [] }, 'orders: Expected 1 to 100, received 0'],
    [{ orders }, 'orders: Expected 1 to 100, received 101'],
    [{ cancels: orders }, 'cancels: Expected 1 to 100, received 101'],
    [{ orders: [ORDER], cancels: ['a'] }, 'cancels: Expected none beside orders: send them apart'],
  ] as const) {
    t.match(await batch(app, body), refusal(422, message))
  }
  t.equal(app.test.book(), '1@1 | -')
})

t.test('orders beyond the room in the queue are told so one by one', async t => {
  const app = await openApp(t, { queueLengthMax: 3, shardCount: 1 })
  const { additional } = await batch(app, { orders: Array.from({ length: 5 }, () => ORDER) })
  t.same(
    additional.results.map(({ code }) => code),
    [201, 201, 201, 503, 503],
  )
  t.equal(app.test.book(), '3@5 1@1 | -')
})

t.test('a batch is executed in its order, whoever and whatever is in it', async t => {
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

t.test('no single order, amendment or cancel overtakes a batch that was read before it', async t => {
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
