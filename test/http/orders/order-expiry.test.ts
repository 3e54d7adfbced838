import type { Test } from 'tap'
import t from 'tap'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5.5,
  l1_order_quantity: 2,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const iso = (ms: number) => new Date(ms).toISOString()
const SOON = iso(START + HOUR)

async function openApp(t: Test): Promise<TestApp> {
  const test = await TestExchange.open(t)
  await test.create()
  return appOn(test)
}

/** Places an order and returns it as the answer shows it. */
async function place({ app }: TestApp, change: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ ...ORDER, ...change })
  const response = await app.request('/order/initiate', { method: 'POST', body, headers: { Prefer: 'wait' } })
  return ((await response.json()) as { additional: Record<string, unknown> }).additional
}

t.test('an order rests until it is cancelled or until its date', async t => {
  const app = await openApp(t)
  const rows: readonly (readonly [object, object])[] = [
    [{}, { time_in_force: 'GTC', expires_at: null, state: 'resting' }],
    [{ time_in_force: 'GTC' }, { time_in_force: 'GTC', expires_at: null, state: 'resting' }],
    [{ expires_at: SOON }, { time_in_force: 'GTD', expires_at: SOON, state: 'resting' }],
    [
      { time_in_force: 'GTD', expires_at: iso(START + 1).replace('Z', '+00:00') },
      { time_in_force: 'GTD', expires_at: iso(START + 1), state: 'resting' },
    ],
    [{ order_type: 'MO' }, { time_in_force: 'IOC', expires_at: null, state: 'cancelled' }],
  ]
  for (const [change, shown] of rows) t.match(await place(app, change), shown, JSON.stringify(change))
})

t.test('a mismatched date and time in force are refused, first field first', async t => {
  const date = 'expires_at: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z'
  const noDate = 'Expected none with a time_in_force other than GTD'
  const waits = 'Expected none with order_type MO, which never waits'
  const force = (value: string) =>
    `time_in_force: Invalid enum value. Expected 'GTC' | 'IOC' | 'FOK' | 'GTD', received '${value}'`
  const rows: readonly (readonly [object, string])[] = [
    [{ time_in_force: 'GTD' }, 'expires_at: Required'],
    [{ time_in_force: 'GTD', expires_at: null }, 'expires_at: Expected string, received null'],
    [{ time_in_force: 'GTC', expires_at: SOON }, `expires_at: ${noDate}`],
    [{ time_in_force: 'FOK', expires_at: SOON }, `expires_at: ${noDate}`],
    [{ time_in_force: 'DAY' }, force('DAY')],
    [{ time_in_force: 'gtc' }, force('gtc')],
    [{ time_in_force: null }, force('null')],
    [{ expires_at: START }, 'expires_at: Expected string, received number'],
    ...[
      '',
      'tomorrow',
      '2027-02-30T00:00:00Z',
      '2027-01-01',
      '2027-01-01T00:00:00',
      '+012027-01-01T00:00:00Z',
    ].map(expires_at => [{ expires_at }, date] as const),
    [{ order_type: 'MO', expires_at: SOON }, `expires_at: ${waits}`],
    [{ order_type: 'MO', time_in_force: 'GTC' }, `time_in_force: ${waits}`],
    [{ order_type: 'MO', time_in_force: 'GTD' }, `time_in_force: ${waits}`],
    [{ order_type: 'MO', time_in_force: 'GTD', expires_at: 'x' }, `time_in_force: ${waits}`],
    [{ time_in_force: 'GTD', userid: '' }, 'userid: Expected 1 to 128 characters'],
    [
      { time_in_force: 'GTD', l1_expected_price: 0 },
      'l1_expected_price: Order price must be a positive integer',
    ],
    [
      { order_type: 'MO', expires_at: SOON, outcome: 'x' },
      "outcome: Invalid enum value. Expected 'yes' | 'no', received 'x'",
    ],
  ]
  const scenarios = rows.map(([change, message]): Scenario => {
    const body = { ...ORDER, ...change }
    return {
      name: JSON.stringify(change),
      path: '/order/initiate',
      body,
      status: 422,
      answer: refusal(422, message),
    }
  })
  await checkScenarios(t, await openApp(t), [
    ...scenarios,
    ...['null', '[]', '"GTD"'].map((body): Scenario => {
      const kind = body === 'null' ? 'null' : body === '[]' ? 'array' : 'string'
      const answer = refusal(422, `body: Expected object, received ${kind}`)
      return { name: body, path: '/order/initiate', body, status: 422, answer }
    }),
  ])
})

t.test('a past date is not a bad request: the market rejects the order', async t => {
  const app = await openApp(t)
  for (const expires_at of [iso(START), iso(START - 1), '0001-01-01T00:00:00Z']) {
    const order = await place(app, { expires_at })
    const shown = { state: 'rejected', reason: 'order_expired', status: 'PENDING', time_in_force: 'GTD' }
    t.match(order, { ...shown, filled_quantity: 0, remaining_quantity: 2 }, expires_at)
    t.equal(Date.parse(String(order.expires_at)), Date.parse(expires_at))
  }
  t.equal(app.test.money('asha'), 'cash 1000 held 0 available 1000')
  t.match(await place(app, { expires_at: '9999-12-31T23:59:59-23:59' }), { state: 'resting' })
})

t.test('an order expires at its date, once, and releases its hold', async t => {
  const app = await openApp(t)
  const { test } = app
  const gtd = await place(app, { expires_at: SOON, l1_order_quantity: 10 })
  const gtc = await place(app, {})
  await test.playAll(['ben sell 4 @ 5.5'])
  const told: unknown[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) if (message.type === 'ORDER_CANCELLED') told.push(message)
  })
  const read = async (order: Record<string, unknown>) => {
    const response = await app.app.request(`/order/${order.id}`)
    return ((await response.json()) as { additional: unknown }).additional
  }
  test.now = START + HOUR - 1
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.match(await read(gtd), { state: 'partially_filled', expires_at: SOON })
  t.equal(told.length, 0)
  test.now = START + HOUR
  for (let look = 0; look < 3; look++) test.exchange.advanceClock()
  await test.exchange.drain()
  const ended = { state: 'expired', reason: 'order_expired', filled_quantity: 4, remaining_quantity: 6 }
  t.match(await read(gtd), { ...ended, status: 'PLACED', time_in_force: 'GTD', expires_at: SOON })
  t.match(await read(gtc), { state: 'resting' })
  t.match(told, [{ reason: 'order_expired', remainingContracts: 6 }])
  t.equal(test.money('asha'), 'cash 978 held 11 available 967')
  await test.restart()
  t.equal(test.money('asha'), 'cash 978 held 11 available 967')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order that expires while the exchange is down does not trade after startup', async t => {
  const app = await openApp(t)
  const { test } = app
  const { id } = await place(app, { expires_at: SOON })
  await test.close()
  test.now = START + HOUR
  await test.restart()
  t.equal(await test.playAll(['ben sell 2 @ 5.5']), 'resting 0')
  const response = await appOn(test).app.request(`/order/${id}`)
  t.match(await response.json(), { additional: { state: 'expired', filled_quantity: 0, expires_at: SOON } })
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
})
