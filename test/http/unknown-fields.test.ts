import t from 'tap'
import type { z } from 'zod'
import { eventSchema } from '../../src/api/events/event-schema.js'
import { orderSchema } from '../../src/api/orders/order-schema.js'
import { routes } from '../../src/api/routes.js'
import { appOn, peer, refusal } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const EVENT = {
  title: 'Will it rain on Monday?',
  description: 'At the gauge.',
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2036-01-01T00:00:00.000Z',
  min_bet: 0,
  max_bet: 1000,
  sot: 'weather',
  quantity: 1000,
}
const OWN = {
  order: Object.keys(orderSchema.shape).filter(name => !(name in ORDER)),
  event: Object.keys(eventSchema.shape).filter(name => !(name in EVENT)),
}
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

async function stage() {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const send = async (path: string, body: unknown, method = 'POST') => {
    const response = await app.request(path, { method, body: JSON.stringify(body) }, peer('127.0.0.1'))
    const written = test.journalled().length
    return {
      status: response.status,
      ignored: response.headers.get('raay-ignored'),
      body: (await response.json()) as { message: string; additional?: { results: { message: string }[] } },
      written,
    }
  }
  return { send, count: () => test.journalled().length }
}

t.test('an option of Raay in another case or without underscores places no order', async t => {
  const { send, count } = await stage()
  const before = count()
  for (const name of OWN.order) {
    const misses = [camel(name), name.replaceAll('_', ''), name.toUpperCase()].filter(miss => miss !== name)
    for (const miss of misses) {
      const answer = await send('/order/initiate', { ...ORDER, [miss]: true })
      const message = `${miss}: Unknown field. Did you mean \`${name}\`?`
      t.strictSame([answer.status, answer.body], [422, refusal(422, message)], miss)
      const { body } = await send('/order/batch', { orders: [{ ...ORDER, [miss]: true }] })
      t.equal(body.additional?.results[0]?.message, message, `${miss} in a batch`)
      t.equal((await send('/order/preview', { ...ORDER, [miss]: true })).body.message, message)
    }
  }
  for (const name of ['dry_run', 'validate_only', 'test', 'stp', 'dryRun', 'STP']) {
    const { status, body } = await send('/order/initiate', { ...ORDER, [name]: false })
    t.equal(status, 422, name)
    t.match(body.message, `${name}: Unknown field. `)
  }
  t.match(
    (await send('/api/v1/order/initiate', { ...ORDER, stp: 'maker' })).body.message,
    'Did you mean `self_trade_prevention`?',
  )
  t.equal(count(), before, 'and nothing is written')
})

t.test('an event is not created on other terms than its options say', async t => {
  const { send, count } = await stage()
  const before = count()
  for (const name of OWN.event) {
    const miss = camel(name) === name ? name.toUpperCase() : camel(name)
    const { status, body } = await send('/events/create', { ...EVENT, [miss]: 1 })
    t.strictSame([status, body.message], [422, `${miss}: Unknown field. Did you mean \`${name}\`?`])
  }
  t.equal((await send('/events/create', { ...EVENT, dry_run: true })).status, 422)
  t.equal(count(), before)
})

t.test('a fault in a field of the specification is named before a near-miss', async t => {
  const { send } = await stage()
  const { body } = await send('/order/initiate', { ...ORDER, offer_type: 'hold', postOnly: true })
  t.match(body.message, /^offer_type: /)
})

t.test('any other unknown field is accepted and named, in few bytes', async t => {
  const { send } = await stage()
  const long = 'x'.repeat(195)
  const rows: readonly (readonly [object, string | null])[] = [
    [{}, null],
    [{ outcome: 'yes', post_only: false, client_order_id: 'one' }, null],
    [{ strategy: 'mm', userId: 'ravi' }, 'strategy, userId'],
    [{ 'post-only': true, tested: 1, stpx: 1 }, 'post-only, tested, stpx'],
    [{ 'bad name': 1, é: 1, 'a\r\nSet-Cookie: b': 1, '': 1 }, null],
    [{ 'bad name': 1, fine: 1 }, 'fine'],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, 'a, b, c, d, e'],
    [{ [long]: 1, alpha: 1, beta: 1, gamma: 1 }, long],
    [{ ['y'.repeat(201)]: 1 }, null],
    [JSON.parse('{"__proto__": 1, "constructor": 2}') as object, '__proto__, constructor'],
  ]
  for (const [fields, named] of rows) {
    const body: Record<string, unknown> = { ...ORDER }
    for (const [name, value] of Object.entries(fields))
      Object.defineProperty(body, name, { value, enumerable: true })
    const { status, ignored } = await send('/order/initiate', body)
    t.strictSame([status, ignored], [201, named], JSON.stringify(fields).slice(0, 60))
  }
  const batch = await send('/order/batch', {
    orders: [ORDER, { ...ORDER, why: 1 }, { ...ORDER, why: 2, who: 3 }, 5],
  })
  t.strictSame([batch.status, batch.ignored], [200, 'why, who'])
  const event = await send('/events/create', { ...EVENT, traders: 3, slug: 'rain' })
  t.strictSame([event.status, event.ignored], [201, 'traders, slug'])
})

t.test('every route of ours refuses unknown fields', async t => {
  const { send } = await stage()
  for (const { id, body } of routes) {
    if (body === undefined) continue
    const { catchall } = (body.schema as z.ZodObject).def
    const isOpen = ['placeOrder', 'previewOrder', 'createEvent'].includes(id)
    t.equal(catchall?._zod.def.type, isOpen ? undefined : 'never', id)
  }
  const rows = [
    ['/order/1000001-1/amend', { price: 5, qty: 2 }, 'qty: Unknown field, known are price, quantity'],
    [
      '/order/batch',
      { cancels: ['x'], order: [] },
      'order: Unknown field, known are orders, cancels; did you mean orders?',
    ],
    [
      '/portfolio/asha/deposit',
      { amount: 1, txn_id: 'a', dry_run: true },
      /^dry_run: Unknown field, known are /,
    ],
    ['/portfolio/asha/deposit', { amount: 1, txnid: 'a' }, /did you mean txn_id\?$/],
    [
      '/events/1000001/resolve',
      { outcome: 'yes', sourceUrl: 'https://a.example' },
      /did you mean source_url\?$/,
    ],
    ['/events/1000001/resolve', { outcome: 'yes', __proto: 1, ['z'.repeat(5000)]: 1 }, /^__proto: Unknown/],
  ] as const
  for (const [path, body, message] of rows) {
    const answer = await send(path, body)
    t.equal(answer.status, 422, path)
    t.match(answer.body.message, message)
  }
})
