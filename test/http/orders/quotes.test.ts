import t from 'tap'
import { ClientAddresses } from '../../../src/access/limits/client-address.js'
import { Limiter } from '../../../src/access/limits/limiter.js'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { accessFor, appOn, checkScenarios, peer, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const PATH = '/order/quotes'
const BUY = { offer_type: 'buy', price: 4.8, quantity: 10 }
const BODY = { event_id: '1000001', userid: 'asha', quotes: [BUY] }

t.test('shows each quote as an order, in the words of the request', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const put = async (body: object) => {
    const response = await app.request(PATH, { method: 'PUT', body: JSON.stringify(body) })
    t.equal(response.status, 200)
    const { additional } = (await response.json()) as {
      additional: { results: { result: string; order: object }[]; ended: number }
    }
    return additional
  }
  const quotes = [{ offer_type: 'buy', outcome: 'no', price: 4.600_000_000_000_000_5, quantity: 2 }, BUY]
  const first = await put({ ...BODY, quote_set: 'near', quotes })
  t.match(first, {
    results: [
      {
        result: 'placed',
        order: {
          offer_type: 'buy',
          outcome: 'no',
          side: 'no',
          price: 4.6,
          quote_set: 'near',
          post_only: true,
        },
      },
      { result: 'placed', order: { offer_type: 'buy', outcome: 'yes', price: 4.8, state: 'resting' } },
    ],
    ended: 0,
  })
  t.match(await put({ ...BODY, quotes: [{ ...BUY, price: 9 }] }), {
    results: [
      { result: 'rejected', order: { state: 'rejected', reason: 'order_would_take', quote_set: 'default' } },
    ],
  })
  t.match(await put({ ...BODY, quote_set: 'near', quotes: [{ ...BUY, quantity: 4 }] }), {
    results: [{ result: 'reduced', order: { remaining_quantity: 4 } }],
    ended: 1,
  })
  t.match(await put({ ...BODY, quote_set: 'near', quotes: [] }), { results: [], ended: 1 })
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
})

t.test('faults name the field, and nothing happens', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const many = Array.from({ length: 41 }, () => BUY)
  const rows: readonly (readonly [object, number, string])[] = [
    [{ ...BODY, quotes: many }, 422, 'quotes: Expected at most 40'],
    [{ ...BODY, quotes: undefined }, 422, 'quotes: Required'],
    [{ ...BODY, quotes: [{ ...BUY, price: 0 }] }, 422, 'quotes.0.price: Expected at least 0.1'],
    [
      { ...BODY, quotes: [BUY, { ...BUY, quantity: '5' }] },
      422,
      'quotes.1.quantity: Expected number, received string',
    ],
    [{ ...BODY, quote_set: '' }, 422, 'quote_set: Expected 1 to 32 characters'],
    [{ ...BODY, userid: undefined }, 422, 'userid: Required'],
    [{ ...BODY, event_id: '1000009' }, 404, 'Event not found'],
  ]
  const scenarios: Scenario[] = rows.map(([body, status, message]) => {
    return { name: message, method: 'PUT', path: PATH, body, status, answer: refusal(status, message) }
  })
  const app = appOn(test)
  await checkScenarios(t, app, scenarios)
  for (const body of [
    { ...BODY, post_only: false },
    { ...BODY, quotes: [{ ...BUY, postOnly: true }] },
  ]) {
    const response = await app.app.request(PATH, { method: 'PUT', body: JSON.stringify(body) })
    t.equal(response.status, 422, 'unknown fields are refused')
  }
  t.equal(test.book(), '- | -')
})

t.test('costs as many orders as it has quotes', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const limiter = new Limiter(() => 0)
  const { app } = appOn(test, accessFor(), [], { addresses: new ClientAddresses(() => undefined), limiter })
  const address = '203.0.113.7'
  const left = () => limiter.take('orders', { user: undefined, credential: undefined, address }, 0)?.level
  const put = async (quotes: readonly object[]) => {
    const request = {
      method: 'PUT',
      headers: { Host: 'localhost' },
      body: JSON.stringify({ ...BODY, quotes }),
    }
    return (await app.request(PATH, request, { incoming: { ...peer(address).incoming, headers: {} } })).status
  }
  const full = left() ?? 0
  t.equal(await put([BUY, { ...BUY, price: 4 }, { ...BUY, price: 3 }]), 200)
  t.equal(left(), full - 3)
  t.equal(await put([]), 200)
  t.equal(left(), full - 4)
})
