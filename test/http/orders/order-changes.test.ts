import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 2,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}

interface Answer {
  readonly status: boolean
  readonly code: number
  readonly message: string
  readonly additional: Record<string, unknown>
}

async function openApp(t: Test): Promise<TestApp> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  return appOn(test)
}

async function send({ app }: TestApp, method: string, path: string, body?: unknown, headers = {}) {
  const response = await app.request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { id: response.headers.get('X-Order-Id'), ...((await response.json()) as Answer) }
}

async function place(app: TestApp, change: object = {}, headers: object = {}): Promise<string> {
  const { id, code } = await send(app, 'POST', '/order/initiate', { ...ORDER, ...change }, headers)
  t.equal(code, 201)
  return String(id)
}

t.test('an order is cancelled once, and a repeat shows its final state', async t => {
  const app = await openApp(t)
  for (const base of ['/order', '/api/v1/order']) {
    const id = await place(app)
    const first = await send(app, 'DELETE', `${base}/${id}`)
    t.match(first, { code: 200, message: 'Order cancelled successfully' })
    t.match(first.additional, { id, state: 'cancelled', reason: 'user_cancelled', remaining_quantity: 2 })
    const { id: _, ...again } = await send(app, 'DELETE', `${base}/${id}`)
    t.match(first, again)
  }
  const filled = await place(app)
  await place(app, { offer_type: 'sell', userid: 'ben' })
  t.match(await send(app, 'DELETE', `/order/${filled}`), {
    code: 200,
    message: 'Order had ended already',
    additional: { state: 'filled', filled_quantity: 2 },
  })
  for (const id of ['1000001-99-abc', 'nothing', `${filled}x`]) {
    t.match(await send(app, 'DELETE', `/order/${id}`), refusal(404, 'Order not found'))
  }
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('all orders of a user are cancelled, in one event or in all', async t => {
  const app = await openApp(t)
  for (const event_id of ['1000001', '1000002']) {
    await place(app, { event_id })
    await place(app, { event_id, userid: 'ben' })
  }
  const one = await send(app, 'DELETE', '/order?userid=asha&event_id=1000002')
  t.match(one, { code: 200, message: 'Orders cancelled successfully' })
  t.match(one.additional.orders, [{ event_id: '1000002', userid: 'asha', state: 'cancelled' }])
  t.equal((one.additional.orders as unknown[]).length, 1)
  t.equal(((await send(app, 'DELETE', '/order?userid=asha')).additional.orders as unknown[]).length, 1)
  t.same((await send(app, 'DELETE', '/order?userid=asha')).additional.orders, [])
  t.same((await send(app, 'DELETE', '/order?userid=nobody')).additional.orders, [])
  t.match(await send(app, 'DELETE', '/order'), refusal(422, 'userid: Required'))
  t.match(await send(app, 'DELETE', '/order?userid=asha&event_id=1'), refusal(404, 'Event not found'))
  t.equal(app.test.money('ben'), 'cash 1000 held 20 available 980')
})

t.test('an order is reduced, or replaced by another', async t => {
  const app = await openApp(t)
  const id = await place(app, { outcome: 'no', l1_expected_price: 4 })
  const smaller = await send(app, 'POST', `/order/${id}/amend`, { quantity: 1 })
  t.match(smaller, { code: 200, message: 'Order amended successfully', id })
  t.match(smaller.additional, { id, quantity: 1, price: 4, state: 'resting' })
  const other = await send(app, 'POST', `/order/${id}/amend`, { price: 4.5 })
  t.not(other.id, id)
  t.match(other.additional, { id: other.id, quantity: 1, price: 4.5, outcome: 'no', side: 'no' })
  t.equal(app.test.book(), '- | 1@5.5', 'the price is one of the outcome that was named')
  t.match((await send(app, 'GET', `/order/${id}`)).additional, {
    state: 'cancelled',
    reason: 'order_replaced',
  })
  t.match(await send(app, 'POST', `/order/${id}/amend`, { price: 4 }), {
    ...(refusal(409, 'Order is cancelled: only an open order can be amended') as object),
  })
  t.match(await send(app, 'POST', `/order/${other.id}/amend`, { price: 9.95 }), {
    ...(refusal(409, 'Order is not amended: the price is outside this market’s range') as object),
  })
  t.match(await send(app, 'POST', `/order/${other.id}/amend`, { quantity: 300 }), {
    ...(refusal(409, 'Order is not amended: insufficient balance') as object),
  })
  t.equal(app.test.book(), '- | 1@5.5', 'the old order stays where the new one is refused')
})

t.test('an order is found and cancelled by its name, and an amendment passes the name on', async t => {
  const app = await openApp(t)
  const path = '/order/by-client-id/my%20bid?userid=asha'
  const body = { ...ORDER, client_order_id: 'my bid' }
  const first = await send(app, 'POST', '/order/initiate', body)
  t.match(await send(app, 'GET', path), { code: 200, message: 'Order fetched successfully' })
  t.match((await send(app, 'GET', `/api/v1${path}`)).additional, { id: first.id, client_order_id: 'my bid' })
  const second = await send(app, 'POST', `/order/${first.id}/amend`, { price: 4 })
  t.match((await send(app, 'GET', path)).additional, { id: second.id, price: 4, client_order_id: 'my bid' })
  t.match(await send(app, 'POST', '/order/initiate', body), { code: 201, id: second.id })

  const { lastArrival } = app.test.exchange
  const amending = send(app, 'POST', `/order/${second.id}/amend`, { price: 3 })
  while (app.test.exchange.lastArrival === lastArrival) await setImmediate()
  const cancelled = await send(app, 'DELETE', path)
  t.match(cancelled, { code: 200, message: 'Order cancelled successfully' })
  const { id: third } = await amending
  t.match(cancelled.additional, { id: third, state: 'cancelled', reason: 'user_cancelled' })
  t.equal(app.test.book(), '- | -', 'the amendment that came first left nothing behind')
  t.match(await send(app, 'DELETE', path), {
    code: 200,
    message: cancelled.message,
    additional: { id: third },
  })

  t.match(await send(app, 'GET', '/order/by-client-id/my%20bid?userid=ben'), refusal(404, 'Order not found'))
  t.match(await send(app, 'DELETE', '/order/by-client-id/other?userid=asha'), refusal(404, 'Order not found'))
  t.match(await send(app, 'GET', '/order/by-client-id/my%20bid'), refusal(422, 'userid: Required'))
})

t.test('an unreadable amendment is refused', async t => {
  const app = await openApp(t)
  const id = await place(app)
  for (const [body, message] of [
    [{}, 'price: Expected a price, a quantity, or both'],
    [{ price: '5' }, 'price: Expected number, received string'],
    [{ price: 0.09 }, 'price: Expected 0.1 or more'],
    [{ quantity: 0 }, 'quantity: Expected more than 0'],
    [{ quantity: null }, 'quantity: Expected number, received null'],
    [[], 'body: Expected object, received array'],
  ] as const) {
    t.match(await send(app, 'POST', `/order/${id}/amend`, body), refusal(422, message))
  }
  t.match(
    await send(app, 'POST', '/order/1000001-9-abc/amend', { price: 5 }),
    refusal(404, 'Order not found'),
  )
  t.equal(app.test.book(), '2@5 | -')
})

t.test('one key stands for one order and one answer, in the body or in the header', async t => {
  const app = await openApp(t)
  const named = { ...ORDER, client_order_id: 'k1' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? send(app, 'POST', '/order/initiate', named)
        : send(app, 'POST', '/order/initiate', ORDER, { 'Idempotency-Key': 'k1' }),
    ),
  )
  t.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
  t.match(answers[0], { code: 201, message: 'Order placed successfully' })
  t.equal(app.test.book(), '2@5 | -')
  const other = await send(app, 'POST', '/order/initiate', { ...named, l1_order_quantity: 3 })
  t.match(other, refusal(409, 'client_order_id: Used for another order'))
  const same = await send(app, 'POST', '/order/initiate', { ...named, outcome: 'yes', extra: 1 })
  t.equal(same.id, answers[0]?.id, 'what is default may be said, and what is not known is not asked')
  await app.test.restart()
  const after = appOn(app.test)
  t.equal((await send(after, 'POST', '/order/initiate', named)).id, answers[0]?.id)
  const wait = await send(after, 'POST', '/order/initiate', named, { Prefer: 'wait' })
  t.match(wait.additional, { id: answers[0]?.id, client_order_id: 'k1' })
  const twice = await send(after, 'POST', '/order/initiate', named, { 'Idempotency-Key': 'k2' })
  t.match(twice, refusal(422, 'client_order_id: Expected the same as the header Idempotency-Key'))
  for (const key of ['', 'x'.repeat(65)]) {
    const bad = await send(after, 'POST', '/order/initiate', { ...ORDER, client_order_id: key })
    t.match(bad, refusal(422, 'client_order_id: Expected 1 to 64 characters'))
  }
  t.equal(after.test.book(), '2@5 | -')
})

t.test('options that do not fit an order are refused, and those that do are shown', async t => {
  const app = await openApp(t)
  const rows: readonly (readonly [object, string])[] = [
    [
      { order_type: 'MO', time_in_force: 'GTC' },
      'time_in_force: Expected none with order_type MO, which never waits',
    ],
    [
      { time_in_force: 'IOC', post_only: true },
      'post_only: Expected an order that may wait: an LO that is neither IOC nor FOK',
    ],
    [
      { order_type: 'MO', post_only: true },
      'post_only: Expected an order that may wait: an LO that is neither IOC nor FOK',
    ],
    [{ post_only: 1 }, 'post_only: Expected boolean, received number'],
    [{ reduce_only: 'yes' }, 'reduce_only: Expected boolean, received string'],
    [{ valid_until: 'soon' }, 'valid_until: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z'],
    [
      { time_in_force: 'ioc' },
      "time_in_force: Invalid enum value. Expected 'GTC' | 'IOC' | 'FOK' | 'GTD', received 'ioc'",
    ],
  ]
  for (const [change, message] of rows) {
    t.match(await send(app, 'POST', '/order/initiate', { ...ORDER, ...change }), refusal(422, message))
  }
  t.equal(app.test.book(), '- | -')
  const shown = async (change: object) =>
    (await send(app, 'POST', '/order/initiate', { ...ORDER, ...change }, { Prefer: 'wait' })).additional
  t.match(await shown({ post_only: true }), { state: 'resting', post_only: true, time_in_force: 'GTC' })
  t.match(await shown({ time_in_force: 'IOC' }), { state: 'cancelled', reason: 'no_liquidity' })
  t.match(await shown({ order_type: 'MO', time_in_force: 'FOK' }), {
    reason: 'fill_or_kill',
    time_in_force: 'FOK',
  })
  t.match(await shown({ reduce_only: true }), { state: 'rejected', reason: 'position_insufficient' })
  t.match(await shown({ valid_until: '2020-01-01T00:00:00Z' }), {
    state: 'rejected',
    reason: 'order_expired',
  })
})
