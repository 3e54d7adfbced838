import t from 'tap'
import { REFUSAL_REASONS } from '../../src/api/reasons.js'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { routes } from '../../src/api/routes.js'
import { appOn, peer } from '../fixtures/http-scenario.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'
const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function stage(options: { token?: string } = {}) {
  const test = await TestExchange.open(t)
  await test.create()
  const { app, faults } = appOn(test, options.token, docsHandlers('1.2.3'))
  const ask = (path: string, { method, body, headers = {} }: Asked = {}) =>
    Promise.resolve(
      app.request(
        path,
        {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: { Host: 'localhost', ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        peer('127.0.0.1'),
      ),
    )
  return { app, ask, faults }
}

t.test('a refusal carries Raay-Reason, and its body keeps exactly four fields', async t => {
  const { ask } = await stage()
  const rows: readonly (readonly [path: string, asked: Asked, reason: string])[] = [
    ['/order/initiate', { body: '{' }, 'malformed_json'],
    ['/order/initiate', { body: { ...ORDER, offer_type: 'hold' } }, 'validation'],
    ['/order/initiate', { body: { ...ORDER, event_id: '7' } }, 'event_not_found'],
    ['/order/initiate', { body: `"${'x'.repeat(200_000)}"` }, 'body_too_large'],
    ['/order/1000001-9-x', {}, 'order_not_found'],
    ['/portfolio/nobody/balance', {}, 'user_not_found'],
    ['/nowhere', {}, 'route_not_found'],
    ['/api/v1/events/7', {}, 'event_not_found'],
    ['/events/1000001/resolve', { body: { outcome: 'yes' } }, 'event_state'],
    ['/portfolio/nobody/withdraw', { body: { amount: 1, txn_id: 'x' } }, 'user_not_found'],
    ['/ws', {}, 'upgrade_required'],
  ]
  for (const [path, asked, reason] of rows) {
    const response = await ask(path, asked)
    t.equal(response.headers.get('raay-reason'), reason, `${path} ${reason}`)
    const body = (await response.json()) as { code: number }
    t.same(Object.keys(body), ['status', 'code', 'name', 'message'], path)
    t.equal(
      REFUSAL_REASONS[reason as keyof typeof REFUSAL_REASONS][0],
      body.code,
      'the code is the listed one',
    )
  }
})

t.test('access refusals carry a reason, too', async t => {
  const { ask } = await stage({ token: TOKEN })
  const why = async (headers: Record<string, string>) =>
    (await ask('/admin/health', { headers })).headers.get('raay-reason')
  t.equal(await why({}), 'token_missing')
  t.equal(await why({ Authorization: 'Bearer another-token' }), 'token_wrong')
  t.equal(await why({ Authorization: `Bearer ${TOKEN}` }), null)
})

t.test('an order rejected by the market carries a reason, an accepted one does not', async t => {
  const { ask } = await stage()
  const plain = { status: true, code: 201, message: 'Order placed successfully' }
  const rejected = await ask('/order/initiate', { body: { ...ORDER, l1_expected_price: 9.99 } })
  t.same([rejected.status, rejected.headers.get('raay-reason')], [201, 'price_out_of_range'])
  t.strictSame(await rejected.json(), plain, 'the body stays that of the specification')
  const taken = await ask('/order/initiate', { body: { ...ORDER, client_order_id: 'one' } })
  t.same([taken.status, taken.headers.get('raay-reason')], [201, null])
  const other = await ask('/order/initiate', {
    body: { ...ORDER, client_order_id: 'one', l1_order_quantity: 2 },
  })
  t.equal(other.headers.get('raay-reason'), 'key_used')
  const id = taken.headers.get('x-order-id')
  const amended = await ask(`/order/${id}/amend`, { body: { price: 2.001 } })
  t.same([amended.status, amended.headers.get('raay-reason')], [409, 'price_off_tick'])
  await ask(`/order/${id}`, { method: 'DELETE' })
  const ended = await ask(`/order/${id}/amend`, { body: { price: 2 } })
  t.same([ended.status, ended.headers.get('raay-reason')], [409, 'order_ended'])
})

t.test('a batch gives the reason for each refusal beside it', async t => {
  const { ask } = await stage()
  const orders = [ORDER, 5, { ...ORDER, event_id: '7' }, { ...ORDER, l1_expected_price: 9.99 }]
  const response = await ask('/order/batch', { body: { orders } })
  const { additional } = (await response.json()) as { additional: { results: Record<string, unknown>[] } }
  t.same(
    additional.results.map(({ reason }) => reason),
    [undefined, 'validation', 'event_not_found', undefined],
  )
  t.match(additional.results[3], { additional: { state: 'rejected', reason: 'price_out_of_range' } })
})

t.test('a full money cap is refused as not retryable', async t => {
  const { ask } = await stage()
  const all = 450_000_000_000
  await ask('/portfolio/asha/deposit', { body: { amount: all, txn_id: 'all' } })
  await ask('/portfolio/asha/deposit', { body: { amount: 359_961_000, txn_id: 'nearly the rest' } })
  const rows = [
    ['/portfolio/asha/deposit', { amount: all, txn_id: 'again' }],
    ['/order/initiate', { ...ORDER, userid: 'late' }],
    ['/order/cancel-after', { timeout_s: 30, userid: 'later' }],
  ] as const
  for (const [path, body] of rows) {
    const response = await ask(path, { body })
    t.same([response.status, response.headers.get('raay-reason')], [409, 'accounts_full'], path)
    t.equal(response.headers.get('retry-after'), null, 'and does not ask for another try')
  }
})

/** A path of an operation, with what may stand for its parameters. */
function pathOf({ path }: { readonly path: string }): string {
  return path.replace(':code', '1000001').replace(':userid', 'asha').replace(/:\w+/g, 'x')
}

t.test('no route ignores an unknown query parameter', async t => {
  const { ask } = await stage()
  for (const operation of routes) {
    const { id, method, takesAnyQuery = false, isAtRootOnly } = operation
    for (const base of isAtRootOnly ? [''] : ['', '/api/v1']) {
      const path = `${base}${pathOf(operation)}?surprise=1`
      const response = await ask(path, { method: method.toUpperCase() })
      const isRefused = response.headers.get('raay-reason') === 'parameter_unknown'
      t.equal(isRefused, !takesAnyQuery, `${id} at ${path}`)
      if (isRefused) t.match(await response.json(), { code: 422, message: /^surprise: Unknown parameter, / })
    }
  }
})

t.test('a parameter that is there twice is refused', async t => {
  const { ask } = await stage()
  for (const path of ['/events/tradeSummary?eventId=1000001&eventId=1000002', '/events?limit=1&limit=1']) {
    t.match(await (await ask(path)).json(), { code: 422, message: /^(?:eventId|limit): Expected one value/ })
  }
  t.equal((await ask('/?a=1&a=2')).status, 200)
})

t.test('a fixed path has its own methods only, and the version has an address of its own', async t => {
  const { ask } = await stage()
  for (const [method, path, allow] of [
    ['GET', '/events/create', 'POST, OPTIONS'],
    ['PUT', '/order/initiate', 'POST, OPTIONS'],
    ['HEAD', '/api/v1/order/batch', 'POST, OPTIONS'],
  ] as const) {
    const answer = await ask(path, { method })
    t.same([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`)
  }
  t.equal((await ask('/events/1000001')).status, 200, 'named parts are found as before')
  const doors = await (await ask('/')).text()
  for (const path of ['/api/v1', '/api/v1/']) t.equal(await (await ask(path)).text(), doors, path)
  t.equal((await ask('/api/v2')).status, 404)
})

t.test('an unknown parameter is named, with the known ones and the closest match', async t => {
  const { ask } = await stage()
  const rows = [
    [
      '/order?usrid=asha',
      'usrid: Unknown parameter, known are userid, event_id, state, from, to, limit, cursor; did you mean userid?',
    ],
    [
      '/order?userid=asha&client_order_id=x',
      'client_order_id: Unknown parameter, known are userid, event_id, state, from, to, limit, cursor',
    ],
    ['/time?x', 'x: Unknown parameter, this route takes none'],
    ['/time?__proto__=1', '__proto__: Unknown parameter, this route takes none'],
    [`/time?${'y'.repeat(5000)}`, `${'y'.repeat(40)}: Unknown parameter, this route takes none`],
  ] as const
  for (const [path, message] of rows) t.match(await (await ask(path)).json(), { code: 422, message })
  const cancelled = await ask('/order?userid=asha&evnt_id=1000001', { method: 'DELETE' })
  t.equal(cancelled.status, 422, 'and nothing is cancelled')
  t.equal((await ask('/order?userid=nobody')).status, 404, 'known ones are looked at as before')
  t.equal((await ask('/nowhere?x=1')).status, 404, 'what is no route stays none')
})

t.test('an unauthorised request to an operator route is refused as such, whatever the query', async t => {
  const { ask } = await stage({ token: TOKEN })
  t.equal((await ask('/admin/actions?surprise=1')).status, 401)
  const headers = { Authorization: `Bearer ${TOKEN}` }
  t.equal((await ask('/admin/actions?surprise=1', { headers })).status, 422)
  t.equal((await ask('/admin/actions?limit=1', { headers })).status, 200)
})

t.test('a known path with a wrong method answers 405 and lists the allowed methods', async t => {
  const { ask } = await stage()
  const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
  const byPath = new Map<string, string[]>()
  for (const operation of routes) {
    const path = pathOf(operation)
    byPath.set(path, [...(byPath.get(path) ?? []), operation.method.toUpperCase()])
  }
  for (const [path, own] of byPath) {
    for (const base of ['', '/api/v1']) {
      const options = await ask(`${base}${path}`, { method: 'OPTIONS' })
      const allowed = options.headers.get('allow')?.split(', ') ?? []
      t.same([options.status, await options.text()], [204, ''], `OPTIONS ${path}`)
      for (const method of own) t.ok(allowed.includes(method), `${path} allows ${method}`)
      t.equal(allowed.includes('HEAD'), allowed.includes('GET'))
      for (const method of methods.filter(method => !allowed.includes(method))) {
        const response = await ask(`${base}${path}`, { method })
        t.equal(response.status, 405, `${method} ${path}`)
        t.equal(response.headers.get('allow'), allowed.join(', '))
        t.equal(response.headers.get('raay-reason'), 'method_not_allowed')
        t.match(await response.json(), { status: false, code: 405, name: 'Method Not Allowed' })
      }
    }
  }
  t.equal((await ask('/nowhere', { method: 'OPTIONS' })).status, 404)
  t.equal((await ask('/nowhere', { method: 'PUT' })).status, 404)
  const head = await ask('/events', { method: 'HEAD' })
  t.same([head.status, await head.text()], [200, ''])
})

t.test('a repeated path keeps its own parameters, however many others come between', async t => {
  const { ask } = await stage()
  const found = async (path: string) => {
    const response = await ask(path)
    const { additional } = (await response.json()) as { additional?: { event_id?: string } }
    return [response.status, additional?.event_id]
  }
  const first = await found('/events/1000001')
  t.same(first, [200, '1000001'])
  for (let code = 1_000_002; code < 1_001_100; code++) {
    const [status] = await found(`/events/${code}`)
    if (status !== 404) t.fail(`event ${code} does not exist`)
    if (code % 250 !== 0) continue
    t.same(await found('/events/1000001'), first)
    t.equal((await ask('/events/1000001', { method: 'PUT' })).status, 405)
  }
})

t.test('the clock can be read', async t => {
  const { ask } = await stage()
  t.match(await (await ask('/time')).json(), {
    code: 200,
    additional: { time: new Date(START).toISOString(), epoch_ms: START },
  })
})
