import t from 'tap'
import type { Scenario } from '../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../fixtures/http-scenario.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const ORDER = {
  event_id: String(MARKET),
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const LENGTH_MAX = 100 * 1024
const PATHS = ['/order/initiate', '/events/create', '/api/v1/order/initiate', '/api/v1/events/create']
const TOO_LARGE = refusal(413, `Body is larger than ${LENGTH_MAX} bytes`)

t.test('a body that is not JSON is refused with 400 on every route', async t => {
  const on = appOn(await TestExchange.open(t))
  const bodies = [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    'a=1&b=2',
    '[1',
    '{"a":NaN}',
    'undefined',
    '{} {}',
    '\u0000',
  ]
  const scenarios = PATHS.flatMap(path =>
    bodies.map((body, index) => {
      const answer = refusal(400, 'Malformed JSON')
      return { name: `${path} body ${index}`, method: 'POST', path, body, status: 400, answer }
    }),
  )
  await checkScenarios(t, on, scenarios)
})

t.test('a body that is not UTF-8 is refused, and leaves nothing behind for the next', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const whole = Buffer.from(JSON.stringify({ ...ORDER, userid: 'आशा' }))
  const cut = whole.subarray(0, whole.indexOf('आ') + 2)
  const post = (body: Uint8Array<ArrayBuffer>) => app.request('/order/initiate', { method: 'POST', body })
  for (const broken of [cut, Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xe0])]) {
    const answer = await post(Uint8Array.from(broken))
    t.equal(answer.status, 400)
    t.strictSame(await answer.json(), refusal(400, 'Malformed JSON'))
    t.equal((await post(Uint8Array.from(whole))).status, 201)
  }
})

t.test('a request without a body is refused with 400', async t => {
  const { app, test } = appOn(await TestExchange.open(t))
  for (const path of PATHS) {
    const answer = await app.request(path, { method: 'POST' })
    t.equal(answer.status, 400)
    t.strictSame(await answer.json(), refusal(400, 'Malformed JSON'))
  }
  t.same(test.journalled(), [])
})

t.test('JSON that is not an object is refused, and the refusal names its type', async t => {
  const on = appOn(await TestExchange.open(t))
  const rows: readonly (readonly [string, string])[] = [
    ['[]', 'array'],
    [`[${JSON.stringify(ORDER)}]`, 'array'],
    ['null', 'null'],
    ['5', 'number'],
    ['"text"', 'string'],
    ['true', 'boolean'],
    ['1e999', 'infinity'],
  ]
  const scenarios = PATHS.flatMap(path =>
    rows.map(([body, kind]) => {
      const answer = refusal(422, `body: Expected object, received ${kind}`)
      return { name: `${path} ${body}`, path, body, status: 422, answer }
    }),
  )
  await checkScenarios(t, on, scenarios)
})

t.test('the content type is ignored', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const body = JSON.stringify(ORDER)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'x',
    '',
  ]) {
    const answer = await app.request('/order/initiate', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })
    t.equal(answer.status, 201, type)
  }
  const bare = await app.request('/order/initiate', { method: 'POST', body: Buffer.from(body) })
  t.equal(bare.status, 201, 'none at all')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a byte order mark is skipped, with or without a Content-Length', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const body = Buffer.from(`\ufeff${JSON.stringify(ORDER)}`)
  for (const headers of [{ 'Content-Length': String(body.length) }, {}]) {
    const answer = await app.request('/order/initiate', { method: 'POST', body, headers })
    t.equal(answer.status, 201)
  }
})

t.test('a body that is too large is refused before it is parsed', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const on = appOn(test)
  const order = JSON.stringify(ORDER)
  const padded = (length: number) => order + ' '.repeat(length - order.length)
  const send = (name: string, body: string, headers: Record<string, string>, isTaken: boolean): Scenario => ({
    ...{ name, path: '/order/initiate', body, headers },
    status: isTaken ? 201 : 413,
    answer: isTaken ? { status: true, code: 201, message: 'Order placed successfully' } : TOO_LARGE,
    writes: isTaken ? 'CREATE_ORDER' : '',
  })
  await test.place('asha buy 1 @ 1')
  await checkScenarios(t, on, [
    send('announced, at the limit', padded(LENGTH_MAX), { 'Content-Length': String(LENGTH_MAX) }, true),
    send('announced, one more', padded(LENGTH_MAX + 1), { 'Content-Length': String(LENGTH_MAX + 1) }, false),
    send('announced only', order, { 'Content-Length': '1000000000000' }, false),
    send('unannounced, at the limit', padded(LENGTH_MAX), {}, true),
    send('unannounced, one more', padded(LENGTH_MAX + 1), {}, false),
    send('unannounced and no JSON', '['.repeat(LENGTH_MAX + 1), {}, false),
    send('counted in bytes', `"${'₹'.repeat(LENGTH_MAX / 3)}"`, {}, false),
  ])
})

t.test('an endless body is not read to the end', async t => {
  const { app, test } = appOn(await TestExchange.open(t))
  let chunks = 0
  const body = new ReadableStream({
    pull: controller => {
      chunks++
      controller.enqueue(new Uint8Array(10_240).fill(0x20))
    },
  })
  const answer = await app.request('/order/initiate', { method: 'POST', body, duplex: 'half' } as RequestInit)
  t.equal(answer.status, 413)
  t.strictSame(await answer.json(), TOO_LARGE)
  t.ok(chunks < 20, 'it stops soon after the limit', { chunks })
  t.same(test.journalled(), [])
})

t.test('deep nesting and odd keys are harmless', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const polluted = `{"__proto__":{"userid":"eve"},"constructor":1,"hasOwnProperty":2}`
  await checkScenarios(t, appOn(test), [
    {
      ...{ name: 'deep', path: '/order/initiate', body: deep, status: 422 },
      answer: refusal(422, 'body: Expected object, received array'),
    },
    {
      ...{ name: 'fields of the prototype', path: '/order/initiate', body: polluted, status: 422 },
      answer: refusal(422, 'event_id: Required'),
    },
    {
      ...{ name: 'a deep field', path: '/order/initiate', body: `{"event_id":${deep}}`, status: 422 },
      answer: refusal(422, 'event_id: Expected string, received array'),
    },
    {
      ...{ name: 'a deep word', path: '/order/initiate', status: 422 },
      body: JSON.stringify({ ...ORDER, offer_type: '<deep>' }).replace('"<deep>"', deep),
      answer: refusal(422, "offer_type: Invalid enum value. Expected 'buy' | 'sell', received 'array'"),
    },
    {
      ...{ name: 'a key twice', path: '/order/initiate', body: `{"event_id":"x","event_id":5}`, status: 422 },
      answer: refusal(422, 'event_id: Expected string, received number'),
    },
  ])
})

t.test('an unknown route is answered in the envelope', async t => {
  const on = appOn(await TestExchange.open(t))
  const routes: readonly (readonly [string, string])[] = [
    ['GET', '/nothing'],
    ['GET', '/events/'],
    ['GET', '/api'],
    ['GET', '/api/v2/events'],
    ['GET', '/EVENTS'],
    ['GET', '/portfolio/asha'],
    ['GET', '/portfolio//balance'],
    ['GET', '/../../etc/passwd'],
    ['GET', '/data/raay.db'],
  ]
  const scenarios = routes.map(([method, path]) => {
    return { name: `${method} ${path}`, method, path, status: 404, answer: refusal(404, 'Route not found') }
  })
  await checkScenarios(t, on, scenarios)
})

t.test('the WebSocket address answers a plain request with 426', async t => {
  const message = 'This is the WebSocket address: connect with the WebSocket protocol'
  const scenario = { name: 'plain', path: '/ws', status: 426, answer: refusal(426, message) }
  await checkScenarios(t, appOn(await TestExchange.open(t)), [scenario, { ...scenario, path: '/api/v1/ws' }])
})

t.test('the health check reports the exchange alive', async t => {
  const { app } = appOn(await TestExchange.open(t))
  for (const path of ['/', '/healthz', '/readyz', '/version', '/api/v1/healthz']) {
    const answer = await app.request(path)
    t.equal(answer.status, 200, path)
    t.match(await answer.json(), { status: true, code: 200 }, path)
  }
})

t.test('a full queue answers 503 with Retry-After and holds no money', async t => {
  const test = await TestExchange.open(t, { queueLengthMax: 2 })
  await test.create()
  await test.place('asha buy 1 @ 5')
  const { app } = appOn(test)
  const body = JSON.stringify(ORDER)
  const requests = Array.from({ length: 10 }, () => app.request('/order/initiate', { method: 'POST', body }))
  const answers = await Promise.all(requests)
  const refused = answers.filter(({ status }) => status === 503)
  t.equal(refused.length, 8)
  for (const answer of refused) {
    t.equal(answer.headers.get('retry-after'), '1')
    t.equal(answer.headers.get('x-order-id'), null)
    t.strictSame(await answer.json(), refusal(503, 'The order queue is full: try again in a moment'))
  }
  t.equal(test.money('asha'), 'cash 1000 held 15 available 985')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an internal error answers 500, reveals no internals, and is reported', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app, faults } = appOn(test)
  await test.close()
  const answer = await app.request('/order/1000001-1-tail')
  t.equal(answer.status, 500)
  t.strictSame(await answer.json(), refusal(500, 'The exchange could not answer this request'))
  t.equal(faults.length, 1)
})
