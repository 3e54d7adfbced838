import t from 'tap'
import { startTestServer } from '../fixtures/server-process.js'

const EVENT = {
  title: 'Will X reach $100k by 2026?',
  description: 'Closes YES if X trades at or above $100,000',
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2126-01-01T00:00:00Z',
  min_bet: 1,
  max_bet: 100_000,
  sot: 'crypto',
  quantity: 1000,
}
const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 2,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const CREATED = {
  status: true,
  code: 201,
  message: 'Event created successfully',
  additional: '1000001',
}
const PLACED = { status: true, code: 201, message: 'Order placed successfully' }
const NO_EVENT = refusal(404, 'Resource not found', 'Event not found')
const SUMMARY = {
  status: true,
  code: 200,
  message: 'Trade summary fetched successfully',
  additional: {
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
  },
}

function refusal(code: number, name: string, message: string): object {
  return { status: false, code, name, message }
}

const unprocessable = (message: string) => refusal(422, 'Unprocessable entity', message)
const order = (change: object) => ({ ...ORDER, ...change })
const event = (change: object) => ({ ...EVENT, ...change })

/** Each row of the specification's tables: the request as a client types it, and the full response. */
const ROWS: readonly (readonly [string, string, unknown, object])[] = [
  ['4.1 an event is created', '/events/create', EVENT, CREATED],
  [
    '4.1 a used slug',
    '/events/create',
    event({ title: 'will x  reach 100k, by 2026!' }),
    refusal(409, 'Resource conflict', 'Event already exists'),
  ],
  [
    '4.1 a text where a number belongs',
    '/events/create',
    event({ title: 'Other', min_bet: '1' }),
    unprocessable('min_bet: Expected number, received string'),
  ],
  [
    '4.1 a missing field',
    '/events/create',
    event({ title: 'Other', sot: undefined }),
    unprocessable('sot: Required'),
  ],
  ['4.2 the trade summary', '/events/tradeSummary?eventId=1000001', undefined, SUMMARY],
  ['4.2 of an unknown event', '/events/tradeSummary?eventId=9999999', undefined, NO_EVENT],
  ['4.3 an order is placed', '/order/initiate', ORDER, PLACED],
  ['4.3 a market order', '/order/initiate', order({ order_type: 'MO', userid: 7 }), PLACED],
  ['4.3 of an unknown event', '/order/initiate', order({ event_id: '1' }), NO_EVENT],
  [
    '4.3 a price below 0.1',
    '/order/initiate',
    order({ l1_expected_price: 0.09 }),
    unprocessable('l1_expected_price: Order price must be a positive integer'),
  ],
  [
    '4.3 a quantity below 0.1',
    '/order/initiate',
    order({ l1_order_quantity: 0 }),
    unprocessable('l1_order_quantity: Order quantity must be a positive integer'),
  ],
  [
    '4.3 an unknown offer',
    '/order/initiate',
    order({ offer_type: 'hold' }),
    unprocessable("offer_type: Invalid enum value. Expected 'buy' | 'sell', received 'hold'"),
  ],
  [
    '4.3 an unknown order type',
    '/order/initiate',
    order({ order_type: 'IOC' }),
    unprocessable("order_type: Invalid enum value. Expected 'LO' | 'MO', received 'IOC'"),
  ],
  ['7 broken JSON', '/order/initiate', '{"event_id"', refusal(400, 'Bad Request', 'Malformed JSON')],
  ['7 an unknown route', '/orders', undefined, refusal(404, 'Resource not found', 'Route not found')],
]

for (const base of ['', '/api/v1']) {
  t.test(`responds to each row of the specification to the letter at ${base || '/'}`, async t => {
    const { client, exchange } = await startTestServer(t)
    for (const [name, path, body, answer] of ROWS) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const response = await client.send(body === undefined ? 'GET' : 'POST', base + path, text)
      t.strictSame(response.body, answer, name)
      t.equal(response.status, response.body.code)
      const isOrder = response.status === 201 && path === '/order/initiate'
      const location = isOrder ? `${base}/order/${response.headers.get('x-order-id')}` : null
      t.equal(response.headers.get('location'), location)
      if (location !== null) t.equal((await client.get(location)).status, 200, 'its Location leads to it')
    }
    t.match((await client.get(`${base}/events/1000001`)).body.additional, {
      slug: 'will-x-reach-100k-by-2026',
    })
    t.ok(exchange.moneyIsAllThere())
  })
}

t.test('creates exactly one of 100 simultaneous events with the same title', async t => {
  const { client } = await startTestServer(t)
  const answers = await Promise.all(Array.from({ length: 100 }, () => client.post('/events/create', EVENT)))
  const statuses = answers.map(({ status }) => status).sort()
  t.same(statuses, [201, ...new Array(99).fill(409)])
  const { body } = await client.get('/events')
  t.equal((body.additional as { events: unknown[] }).events.length, 1)
})
