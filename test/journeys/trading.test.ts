import { join } from 'node:path'
import t from 'tap'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

t.test('two users trade: fills on WebSocket, exact balances, unchanged after a restart', async t => {
  const data = dataDirectory(t)
  const server = await spawnTestServer(t, { data })
  const { client } = server
  const event = await client.createEvent({ title: 'Will two users trade?' })
  const socket = await WsClient.connect(t, client.wsUrl())
  const { type, seq, bids } = await socket.subscribe(event)
  t.match({ type, seq, bids }, { type: 'snapshot', seq: 0, bids: [] })

  const bid = { userid: 'asha', offer_type: 'buy', l1_expected_price: 6.5, l1_order_quantity: 10 }
  const buyId = await client.placeOrder(event, bid)
  t.match(await socket.nextData(event, 'ORDER_PLACED'), {
    payload: { orderId: buyId, executedQty: 0, fills: [] },
  })
  const ask = { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6.2, l1_order_quantity: 4 }
  const sellId = await client.placeOrder(event, ask)
  const placed = await socket.nextData(event, 'ORDER_PLACED')
  t.same(placed.payload, {
    orderId: sellId,
    executedQty: 4,
    fills: [{ price: 6.5, qty: 4, tradeId: `${event}-1` }],
  })
  t.notMatch(JSON.stringify(placed), /asha|ravi/, 'no user is named in public')
  const delta = await socket.nextData(event, 'delta')
  t.same(delta.bids, [[6.5, 6]], 'the change carries the remaining quantity of the level')

  const state = async (on: typeof client) => ({
    asha: (await on.get('/portfolio/asha/balance')).body.additional,
    ravi: (await on.get('/portfolio/ravi/balance')).body.additional,
    ashaHas: (await on.get('/portfolio/asha/positions')).body.additional,
    raviHas: (await on.get('/portfolio/ravi/positions')).body.additional,
    book: await on.book(event),
    buy: (await on.get(`/order/${buyId}`)).body.additional,
    sell: (await on.get(`/order/${sellId}`)).body.additional,
  })
  const before = await state(client)
  // asha paid 4 × ₹6.50 and holds 6 × ₹6.50; ravi paid 4 × (₹10 − ₹6.50), ₹0.30 a contract better than he asked.
  t.same(before.asha, { userid: 'asha', cash: 999_974, held: 39, available: 999_935, user_seq: 6 })
  t.same(before.ravi, { userid: 'ravi', cash: 999_986, held: 0, available: 999_986, user_seq: 4 })
  const none = { yes_locked: 0, no_locked: 0 }
  const result = { realised: 0, unrealised: 0 }
  const asha = { event_id: event, yes: 4, no: 0, ...none, average_price: 6.5, ...result }
  const ravi = { event_id: event, yes: 0, no: 4, ...none, average_price: 3.5, ...result }
  t.same(before.ashaHas, { positions: [asha], next_cursor: null })
  t.same(before.raviHas, { positions: [ravi], next_cursor: null })
  t.match(before.buy, { state: 'partially_filled', filled_quantity: 4, remaining_quantity: 6 })
  t.match(before.sell, { state: 'filled', average_price: 6.5, price: 6.2 })

  t.equal(await server.kill('SIGTERM'), 0, 'a signal stops it cleanly')
  t.equal((await socket.closed).code, 1001, 'and says goodbye to its readers')
  const again = await spawnTestServer(t, { data })
  t.same(await state(again.client), before)

  const rest = { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6.5, l1_order_quantity: 6 }
  const restId = await again.client.placeOrder(event, rest)
  const { body } = await again.client.get(`/order/${buyId}`)
  t.match(body.additional, { state: 'filled', remaining_quantity: 0 }, 'the book is live again')
  t.match(restId, new RegExp(`^${event}-3-`), 'order numbers go on where they were')
})

t.test('refuses to start twice on one data directory, and on a port in use', async t => {
  const data = dataDirectory(t)
  const server = await spawnTestServer(t, { data })
  await t.rejects(spawnTestServer(t, { data }), /is in use by another Raay process/)
  const port = new URL(server.url).port
  const flags = ['--port', port]
  await t.rejects(
    spawnTestServer(t, { data: join(data, 'second'), flags }),
    /port \d+ on 127\.0\.0\.1 is in use/,
  )
  const wrong = ['--shards', 'many']
  await t.rejects(
    spawnTestServer(t, { data: join(data, 'third'), flags: wrong }),
    /--shards \(RAAY_SHARDS\) is many/,
  )
  t.equal((await server.client.get('/healthz')).status, 200, 'the first one has not noticed')
  t.equal(await server.kill('SIGINT'), 0)
})
