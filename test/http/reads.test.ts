import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import { lots, ticks } from '../../src/core/units.js'
import { LateTask } from '../../src/shard/late-task.js'
import type { Scenario } from '../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../fixtures/http-scenario.js'
import { readAll, readPage } from '../fixtures/paging.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const iso = (ms: number) => new Date(ms).toISOString()
const ok = (message: string, additional: unknown) => ({ status: true, code: 200, message, additional })
const notFound = (path: string, message: string): Scenario => {
  return { name: path, path, status: 404, answer: refusal(404, message) }
}
const CODES_UNKNOWN = [
  '1000009',
  '100000',
  '10000010',
  '01000001',
  'abc',
  '1000001.0',
  '+1000001',
  '%00',
  '1000001%20',
]

t.test('the trade summary holds exactly what the specification lists', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const summary = {
    order_book_details: {
      orderbook_config: {
        socket_events: {
          subscribe_msg_name: 'subscribe_orderbook',
          unsubscribe_msg_name: 'unsubscribe_orderbook',
          listener_msg_name: 'event_orderbook_1000001',
          subscription_data: '1000001',
        },
      },
    },
  }
  const answer = ok('Trade summary fetched successfully', summary)
  const unknown = CODES_UNKNOWN.map(code =>
    notFound(`/events/tradeSummary?eventId=${code.replace('+', '%2B')}`, 'Event not found'),
  )
  const missing = ['', '?', '?eventId=', '?eventId']
  const misspelt = ['eventid', 'event_id'].map(name => ({
    name,
    path: `/events/tradeSummary?${name}=1000001`,
    status: 422,
    answer: refusal(422, `${name}: Unknown parameter, known are eventId; did you mean eventId?`),
  }))
  await checkScenarios(t, appOn(test), [
    { name: 'known', path: '/events/tradeSummary?eventId=1000001', status: 200, answer },
    { name: 'below the version', path: '/api/v1/events/tradeSummary?eventId=1000001', status: 200, answer },
    ...unknown,
    ...missing.map(query => ({
      ...{
        name: query,
        path: `/events/tradeSummary${query}`,
        status: 422,
        answer: refusal(422, 'eventId: Required'),
      },
    })),
    ...misspelt,
  ])
})

t.test('an event shows its fields and how it trades', async t => {
  const test = await TestExchange.open(t)
  await test.create({ minBet: 0.5, maxBet: 500, capacity: lots(123_456), tickSize: ticks(5) })
  const event = {
    ...{ id: 'event1', title: 'Rain', slug: 'rain-0', description: 'Does it rain?' },
    ...{ start_date: iso(START), end_date: iso(START + 24 * HOUR), createdAt: iso(START) },
    ...{ min_bet: 0.5, max_bet: 500, sot: 'weather', traders: 0, quantity: 1234.56, event_id: '1000001' },
    ...{ status: 'open', payout: 10, tick_size: 0.05, outcome: null, last_price: null },
    ...{ category: null, image: null, source_url: null, note: null, resolvedAt: null },
    ...{ best_bid: null, best_ask: null, volume: 0, volume_24h: 0, change_24h: null, open_interest: 0 },
  }
  const read = (additional: unknown): Scenario => {
    const answer = ok('Event fetched successfully', additional)
    return { name: 'event', path: '/events/1000001', status: 200, answer }
  }
  await checkScenarios(t, appOn(test), [read(event)])
  await test.playAll(['asha buy 10 @ 6.05', 'ben sell 4.5 @ 6.05', 'asha buy 1 no @ 3', 'ben buy 2 @ 5.5'])
  const traded = {
    traders: 2,
    last_price: 6.05,
    best_bid: 6.05,
    best_ask: 7,
    volume: 4.5,
    volume_24h: 4.5,
    change_24h: 0,
    open_interest: 4.5,
  }
  await checkScenarios(t, appOn(test), [
    read({ ...event, ...traded }),
    ...CODES_UNKNOWN.map(code => notFound(`/events/${code}`, 'Event not found')),
  ])
})

t.test('events are listed by code, filtered, in pages without gaps or repeats', async t => {
  const test = await TestExchange.open(t)
  for (let index = 0; index < 5; index++) {
    const sot = index % 2 === 0 ? 'sports' : 'crypto'
    const startAt = index < 3 ? START - HOUR : START + HOUR
    const endAt = startAt + 2 * HOUR
    const category = index === 4 ? {} : { category: index % 2 === 0 ? 'Cricket' : 'खेल' }
    await test.create({ ...category, title: `Match ${index}`, sot, slug: `match-${index}`, startAt, endAt })
  }
  const { app } = appOn(test)
  const list = async (query: string) => {
    const body = (await (await app.request(`/events${query}`)).json()) as ListAnswer
    return {
      codes: body.additional.events.map(({ event_id }) => Number(event_id) - 1_000_000),
      ...body.additional,
    }
  }
  const rows: readonly (readonly [string, number[]])[] = [
    ['', [1, 2, 3, 4, 5]],
    ['?status=open', [1, 2, 3]],
    ['?status=scheduled', [4, 5]],
    ['?status=settled', []],
    ['?sot=crypto', [2, 4]],
    ['?sot=Crypto', []],
    ['?category=Cricket', [1, 3]],
    ['?category=cricket', [1, 3]],
    ['?category=%E0%A4%96%E0%A5%87%E0%A4%B2', [2, 4]],
    ['?category=crick', []],
    ['?category=', [5]],
    ['?category=cricket&sot=crypto', []],
    ['?q=match&category=CRICKET', [1, 3]],
    ['?q=MATCH%202', [3]],
    ['?q=match&sot=sports&status=scheduled', [5]],
    ['?q=nothing', []],
    ['?limit=1000', [1, 2, 3, 4, 5]],
    ['?cursor=1000003', [4, 5]],
    ['?cursor=1000005', []],
    ['?status=trading', [1, 2, 3, 4, 5]],
    ['?status=ended', []],
    ['?sort=newest', [5, 4, 3, 2, 1]],
    ['?sort=newest&cursor=1000003', [2, 1]],
    ['?sort=newest&q=match&sot=sports', [5, 3, 1]],
    ['?sort=closing&status=open', [3, 2, 1]],
    ['?event_ids=1000004,1000002,1000009,1000002', [2, 4]],
    ['?event_ids=1000004,1000002&q=match&sot=crypto&cursor=1000002', [4]],
  ]
  for (const [query, codes] of rows) {
    const page = await list(query)
    t.same([page.codes, page.next_cursor], [codes, null], query)
  }
  const seen: number[] = []
  let cursor: string | null = '0'
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2&cursor=${cursor}`)
    t.ok(page.codes.length <= 2)
    seen.push(...page.codes)
    cursor = page.next_cursor
  }
  t.same(seen, [1, 2, 3, 4, 5])
  t.equal((await list('?limit=5')).next_cursor, null, 'a last page that is full has no next')
})

t.test('a page of long events ends before a megabyte, and the next one continues', async t => {
  const test = await TestExchange.open(t)
  // Each is 6 bytes as JSON: 60 kB an event, of which 16 fit.
  const description = '\u0001'.repeat(10_000)
  for (let index = 0; index < 40; index++) await test.create({ description, slug: `long-${index}` })
  const on = appOn(test)
  const text = await (await on.app.request('/events?limit=1000')).text()
  t.ok(text.length < 1_000_000 + 200, 'the page is bounded', { found: text.length })
  const { rows, next } = await readPage<{ event_id: string }>(on, '/events?limit=1000')
  t.same([rows.length, next], [16, '1000016'])
  const codes = (await readAll<{ event_id: string }>(on, '/events', 1000)).map(({ event_id }) => event_id)
  t.same(codes.length, 40, 'nothing is left out')
  t.same(new Set(codes).size, 40, 'and nothing comes twice')
})

t.test('description=no omits only the descriptions', async t => {
  const test = await TestExchange.open(t)
  const description = '\u0001'.repeat(10_000)
  for (let index = 0; index < 40; index++) await test.create({ description, slug: `long-${index}` })
  const on = appOn(test)
  const short = await readPage<object>(on, '/events?description=no')
  t.same([short.rows.length, short.next], [40, null], 'short rows fit on one page')
  const [whole] = (await readPage<object>(on, '/events?limit=1&description=yes')).rows
  t.same({ ...short.rows[0], description }, whole)
  t.notOk(short.rows.some(row => 'description' in row))
  const wrong = "description: Invalid enum value. Expected 'yes' | 'no', received 'none'"
  const answer = refusal(422, wrong)
  await checkScenarios(t, on, [{ name: 'none', path: '/events?description=none', status: 422, answer }])
})

interface ListAnswer {
  readonly additional: {
    readonly events: readonly { readonly event_id: string }[]
    readonly next_cursor: string | null
  }
}

t.test('an invalid limit, cursor, depth or status is refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const ends = "'closed' | 'resolved' | 'settled' | 'voided' | 'trading' | 'ended'"
  const statuses = `'scheduled' | 'open' | 'halted' | ${ends}`
  const rows: readonly (readonly [string, string])[] = [
    ...['0', '-1', '1001', '1.5', '1e2', 'x', '', '%2010'].map(
      value => [`/events?limit=${value}`, 'limit: Expected 1 to 1000'] as const,
    ),
    ...['-1', 'x', '99999999999999999', ''].map(
      value => [`/events?cursor=${value}`, 'cursor: Expected the next_cursor of a page before'] as const,
    ),
    ...['0', '-1', '10001', 'x', ''].map(
      value => [`/events/1000001/orderbook?depth=${value}`, 'depth: Expected 1 to 10000'] as const,
    ),
    ...['lost', 'OPEN', ''].map(value => {
      const message = `status: Invalid enum value. Expected ${statuses}, received '${value}'`
      return [`/events?status=${value}`, message] as const
    }),
  ]
  const scenarios = rows.map(([path, message]) => {
    return { name: path, path, status: 422, answer: refusal(422, message) }
  })
  await checkScenarios(t, appOn(test), scenarios)
})

t.test('the book is shown best price first, to the requested depth', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'asha buy 2 @ 5.2', 'ben buy 0.5 @ 5.2', 'ben sell 3 @ 5.3'])
  await test.playAll(['ben sell 4 @ 9.9', 'cora buy 1 @ 5.3'])
  const book = (path: string, bids: number[][], asks: number[][]): Scenario => {
    const shown = { event_id: '1000001', seq: 13, status: 'open', bids, asks, last_price: 5.3 }
    return { name: path, path, status: 200, answer: ok('Order book fetched successfully', shown) }
  }
  const bids = [
    [5.2, 2.5],
    [5, 1],
  ]
  const asks = [
    [5.3, 2],
    [9.9, 4],
  ]
  const path = '/events/1000001/orderbook'
  await checkScenarios(t, appOn(test), [
    book(path, bids, asks),
    book(`${path}?depth=1`, bids.slice(0, 1), asks.slice(0, 1)),
    book(`${path}?depth=10000`, bids, asks),
    ...CODES_UNKNOWN.map(code => notFound(`/events/${code}/orderbook`, 'Event not found')),
  ])
})

/** Orders, and what of each is shown however long ago it ended. */
const ORDERS: readonly (readonly [string, object])[] = [
  ['asha buy 2 @ 5', { state: 'filled', status: 'PLACED', price: 5, filled_quantity: 2, average_price: 5 }],
  ['ben sell 2 @ 5', { state: 'filled', status: 'PLACED', side: 'no', offer_type: 'sell', average_price: 5 }],
  ['ben sell 1 @ 9.95', { state: 'rejected', status: 'PENDING', price: 9.95, reason: 'price_out_of_range' }],
  [
    'asha buy 1 market',
    { state: 'cancelled', status: 'PLACED', reason: 'no_liquidity', remaining_quantity: 1 },
  ],
  ['asha buy 2 no @ 3.5', { state: 'resting', price: 3.5, side: 'no', offer_type: 'buy', outcome: 'no' }],
]

async function placedIds(test: TestExchange): Promise<string[]> {
  const ids: string[] = []
  for (const [order] of ORDERS) ids.push(orderId(await test.place(order)))
  return ids
}

t.test('an order is found however it ended, immediately and after a restart', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const ids = await placedIds(test)
  for (const round of ['at once', 'after a restart']) {
    const { app } = appOn(test)
    for (const [index, id] of ids.entries()) {
      const answer = await app.request(`/order/${id}`)
      t.equal(answer.status, 200)
      t.match(await answer.json(), ok('Order fetched successfully', { id, ...ORDERS[index]?.[1] }), round)
    }
    await test.restart()
  }
})

t.test('an order is found only by its complete id', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const ids = await placedIds(test)
  const guesses = ids.flatMap(id => [
    ...[`${id}0`, id.slice(0, -1), id.replace('tail', 'Tail'), id.replace(/-tail.*/, '')],
    ...[id.replace(/-(\d)-/, '-0$1-'), id.replace(/-\d-/, '-9-'), id.replace('1000001', '1000009')],
  ])
  const odd = ['1000001-0-tail1', '1000001-1-', '1', 'x', '1000001-1-a_b', '1000001-4294967297-tail3']
  const [first = '', second = ''] = ids
  const mixed = first.replace(/tail.*/, '') + second.replace(/.*-/, '')
  const scenarios = [...guesses, ...odd, mixed].map(id => notFound(`/order/${id}`, 'Order not found'))
  const answer = refusal(400, 'The address is not UTF-8')
  const broken = { name: 'not UTF-8', path: '/order/%E0%A4%A', status: 400, answer }
  await checkScenarios(t, appOn(test), [...scenarios, broken])
})

t.test('balances and positions of known users are shown', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6', 'asha sell 3 @ 9'])
  const balance = (userid: string, cash: number, held: number, user_seq: number): Scenario => {
    const shown = { userid, cash, held, available: cash - held, user_seq }
    const answer = ok('Balance fetched successfully', shown)
    return { name: userid, path: `/portfolio/${userid}/balance`, status: 200, answer }
  }
  const positions = (userid: string, shown: unknown[]): Scenario => {
    const answer = ok('Positions fetched successfully', { positions: shown, next_cursor: null })
    return { name: userid, path: `/portfolio/${userid}/positions`, status: 200, answer }
  }
  const bought = (average_price: number) => ({ average_price, realised: 0, unrealised: 0 })
  await checkScenarios(t, appOn(test), [
    balance('asha', 976, 36, 8),
    balance('ben', 984, 0, 4),
    positions('asha', [
      { ...{ event_id: '1000001', yes: 4, no: 0, yes_locked: 3, no_locked: 0 }, ...bought(6) },
    ]),
    positions('ben', [
      { ...{ event_id: '1000001', yes: 0, no: 4, yes_locked: 0, no_locked: 0 }, ...bought(4) },
    ]),
    ...['cora', 'Asha', '%00', 'escrow:1000001', 'house', '4'].flatMap(user => [
      notFound(`/portfolio/${user}/balance`, 'User not found'),
      notFound(`/portfolio/${user}/positions`, 'User not found'),
    ]),
  ])
})

t.test('a balance shows no hold for an order that is not on disk yet', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const { app } = appOn(test)
  const balance = async () => {
    const response = await app.request('/portfolio/asha/balance')
    return ((await response.json()) as { additional: unknown }).additional
  }
  const before = await balance()
  const onItsWay = test.place('asha buy 10 @ 5')
  t.same(await balance(), before, 'while it is on its way')
  await onItsWay
  t.same(await balance(), { userid: 'asha', cash: 1000, held: 55, available: 945, user_seq: 4 })
})

t.test('a reader that does not answer in time results in 503 with Retry-After, never 500', async t => {
  const test = await TestExchange.open(t)
  const { app, faults } = appOn(test, 'secret')
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  const late = () => Promise.reject(new LateTask('history', 120_000))
  Object.assign(test.exchange.archive, { settlementPreview: late, trades: late, positions: late })
  Object.assign(test.exchange, { placeOrder: late })
  Object.assign(test.exchange.archive, { verifyLedger: late })
  Object.assign(test.exchange.backups, { make: late })
  const order = {
    event_id: '1000001',
    l1_expected_price: 5,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid: 'asha',
  }
  const requests: readonly (readonly [string, unknown?])[] = [
    ['/events/1000001/settlement?outcome=yes'],
    ['/events/1000001/trades'],
    ['/portfolio/asha/positions'],
    ['/ledger/verify'],
    ['/admin/backup', {}],
    ['/order/initiate', order],
  ]
  const headers = { authorization: 'Bearer secret' }
  for (const [path, body] of requests) {
    const sent = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body), headers }
    const answer = await app.request(path, sent)
    t.equal(answer.status, 503, path)
    t.equal(answer.headers.get('retry-after'), '1', path)
    t.equal(answer.headers.get('raay-reason'), 'read_late', path)
  }
  t.equal(faults.length, requests.length, 'and the operator can read of each')
})

t.test('reads beyond the queue limit are refused with 503, and orders go on meanwhile', async t => {
  const test = await TestExchange.open(t)
  const { app, faults } = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  const paths = ['/events/1000001/trades', '/portfolio/asha/statement', '/order?userid=ben', '/events?q=rain']
  const reads = Array.from({ length: 1600 }, (_, i) => app.request(paths[i % paths.length] as string))
  const placed = test.place('cora buy 1 @ 5')
  const answers = await Promise.all(reads)
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  t.same([...counts.keys()].sort(), [200, 503], 'and nothing else', { counts: [...counts] })
  const refused = answers.find(({ status }) => status === 503)
  t.equal(refused?.headers.get('retry-after'), '1')
  t.same(await refused?.json(), refusal(503, 'Too many reads are waiting: try again in a moment'))
  t.equal((await placed).state, 'resting')
  t.same(faults, [])
  t.equal((await app.request('/events/1000001/trades')).status, 200, 'later there is room again')
})
