import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const isHeartbeat = ({ event }: ServerMessage) => event === 'heartbeat'

t.test('a heartbeat reports the position of each followed channel', async t => {
  const { beat, client } = await openTestWindow(t)
  const [first, second] = [await client.createEvent(), await client.createEvent()]
  await client.placeOrder(first)
  const socket = await WsClient.connect(t, client.wsUrl())
  beat()
  t.same(await socket.next(isHeartbeat), {
    event: 'heartbeat',
    data: { ts: WINDOW_NOW, seq: {}, seqs: {}, user_seq: {} },
  })

  const { seq = 0 } = await socket.subscribe(first)
  await socket.subscribe(second)
  t.ok(seq > 0)
  beat()
  const begun = { [first]: seq, [second]: 0 }
  t.match(await socket.next(isHeartbeat), { data: { seq: begun, seqs: begun } })

  await client.placeOrder(first)
  const now = (await client.book(first)).seq
  await socket.reaches(first, now)
  beat()
  t.match(await socket.next(isHeartbeat), { data: { seq: { [first]: now, [second]: 0 } } })

  await socket.ask({ event: 'unsubscribe_orderbook', data: first })
  beat()
  const left = { [second]: 0 }
  const last = { ts: WINDOW_NOW, seq: left, seqs: left, user_seq: {} }
  t.same((await socket.next(isHeartbeat)).data, last)
})

t.test('a heartbeat never names a message that was not sent before it', async t => {
  const { beat, exchange, client } = await openTestWindow(t)
  const code = await client.createEvent()
  const socket = await WsClient.connect(t, client.wsUrl())
  await socket.subscribe(code)
  exchange.onPublication(() => beat())
  for (let n = 0; n < 5; n++) {
    await client.placeOrder(code)
    await socket.next(isHeartbeat)
  }
  await socket.reaches(code, (await client.book(code)).seq)
  let sent = 0
  for (const { event, data } of socket.messages) {
    if (event !== 'heartbeat') sent = (data as { seq?: number }).seq ?? sent
    else t.same((data as { seq: object }).seq, { [code]: sent })
  }
  t.ok(socket.messages.filter(isHeartbeat).length >= 5)
})

t.test('a client silent between two beats is terminated, others are not', async t => {
  const { gateway, beat, client } = await openTestWindow(t)
  const dead = await WsClient.connect(t, client.wsUrl(), { autoPong: false })
  const alive = await WsClient.connect(t, client.wsUrl())
  const talkative = await WsClient.connect(t, client.wsUrl(), { autoPong: false })
  for (let n = 0; n < 4; n++) {
    beat()
    await alive.next(isHeartbeat)
    t.match(await talkative.ask(['subscribe_orderbook', '1']), { event: 'error' })
    // The pong was sent before this question, so it has been heard before its answer.
    t.match(await alive.ask('?'), { event: 'error' })
  }
  t.match(await dead.closed, { code: 1006 })
  t.same([alive.socket.readyState, talkative.socket.readyState], [1, 1])
  t.equal(gateway.connectionCount, 2)
})

t.test('a connection is forgotten however it ends', async t => {
  const { gateway, client } = await openTestWindow(t)
  const code = await client.createEvent()
  const sockets = []
  for (let n = 0; n < 4; n++) sockets.push(await WsClient.connect(t, client.wsUrl()))
  const [polite, rude, silent, last] = sockets
  if (!polite || !rude || !silent || !last) throw new Error('four were opened')
  for (const socket of sockets) await socket.subscribe(code)
  t.equal(gateway.connectionCount, 4)
  polite.socket.close(1000)
  rude.socket.terminate()
  silent.send(Buffer.from('x'.repeat(10)))
  await Promise.all([polite.closed, rude.closed])
  while (gateway.connectionCount > 2) await last.ask('?')
  await client.placeOrder(code)
  const { seq } = await client.book(code)
  await last.reaches(code, seq)
  t.same(last.book(code).faults, [])
})

t.test('a stop closes every connection with 1001', async t => {
  const { gateway, client } = await openTestWindow(t)
  const sockets = [await WsClient.connect(t, client.wsUrl()), await WsClient.connect(t, client.wsUrl())]
  gateway.close()
  for (const { closed } of sockets) t.match(await closed, { code: 1001, reason: 'the exchange is stopping' })
})

t.test('a connection that does not answer the close is terminated anyway', async t => {
  const { gateway, client } = await openTestWindow(t)
  const socket = await WsClient.connect(t, client.wsUrl())
  socket.socket.pause()
  gateway.close()
  gateway.terminate()
  socket.socket.resume()
  await socket.closed
  await client.get('/healthz')
  t.equal(gateway.connectionCount, 0)
})

t.test('a market publishes its opening and closing, after the cancels that they cause', async t => {
  const { exchange, client, setNow } = await openTestWindow(t)
  const [start, end] = [WINDOW_NOW + HOUR_MS, WINDOW_NOW + 2 * HOUR_MS]
  const code = await client.createEvent({ start_date: iso(start), end_date: iso(end) })
  const socket = await WsClient.connect(t, client.wsUrl())
  t.match(await socket.subscribe(code), { type: 'snapshot', seq: 0, status: 'scheduled' })

  const early = await client.placeOrder(code)
  t.match(await socket.nextData(code), { type: 'ORDER_REJECTED', payload: { orderId: early } })
  exchange.advanceClock()
  setNow(start)
  exchange.advanceClock()
  t.strictSame(await socket.nextData(code), {
    type: 'status',
    seq: 2,
    prev_seq: 1,
    ts: start,
    status: 'open',
  })

  const resting = await client.placeOrder(code)
  await socket.nextData(code, 'delta')
  setNow(end)
  exchange.advanceClock()
  t.match(await socket.nextData(code), {
    type: 'ORDER_CANCELLED',
    payload: { orderId: resting, executedQty: 0, remainingQty: 1, reason: 'market_closed' },
  })
  t.match(await socket.nextData(code), { type: 'status', status: 'closed', ts: end })
  t.match(await socket.nextData(code), { type: 'delta', bids: [[5, 0]], asks: [] })
  exchange.advanceClock()
  await client.get('/healthz')
  t.same(socket.book(code).faults, [])
  t.equal(socket.book(code).seq, (await client.book(code)).seq, 'and nothing more')
  t.ok(exchange.moneyIsAllThere())
})

t.test('a connection follows at most 1,000 events, and the answer says so', async t => {
  const { client } = await openTestWindow(t)
  const codes: string[] = []
  while (codes.length < 1001) {
    codes.push(...(await Promise.all(Array.from({ length: 77 }, () => client.createEvent()))))
  }
  const socket = await WsClient.connect(t, client.wsUrl())
  for (let from = 0; from < 1000; from += 100) {
    socket.send({ method: 'subscribe_orderbook', events: codes.slice(from, from + 100) })
  }
  const extra = { event: 'subscribe_orderbook', data: codes[1000], id: 'extra' }
  socket.send(extra)
  const refusal = await socket.next(({ event }) => event === 'error')
  t.match(refusal, { id: 'extra', data: { status: false, code: 429, name: 'Too Many Requests' } })
  t.equal(socket.messages.filter(({ event }) => event === 'subscribed').length, 1000)

  const again = await socket.ask({ event: 'subscribe_orderbook', data: codes[0], id: 'again' })
  t.match(again, { event: 'subscribed', id: 'again' }, 'one that it follows already may be renewed')
  await socket.ask({ event: 'unsubscribe_orderbook', data: codes[0] })
  t.match(await socket.ask(extra), { event: 'subscribed', id: 'extra' }, 'another makes room')
})

t.test('the WebSocket address answers a plain request with what to do', async t => {
  const { client } = await openTestWindow(t)
  for (const path of ['/ws', '/api/v1/ws']) {
    const { status, body } = await client.get(path)
    t.equal(status, 426)
    t.match(body, { status: false, code: 426, name: 'Upgrade Required' })
  }
})

t.test('an Upgrade header without its Connection header makes a plain request', async t => {
  const { client } = await openTestWindow(t)
  const port = Number(new URL(client.url).port)
  for (const [path, status] of [
    ['/ws', 426],
    ['/', 200],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: close\r\n\r\n`)
    let text = ''
    socket.setEncoding('utf8').on('data', part => {
      text += part
    })
    await once(socket, 'close')
    t.match(text, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(JSON.parse(text.split('\r\n\r\n')[1] ?? ''), { code: status })
  }
})
