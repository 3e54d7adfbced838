import t from 'tap'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

const FILLED = /^\d{7}-\d+-[0-9A-Za-z]{10}$/

t.test('a client subscribes and unsubscribes in each of the three ways, at each address', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  const ways = (verb: string) => [
    { event: verb, data: code, id: 1 },
    { method: verb, events: [code], id: 'two' },
    [verb, code],
  ]
  for (const path of ['/ws', '/', '/api/v1/ws', '/ws?client=1']) {
    const socket = await WsClient.connect(t, client.wsUrl(path))
    for (const [index, message] of ways('subscribe_orderbook').entries()) {
      const id = index === 2 ? {} : { id: index === 0 ? 1 : 'two' }
      socket.send(message)
      t.strictSame(
        await socket.next(),
        { event: 'subscribed', data: code, ...id },
        `${path}, way ${index + 1}`,
      )
      t.match(await socket.next(), { event: `event_orderbook_${code}`, data: { type: 'snapshot' } })
      const leave = ways('unsubscribe_orderbook')[index]
      t.strictSame(await socket.ask(leave), { event: 'unsubscribed', data: code, ...id })
    }
  }
})

t.test('accepts the channel names that tradeSummary returns', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  const { body } = await client.get(`/events/tradeSummary?eventId=${code}`)
  const details = body.additional as {
    order_book_details: { orderbook_config: { socket_events: Record<string, string> } }
  }
  const names = details.order_book_details.orderbook_config.socket_events
  const socket = await WsClient.connect(t, client.wsUrl())
  socket.send({ event: names.subscribe_msg_name, data: names.subscription_data })
  t.match(await socket.next(), { event: 'subscribed' })
  t.match(await socket.next(), { event: names.listener_msg_name })
  t.match(await socket.ask([names.unsubscribe_msg_name, names.subscription_data]), { event: 'unsubscribed' })
})

t.test('one message may name several events, and each gets its own reply', async t => {
  const { client } = await startTestServer(t)
  const [first, second] = [await client.createEvent(), await client.createEvent()]
  const socket = await WsClient.connect(t, client.wsUrl())
  socket.send({ method: 'subscribe_orderbook', events: [first, '7777777', second], id: 5 })
  t.match(await socket.next(), { event: 'subscribed', data: first, id: 5 })
  t.match(await socket.nextData(first), { type: 'snapshot' })
  t.match(await socket.next(), { event: 'error', id: 5, data: { code: 404 } })
  t.match(await socket.next(), { event: 'subscribed', data: second, id: 5 })
  t.match(await socket.nextData(second), { type: 'snapshot' })
})

t.test('an impossible request gets an error envelope, and the connection stays open', async t => {
  const { client, faults } = await startTestServer(t)
  const code = await client.createEvent()
  const socket = await WsClient.connect(t, client.wsUrl())
  const notFound = { status: false, code: 404, name: 'Resource not found', message: 'Event not found' }
  for (const unknown of ['9999999', '1', '', 'x', '01000001', ' 1000001', '1000001.0', '-1000001', '1e6']) {
    t.strictSame(await socket.ask({ event: 'subscribe_orderbook', data: unknown, id: unknown }), {
      event: 'error',
      id: unknown,
      data: notFound,
      reason: 'event_not_found',
    })
    t.match(await socket.ask(['unsubscribe_orderbook', unknown]), { event: 'error', data: notFound })
  }
  const bad = { status: false, code: 400, name: 'Bad Request', message: 'Malformed JSON' }
  t.strictSame(await socket.ask('{'), { event: 'error', data: bad, reason: 'malformed_json' })
  const unprocessable = { event: 'error', data: { status: false, code: 422, name: 'Unprocessable entity' } }
  for (const odd of [
    'null',
    '7',
    '{}',
    '[]',
    '{"event":"hello"}',
    '["subscribe_orderbook"]',
    '[[[[[[]]]]]]',
  ]) {
    t.match(await socket.ask(odd), unprocessable, odd)
  }
  t.match(await socket.ask({ event: 'subscribe_orderbook', data: code }), { event: 'subscribed' })
  t.match(await socket.nextData(code), { type: 'snapshot' })
  t.same(faults, [])
})

t.test('sends a snapshot first, then every change, numbered without gaps', async t => {
  const { client, exchange } = await startTestServer(t)
  const code = await client.createEvent({ min_bet: 1, max_bet: 1000 })
  await client.placeOrder(code, { l1_expected_price: 3, l1_order_quantity: 2.5, userid: 'eve' })
  const socket = await WsClient.connect(t, client.wsUrl())
  t.match(await socket.subscribe(code), {
    type: 'snapshot',
    event_id: code,
    seq: 2,
    status: 'open',
    bids: [[3, 2.5]],
    asks: [],
    last_price: null,
  })

  await client.placeOrder(code, { l1_expected_price: 5, l1_order_quantity: 4, userid: 'ada' })
  t.match(await socket.nextData(code), { type: 'ORDER_PLACED', prev_seq: 2, payload: { executedQty: 0 } })
  t.match(await socket.nextData(code), { type: 'delta', bids: [[5, 4]], asks: [] })

  const sale = { offer_type: 'sell', l1_expected_price: 4, l1_order_quantity: 1.5, userid: 'bob' }
  await client.placeOrder(code, sale)
  t.match(await socket.nextData(code), { type: 'ORDER_PLACED', payload: { executedQty: 1.5 } })
  const { trades, ts } = await socket.nextData(code, 'trade')
  t.strictSame(trades, [{ tradeId: `${code}-1`, price: 5, qty: 1.5, taker_side: 'no', ts }])
  t.match(await socket.nextData(code), { type: 'delta', bids: [[5, 2.5]], asks: [] })

  const market = { order_type: 'MO', l1_order_quantity: 3, userid: 'cyd' }
  await client.placeOrder(code, market)
  t.match(await socket.nextData(code), { type: 'ORDER_PLACED', payload: { executedQty: 0, fills: [] } })
  t.match(await socket.nextData(code), {
    type: 'ORDER_CANCELLED',
    payload: { executedQty: 0, remainingQty: 3, reason: 'no_liquidity' },
  })

  await client.placeOrder(code, { l1_order_quantity: 0.1 })
  t.match(await socket.nextData(code), {
    type: 'ORDER_REJECTED',
    payload: { executedQty: 0, remainingQty: 0.1, reason: 'bet_below_min' },
  })
  t.same(socket.book(code).faults, [])
  const { bids, asks, seq } = await client.book(code)
  t.same({ ...socket.book(code).levels(), seq: socket.book(code).seq }, { bids, asks, seq })
  t.ok(exchange.moneyIsAllThere())
})

t.test(
  'ORDER_PLACED carries exactly the payload of specification 2.7, and no message names a user',
  async t => {
    const { client } = await startTestServer(t)
    const code = await client.createEvent()
    const socket = await WsClient.connect(t, client.wsUrl())
    await socket.subscribe(code)
    const users = ['userid-of-ada', 'userid-of-bob', 'userid-of-cyd'] as const
    await client.placeOrder(code, { l1_expected_price: 5, userid: users[0] })
    await client.placeOrder(code, { l1_expected_price: 4.5, userid: users[1] })
    const sale = { offer_type: 'sell', l1_expected_price: 4, l1_order_quantity: 3, userid: users[2] }
    const id = await client.placeOrder(code, sale)
    const placed = await socket.next(
      ({ data }) => (data as { payload?: { orderId: string } }).payload?.orderId === id,
    )
    t.strictSame((placed.data as { payload: unknown }).payload, {
      orderId: id,
      executedQty: 2,
      fills: [
        { price: 5, qty: 1, tradeId: `${code}-1` },
        { price: 4.5, qty: 1, tradeId: `${code}-2` },
      ],
    })
    t.match(id, FILLED)
    await client.placeOrder(code, { order_type: 'MO', l1_order_quantity: 50, userid: users[0] })
    await client.placeOrder(code, { l1_expected_price: 99, userid: users[1] })
    await socket.nextData(code, 'ORDER_REJECTED')
    const said = JSON.stringify(socket.messages)
    for (const user of users) t.notOk(said.includes(user), `${user} is nowhere`)
    for (const { data } of socket.messages) {
      const { type, payload } = data as { type?: string; payload?: object }
      if (type === 'ORDER_CANCELLED' || type === 'ORDER_REJECTED') {
        t.strictSame(Object.keys(payload ?? {}), ['orderId', 'executedQty', 'remainingQty', 'reason'])
      }
    }
  },
)

t.test('publishes nothing before it can be read: no frame arrives ahead of its order', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  const socket = await WsClient.connect(t, client.wsUrl())
  await socket.subscribe(code)
  const orders = Array.from({ length: 20 }, (_, n) =>
    client.placeOrder(code, {
      offer_type: n % 2 === 0 ? 'buy' : 'sell',
      userid: `user${n % 3}`,
      l1_order_quantity: n + 1,
    }),
  )
  for (const _ of orders) {
    const { payload, seq } = await socket.nextData(code, 'ORDER_PLACED')
    const [shown, book] = await Promise.all([client.get(`/order/${payload?.orderId}`), client.book(code)])
    t.match(shown, { status: 200, body: { additional: { id: payload?.orderId, status: 'PLACED' } } })
    t.ok(book.seq >= seq, 'and the book of GET is at least as new')
  }
  await Promise.all(orders)
})

t.test('sends nothing after an unsubscribe, while other subscribers of the event continue', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  const [gone, other] = [await WsClient.connect(t, client.wsUrl()), await WsClient.connect(t, client.wsUrl())]
  await gone.subscribe(code)
  await other.subscribe(code)
  await gone.ask({ event: 'unsubscribe_orderbook', data: code })
  const count = gone.messages.length
  await client.placeOrder(code)
  await other.reaches(code, (await client.book(code)).seq)
  t.match(await gone.ask('?'), { event: 'error' })
  t.equal(gone.messages.length, count + 1, 'nothing but the answer')
})

t.test('from_seq replays missed messages; one that is too old or too new gets a snapshot', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  const first = await WsClient.connect(t, client.wsUrl())
  await first.subscribe(code)
  for (let n = 1; n <= 5; n++) await client.placeOrder(code, { l1_expected_price: n })
  const { seq } = await client.book(code)
  await first.reaches(code, seq)
  await first.ask(['unsubscribe_orderbook', code])
  for (let n = 1; n <= 4; n++) await client.placeOrder(code, { l1_expected_price: n, userid: 'bob' })
  const data = await first.subscribe(code, seq)
  t.equal(data.prev_seq, seq, 'where it was')
  const now = await client.book(code)
  const book = await first.reaches(code, now.seq)
  t.same([book.faults, book.levels()], [[], { bids: now.bids, asks: now.asks }])

  const beginning = await WsClient.connect(t, client.wsUrl())
  t.equal((await beginning.subscribe(code, 0)).prev_seq, 0, 'from the very first message')
  const current = await WsClient.connect(t, client.wsUrl())
  current.send({ event: 'subscribe_orderbook', data: code, from_seq: now.seq })
  t.match(await current.next(), { event: 'subscribed' })
  t.match(await current.ask('?'), { event: 'error' }, 'it has everything, so nothing comes')
  const ahead = await WsClient.connect(t, client.wsUrl())
  t.match(await ahead.subscribe(code, now.seq + 1), { type: 'snapshot', seq: now.seq })
})

t.test('a from_seq older than the ring gets a snapshot', async t => {
  const { client } = await startTestServer(t)
  const code = await client.createEvent()
  for (let n = 0; n < 11; n++) {
    await Promise.all(Array.from({ length: 100 }, () => client.placeOrder(code, { l1_order_quantity: 0.1 })))
  }
  const { seq } = await client.book(code)
  t.ok(seq > 1100)
  const socket = await WsClient.connect(t, client.wsUrl())
  t.match(await socket.subscribe(code, seq - 1025), { type: 'snapshot', seq })
  t.match(await socket.subscribe(code, seq - 1024), { prev_seq: seq - 1024 })
})

t.test('numbering continues after a restart, and a from_seq from before it gets a snapshot', async t => {
  const first = await startTestServer(t)
  const code = await first.client.createEvent()
  const before = await WsClient.connect(t, first.client.wsUrl())
  await before.subscribe(code)
  await first.client.placeOrder(code, { l1_expected_price: 4 })
  const { seq } = await first.client.book(code)
  await first.close()
  t.match(await before.closed, { code: 1001 })

  const { client } = await startTestServer(t, { data: first.data })
  const after = await WsClient.connect(t, client.wsUrl())
  t.match(await after.subscribe(code), { type: 'snapshot', seq, bids: [[4, 1]] })
  const older = await WsClient.connect(t, client.wsUrl())
  t.match(await older.subscribe(code, seq - 1), { type: 'snapshot', seq })
  await client.placeOrder(code, { l1_expected_price: 5 })
  t.match(await after.nextData(code), { type: 'ORDER_PLACED', seq: seq + 1, prev_seq: seq })
  const replayed = await WsClient.connect(t, client.wsUrl())
  t.match(
    await replayed.subscribe(code, seq),
    { prev_seq: seq },
    'the last message of before is a place in it',
  )
})
