import t from 'tap'
import type { Order, OrderState } from '../../src/client/shapes.js'
import { openOrders } from '../../src/client/orders.js'
import { RaayClient, RaayError } from '../../src/client/client.js'
import type { Reply } from '../fixtures/server/client-world.js'
import { ClientWorld, ok, refusal } from '../fixtures/server/client-world.js'

const ORDER = { event_id: '1000001', offer_type: 'buy', price: 5, quantity: 1 } as const

function start(replies: readonly Reply[]) {
  const world = new ClientWorld()
  let count = 0
  world.reply = () => replies[Math.min(count++, replies.length - 1)] ?? refusal(404)
  const client = new RaayClient({ url: `${world.url}/`, userid: 'asha', ...world.surroundings })
  return { world, client }
}

/** Lets all the time that a call may need pass; returns its result or its error. */
async function outcomeOf<T>(world: ClientWorld, call: Promise<T>): Promise<T | RaayError> {
  const caught = call.catch((error: RaayError) => error)
  await world.pass(200_000)
  return caught
}

/** Failures that happen once, the calls retried after them, and the calls never retried. */
const FAILURES: readonly (readonly [
  what: string,
  reply: Reply,
  again: { read: boolean; create: boolean; cancel: boolean; amend: boolean; event: boolean },
])[] = [
  ['no network', new TypeError('fetch failed'), everyButThoseWithoutAKey()],
  ['no answer', 'nothing', everyButThoseWithoutAKey()],
  ['408', refusal(408), everyButThoseWithoutAKey()],
  ['502', refusal(502), everyButThoseWithoutAKey()],
  ['504', refusal(504), everyButThoseWithoutAKey()],
  ['a page of a proxy', { status: 502, body: '<html>' }, everyButThoseWithoutAKey()],
  ['a page where Raay should be', { status: 200, body: '<html>' }, everyButThoseWithoutAKey()],
  ['429', refusal(429), { read: true, create: true, cancel: true, amend: true, event: true }],
  ['503', refusal(503), { read: true, create: true, cancel: true, amend: true, event: true }],
  ...[400, 401, 403, 404, 409, 413, 422, 500].map(
    code =>
      [
        String(code),
        refusal(code),
        { read: false, create: false, cancel: false, amend: false, event: false },
      ] as const,
  ),
]

function everyButThoseWithoutAKey() {
  return { read: true, create: true, cancel: true, amend: true, event: false }
}

const EVENT = {
  title: 'Will it?',
  description: '',
  start_date: '',
  end_date: '',
  min_bet: 0,
  max_bet: 1,
  sot: '',
  quantity: 1,
}

t.test('retries after these failures, and only calls that are safe to retry', async t => {
  const calls = {
    read: (client: RaayClient) => client.fetchOrderBook('1000001'),
    create: (client: RaayClient) => client.createOrder(ORDER),
    cancel: (client: RaayClient) => client.cancelOrder('1000001-1-a'),
    amend: (client: RaayClient) => client.amendOrder('1000001-1-a', { price: 5 }),
    event: (client: RaayClient) => client.operator.createMarket(EVENT),
  }
  for (const [what, reply, again] of FAILURES) {
    for (const [name, call] of Object.entries(calls)) {
      const { world, client } = start([reply, ok('done')])
      const outcome = await outcomeOf<unknown>(world, call(client))
      const isAgain = again[name as keyof typeof calls]
      t.equal(world.asked.length, isAgain ? 2 : 1, `${name} after ${what}`)
      if (isAgain) t.equal(outcome, 'done', `${name} after ${what}`)
      else t.type(outcome, RaayError, `${name} after ${what}`)
    }
  }
})

t.test('gives up after half a minute, and says why', async t => {
  const { world, client } = start([refusal(503, 'Service Unavailable')])
  const outcome = await outcomeOf(world, client.fetchOrderBook('1000001'))
  t.equal(world.asked.length, 11, 'pauses of 27.9 s; the next would be too much')
  t.match(outcome, { code: 503, name: 'Service Unavailable', message: 'because of 503', retryable: true })
  t.same(world.timersMs, [], 'nothing is left behind')
})

t.test('sends each attempt at an order with the same client_order_id and body', async t => {
  const { world, client } = start([refusal(503), 'nothing', ok('done')])
  await outcomeOf(world, client.createOrder(ORDER))
  t.equal(world.asked.length, 3)
  for (const { body, headers } of world.asked) {
    t.same(body, {
      event_id: '1000001',
      offer_type: 'buy',
      l1_expected_price: 5,
      l1_order_quantity: 1,
      order_type: 'LO',
      userid: 'asha',
      client_order_id: 'key-1',
    })
    t.match(headers, { Prefer: 'wait', 'Content-Type': 'application/json' })
  }
  await outcomeOf(world, client.createOrder({ ...ORDER, client_order_id: 'mine' }))
  t.equal(world.asked.at(-1)?.body?.client_order_id, 'mine')
  await outcomeOf(world, client.createOrder(ORDER))
  t.equal(world.asked.at(-1)?.body?.client_order_id, 'key-2', 'the next order has a name of its own')
})

t.test('sends prices without floating-point noise, and an invalid price unchanged', async t => {
  const { world, client } = start([ok('done')])
  const sent = async (price: number) => {
    await outcomeOf(world, client.createOrder({ ...ORDER, price }))
    return world.asked.at(-1)?.body?.l1_expected_price
  }
  t.equal(await sent(5.1 - 0.2), 4.9)
  t.equal(await sent(0.1 + 0.2), 0.3)
  t.equal(await sent(4.905), 4.905, 'it is not for the client to round')
  t.equal(await sent(Number.NaN), null, 'the exchange says what is wrong with it')
})

t.test('answers that do not come count as waiting, and attempts can be bounded', async t => {
  const { world, client } = start(['nothing'])
  t.match(await outcomeOf(world, client.fetchOrderBook('1000001')), { code: 408 })
  t.equal(world.asked.length, 3)
  const few = new RaayClient({ url: world.url, ...world.surroundings, attemptsMax: 2 })
  await outcomeOf(world, few.fetchOrderBook('1000001'))
  t.equal(world.asked.length, 5)
})

t.test('shows the rest of each limit by the last answer', async t => {
  const { world, client } = start([])
  const answers = ['"reads";r=990;t=1', '"orders";r=399;t=2', 'nonsense', '"reads";r=985;t=3']
  world.reply = () => ({
    status: 200,
    body: { status: true, message: '' },
    headers: { ratelimit: answers.shift() ?? '' },
  })
  t.same(client.maker.remainingLimits, new Map())
  for (let left = 5; left > 0; left--) await client.fetchVersion()
  t.same(
    [...client.maker.remainingLimits],
    [
      ['reads', { remaining: 985, resetS: 3 }],
      ['orders', { remaining: 399, resetS: 2 }],
    ],
  )
})

t.test('waits as long as the exchange asks, plus some jitter', async t => {
  const { world, client } = start([refusal(503, '', { 'retry-after': '3' }), ok('done')])
  const call = client.fetchOrderBook('1000001')
  await world.settle()
  t.same(world.timersMs, [3125], 'three seconds, and at least half of the first pause')
  world.chance = 0.999
  await world.pass(3125)
  t.equal(await call, 'done')
})

t.test('does not wait when the exchange asks for minutes', async t => {
  const { world, client } = start([refusal(503, '', { 'retry-after': '120' }), ok('done')])
  const outcome = await outcomeOf(world, client.fetchOrderBook('1000001'))
  t.match(outcome, { code: 503, retryAfterMs: 120_000 })
  t.equal(world.asked.length, 1)
})

t.test('doubles its pause each time, with half of it random, up to a limit', async t => {
  for (const [chance, pauses] of [
    [0, [125, 250, 500, 1000]],
    [0.5, [187.5, 375, 750, 1500]],
  ] as const) {
    const { world, client } = start([new Error('no network')])
    world.chance = chance
    const call = client.fetchOrderBook('1000001').catch(() => {})
    for (const pause of pauses) {
      await world.settle()
      t.same(world.timersMs, [pause])
      await world.pass(pause)
    }
    client.close()
    await call
  }
})

t.test('reports how long it waited without a response', async t => {
  const { world, client } = start(['nothing'])
  const outcome = await outcomeOf(world, client.operator.createMarket(EVENT))
  t.match(outcome, {
    code: 408,
    name: 'Request Timeout',
    retryable: true,
    message: /no answer within 10000 ms/,
  })
})

t.test("includes the network's reason", async t => {
  const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  const { world, client } = start([refused])
  t.match(await outcomeOf(world, client.fetchOrderBook('1000001')), {
    code: 502,
    name: 'Network Error',
    message: /ECONNREFUSED/,
    cause: refused,
  })
})

t.test('aborts calls in progress and pending retries when closed', async t => {
  for (const reply of ['nothing', refusal(503)] as const) {
    const { world, client } = start([reply])
    const call = client.fetchOrderBook('1000001').catch((error: RaayError) => error)
    await world.settle()
    client.close()
    t.match(await call, { code: 499, name: 'Closed', retryable: false })
    t.same(world.timersMs, [])
  }
  const { world, client } = start([ok('done')])
  client.close()
  t.match(await outcomeOf(world, client.fetchOrderBook('1000001')), { name: 'Closed' })
  t.equal(world.asked.length, 0)
})

t.test('resends only the orders of a batch that were refused for lack of capacity', async t => {
  const order = (id: string) => ({ status: true, code: 201, message: 'Placed', additional: { id } })
  const no = (code: number) => ({ status: false, code, name: 'No', message: `no ${code}` })
  const { world, client } = start([
    ok({ results: [order('a'), no(503), no(422), no(503)] }),
    ok({ results: [order('b'), no(503)] }),
    ok({ results: [order('d')] }),
  ])
  const prices = [1, 2, 3, 4]
  const results = await outcomeOf(world, client.createOrders(prices.map(price => ({ ...ORDER, price }))))
  t.match(results, [{ id: 'a' }, { id: 'b' }, new RaayError(422, 'No', 'no 422'), { id: 'd' }])
  const sent = world.asked.map(({ body }) =>
    ((body?.orders ?? []) as Record<string, unknown>[]).map(order => [
      order.l1_expected_price,
      order.client_order_id,
    ]),
  )
  t.same(sent, [
    [
      [1, 'key-1'],
      [2, 'key-2'],
      [3, 'key-3'],
      [4, 'key-4'],
    ],
    [
      [2, 'key-2'],
      [4, 'key-4'],
    ],
    [[4, 'key-4']],
  ])
})

t.test('returns what was placed of a batch, even if its repeat fails', async t => {
  const order = (id: string) => ({ status: true, code: 201, message: 'Placed', additional: { id } })
  const no = (code: number) => ({ status: false, code, name: 'No', message: `no ${code}` })
  const orders = [1, 2, 3].map(price => ({ ...ORDER, price }))
  for (const idempotencyKey of [undefined, 'day 1']) {
    for (const [repeat, code] of [
      [refusal(401), 401],
      [new TypeError('fetch failed'), 502],
    ] as const) {
      const { world, client } = start([ok({ results: [order('a'), no(503), no(422)] }), repeat])
      const results = await outcomeOf(
        world,
        client.createOrders(orders, idempotencyKey ? { idempotencyKey } : {}),
      )
      t.match(results, [{ id: 'a' }, { code }, { code: 422 }], `${code} ${idempotencyKey}`)
    }
    const { world, client } = start([refusal(401)])
    const call = client.createOrders(orders, idempotencyKey ? { idempotencyKey } : {})
    t.match(await outcomeOf(world, call), { code: 401 }, 'without any answer it rejects')
  }
})

t.test('says how many orders a full queue left open', async t => {
  const answer = { orders: [{ id: 'a' }], ended: 1, still_open: 40 }
  const { client } = start([ok(answer)])
  t.same(await client.cancelAllOrders(), answer)
})

t.test('resends a named batch whole, under the same key, and adds no names to its orders', async t => {
  const order = { status: true, code: 201, message: 'Placed', additional: { id: 'a' } }
  const no = (code: number) => ({ status: false, code, name: 'No', message: `no ${code}` })
  const { world, client } = start([
    new TypeError('fetch failed'),
    ok({ results: [order, no(503), no(422)] }),
    ok({ results: [order, order, no(422)] }),
  ])
  const orders = [ORDER, { ...ORDER, client_order_id: 'mine' }, { ...ORDER, price: 11 }]
  const results = await outcomeOf(world, client.createOrders(orders, { idempotencyKey: 'day 1' }))
  t.match(results, [{ id: 'a' }, { id: 'a' }, new RaayError(422, 'No', 'no 422')])
  t.same(
    world.asked.map(({ headers }) => (headers as Record<string, string>)['Idempotency-Key']),
    ['day 1', 'day 1', 'day 1'],
  )
  const [first, ...others] = world.asked.map(({ body }) => body?.orders as { client_order_id?: string }[])
  t.same(
    first?.map(({ client_order_id }) => client_order_id),
    [undefined, 'mine', undefined],
  )
  for (const other of others) t.same(other, first)
})

t.test('reads and cancels by client_order_id until it gets an answer, and never after a refusal', async t => {
  const calls = {
    GET: (client: RaayClient, key: string) => client.fetchOrderByClientId(key),
    DELETE: (client: RaayClient, key: string) => client.cancelOrderByClientId(key, { userid: 'ravi' }),
  }
  const query = { GET: 'userid=asha', DELETE: 'userid=ravi' }
  for (const [method, call] of Object.entries(calls)) {
    const { world, client } = start([refusal(503), new TypeError('fetch failed'), ok({ id: 'a' })])
    t.same(await outcomeOf(world, call(client, '../my bid?')), { id: 'a' })
    const path = `/order/by-client-id/..%2Fmy%20bid%3F?${query[method as keyof typeof calls]}`
    t.same(
      world.asked.map(asked => [asked.method, asked.path]),
      Array.from({ length: 3 }, () => [method, path]),
    )
    const unknown = start([refusal(404)])
    t.match(await outcomeOf(unknown.world, call(unknown.client, 'other')), { code: 404 })
    t.equal(unknown.world.asked.length, 1)
  }
})

t.test('returns the remaining refusals of a batch after the last attempt', async t => {
  const { world, client } = start([
    ok({ results: [{ status: false, code: 503, name: 'No', message: 'no' }] }),
  ])
  const results = await outcomeOf(world, client.createOrders([ORDER]))
  t.match(results, [new RaayError(503, 'No', 'no')])
  t.equal(world.asked.length, 11)
})

t.test('fetches lists page by page, up to their end or the limit', async t => {
  const { world, client } = start([])
  world.reply = ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const from = Number(query.get('cursor') ?? 0)
    const trades = Array.from({ length: Number(query.get('limit')) }, (_, n) => ({ tradeId: from + n }))
    const end = from + trades.length
    return ok({
      trades: trades.filter(({ tradeId }) => tradeId < 2500),
      next_cursor: end < 2500 ? `${end}` : null,
    })
  }
  t.equal((await client.fetchTrades('1000001')).length, 1000)
  t.equal(world.asked.length, 1)
  t.equal((await client.fetchTrades('1000001', { limit: 1001 })).length, 1001)
  const all = await client.fetchTrades('1000001', { limit: 9999 })
  t.same(
    all.map(({ tradeId }) => tradeId),
    Array.from({ length: 2500 }, (_, n) => n),
  )
  t.equal((await client.fetchTrades('1000001', { limit: 0 })).length, 0)
})

t.test('continues past a short or empty page that has a cursor', async t => {
  const { client } = start([
    ok({ orders: [], next_cursor: 'a' }),
    ok({ orders: [{ id: 1 }], next_cursor: 'b' }),
    ok({ orders: [{ id: 2 }], next_cursor: null }),
  ])
  t.match(await client.fetchOrders({ limit: 10 }), [{ id: 1 }, { id: 2 }])
})

t.test('refuses invalid arguments, and percent-encodes names', async t => {
  for (const url of ['', 'localhost:3000', 'ftp://a', 'http://', 'http:// a']) {
    t.throws(() => new RaayClient({ url }), { code: 422, message: /^url: Expected/ }, url)
  }
  const world = new ClientWorld()
  const client = new RaayClient({ url: world.url, ...world.surroundings })
  await t.rejects(client.fetchBalance(), { code: 422, message: /^userid: Required/ })
  await t.rejects(client.createOrder(ORDER), { code: 422, message: /^userid: Required/ })
  t.equal(world.asked.length, 0)
  world.reply = () => ok({})
  await client.fetchBalance({ userid: 'a/b?c' })
  await client.fetchMarket('../x')
  t.same(
    world.asked.map(({ path }) => path),
    ['/portfolio/a%2Fb%3Fc/balance', '/events/..%2Fx'],
  )
})

t.test('sends the token with operator calls only', async t => {
  const world = new ClientWorld()
  world.reply = () => ok({})
  const client = new RaayClient({ url: world.url, userid: 'a', adminToken: 'secret', ...world.surroundings })
  await client.operator.haltMarket('1000001')
  await client.fetchBalance()
  t.match(world.asked[0]?.headers, { Authorization: 'Bearer secret' })
  t.notOk('Authorization' in (world.asked[1]?.headers ?? {}))
})

t.test('reads wait for the last batch that writes have named, if they are to', async t => {
  for (const readYourWrites of [true, undefined]) {
    const world = new ClientWorld()
    const batches = ['7', '12', '9', 'x', '']
    const body = { status: true, code: 200, message: 'Done', additional: [] }
    world.reply = () => {
      return { status: 200, body, headers: { 'x-sequence': batches[world.asked.length - 2] ?? '' } }
    }
    const option = readYourWrites && { readYourWrites }
    const client = new RaayClient({ url: world.url, userid: 'asha', ...option, ...world.surroundings })
    await client.fetchVersion()
    for (const _ of batches) await client.createOrder(ORDER)
    await client.fetchOrderBook('1000001')
    const sent = world.asked.map(({ headers }) => headers['X-Min-Sequence'])
    t.same(sent, [...Array(6).fill(undefined), readYourWrites && '12'])
    t.notOk('X-Epoch' in (world.asked.at(-1)?.headers ?? {}), 'an epoch that no answer named is not claimed')
  }
})

t.test('reads go on once a takeover has lost what was written, and the caller hears of it once', async t => {
  const world = new ClientWorld()
  const body = { status: true, code: 200, message: 'Done', additional: [] }
  const lost = { status: false, code: 409, name: 'Resource conflict', message: 'X-Min-Sequence: lost' }
  let epoch = 3
  let sequence = 12
  world.reply = ({ headers, method }) => {
    if (method === 'POST')
      return { status: 200, body, headers: { 'x-sequence': `${sequence}`, 'x-epoch': `${epoch}` } }
    if (headers['X-Min-Sequence'] === undefined || headers['X-Epoch'] === String(epoch))
      return { status: 200, body }
    return { status: 409, body: lost, headers: { 'raay-reason': 'sequence_lost' } }
  }
  let told = 0
  const onWritesLost = () => told++
  const options = { url: world.url, userid: 'asha', readYourWrites: true, onWritesLost }
  const client = new RaayClient({ ...options, ...world.surroundings })
  const wanted = () => world.asked.map(({ headers }) => headers['X-Min-Sequence'])
  await client.createOrder(ORDER)
  await client.fetchVersion()
  epoch = 4
  sequence = 9
  await Promise.all([client.fetchOrderBook('1000001'), client.fetchOrderBook('1000002')])
  await client.fetchOrderBook('1000001')
  t.same(wanted(), [undefined, '12', '12', '12', undefined, undefined, undefined])
  t.equal(told, 1)
  await client.createOrder(ORDER)
  await client.fetchOrderBook('1000001')
  t.same(wanted().slice(-1), ['9'], 'the history of the exchange that leads now')
  epoch = 5
  sequence = 5
  await client.createOrder(ORDER)
  await client.fetchOrderBook('1000001')
  t.same([wanted().at(-1), told], ['5', 1], 'a later write takes the place of one that is lost')
})

t.test(
  'the newest open orders of one batch come first, whether they rest or are partially filled',
  async t => {
    const order = (id: string, state: OrderState, createdAt = '2026-11-20T00:00:00.000Z') =>
      ({ id, event_id: id.slice(0, 7), state, createdAt }) as Order
    const lists: Partial<Record<OrderState, Order[]>> = {
      resting: [
        order('1000002-9-a', 'resting'),
        order('1000001-10-b', 'resting'),
        order('1000001-2-c', 'resting'),
      ],
      partially_filled: [
        order('1000001-9-z', 'partially_filled', '2026-11-20T00:00:00.001Z'),
        order('1000001-11-d', 'partially_filled'),
      ],
    }
    const read = async ({ state, limit }: { state: OrderState; limit: number }) =>
      lists[state]?.slice(0, limit) ?? []
    const expected = ['1000001-9-z', '1000002-9-a', '1000001-11-d', '1000001-10-b', '1000001-2-c']
    for (const limit of [1, 2, 3, 4, 5, Number.POSITIVE_INFINITY]) {
      t.same(
        (await openOrders(read, limit)).map(({ id }) => id),
        expected.slice(0, limit),
      )
    }
  },
)
