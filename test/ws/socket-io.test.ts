import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import type { AccessOptions } from '../../src/access/access.js'
import { handshakeCredentials } from '../../src/server/site/handshake.js'
import { SocketIo } from '../../src/ws/transports/socket-io.js'
import { Dice } from '../fixtures/dice.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'
import { SocketIoClient, WAYS } from '../fixtures/sockets/socket-io-client.js'
import { SocketIoPoll } from '../fixtures/sockets/socket-io-poll.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { openTestWindow } from '../fixtures/sockets/ws-window.js'

const ON = { socketIo: true }

interface PlacedReply {
  readonly data: { readonly additional: { readonly id: string } }
}
const POLL = '/socket.io/?EIO=4&transport=polling'
const SOCKET = '/socket.io/?EIO=4&transport=websocket'
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const BODY_BYTES_MAX = 64 * 1024

t.test('an unacceptable request is answered with the envelope', async t => {
  const { port, faults } = await startTestServer(t, ON)
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
  const upgrade = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n\r\n`
  const post = (target: string, length: number) =>
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`
  const rows: readonly (readonly [request: string, code: number, message: string])[] = [
    [get('/socket.io/'), 400, 'EIO: Required'],
    [get('/socket.io'), 404, 'Route not found'],
    [get('/socket.io/socket.io.js'), 404, 'Route not found'],
    [get('/api/v1/socket.io/?EIO=4&transport=polling'), 404, 'Route not found'],
    [
      get('/socket.io/?EIO=3&transport=polling'),
      400,
      "EIO: Expected 4: use version 3 or 4 of socket.io-client; received '3'",
    ],
    [get('/socket.io/?EIO=4'), 400, 'transport: Required'],
    [get(SOCKET), 400, "transport: Expected 'polling' for this request; received 'websocket'"],
    [
      get('/socket.io/?EIO=4&transport=webtransport'),
      400,
      "transport: Expected 'polling' for this request; received 'webtransport'",
    ],
    [get(`${POLL}&sid=nobody`), 400, 'Session ID unknown'],
    [get(`${POLL}&sid=__proto__`), 400, 'Session ID unknown'],
    [`${post(POLL, 2)}40`, 400, 'Bad handshake method'],
    [post(`${POLL}&sid=nobody`, BODY_BYTES_MAX + 1), 413, 'The body is too large'],
    [get(POLL).replace('GET', 'PUT'), 404, 'Route not found'],
    [get(POLL).replace('GET', 'OPTIONS'), 404, 'Route not found'],
    [upgrade(POLL), 400, "transport: Expected 'websocket' for this request; received 'polling'"],
    [upgrade('/socket.io/?EIO=3&transport=websocket'), 400, 'EIO: Expected 4'],
    [upgrade('/socket.io'), 404, 'Route not found'],
    [upgrade(`${SOCKET}&sid=nobody`), 400, 'Session ID unknown'],
    [upgrade(SOCKET).replace('Upgrade: websocket', 'Upgrade: h2c'), 400, 'Invalid Upgrade header'],
    [upgrade(SOCKET).replace('Version: 13', 'Version: 7'), 400, 'Missing or invalid Sec-WebSocket-Version'],
  ]
  for (const [request, code, message] of rows) {
    const connection = await RawConnection.open(port)
    connection.write(request)
    const [answer] = await connection.answered()
    const what = request.slice(0, request.indexOf(' HTTP'))
    const envelope = JSON.parse(answer?.body ?? '{}') as { readonly message?: string }
    t.match(envelope, { status: false, code }, what)
    t.ok(envelope.message?.startsWith(message), `${what}: ${envelope.message}`)
    t.equal(answer?.status, code)
    await connection.reset()
  }
  t.same(faults, [])
})

t.test('no cookie is set, and pages from elsewhere open no session', async t => {
  const { url, port } = await startTestServer(t, ON)
  const own = await fetch(url + POLL, { headers: { origin: url } })
  t.equal(own.status, 200)
  t.same([own.headers.get('set-cookie'), own.headers.get('access-control-allow-origin')], [null, null])

  const elsewhere = 'Origin: https://elsewhere.example\r\n'
  for (const head of [`${POLL} HTTP/1.1\r\n`, `${SOCKET} HTTP/1.1\r\n${UPGRADE}\r\n`]) {
    const connection = await RawConnection.open(port)
    connection.write(`GET ${head}Host: localhost\r\n${elsewhere}\r\n`)
    t.match(await connection.answered(), [{ status: 403, headers: { 'raay-reason': 'cross_site' } }])
    await connection.reset()
  }
})

t.test('orders are placed by events, with an acknowledgement or with an id', async t => {
  const { url, client, faults, exchange } = await startTestServer(t, ON)
  const event = await client.createEvent()
  const order = {
    event_id: event,
    l1_expected_price: 5,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid: 'asha',
  }
  for (const transports of WAYS) {
    const socket = await SocketIoClient.connect(t, url, { transports: [...transports] })
    const name = transports.join(' ')
    const placed = (await socket.ask('place_order', { ...order, client_order_id: name })) as PlacedReply
    t.match(placed, { event: 'order', data: { code: 201, additional: { client_order_id: name } } })
    t.notOk('id' in JSON.parse(JSON.stringify(placed)), 'there was none')
    const { id } = placed.data.additional
    socket.socket.emit('place_order', { ...order, client_order_id: name })
    await socket.until(() => socket.messages.length === 1)
    t.match(socket.messages[0], { event: 'error', data: { code: 422, message: /^id: Expected/ } })
    socket.socket.emit('place_order', { data: { ...order, client_order_id: name }, id: 7 })
    await socket.until(() => socket.messages.length === 2)
    t.match(socket.messages[1], { event: 'order', id: 7, data: { additional: { id } } })
    t.match(await socket.ask('amend_order', { id, price: 6 }), { event: 'order', data: { code: 200 } })
    t.match(await socket.ask('cancel_order', { client_order_id: name, userid: 'asha' }), {
      data: { message: 'Order cancelled successfully' },
    })
    t.match(await socket.ask('place_orders', { orders: [order, {}] }), {
      event: 'orders',
      data: { message: '1 of 2 orders placed' },
    })
    t.match(await socket.ask('cancel_all', { userid: 'asha' }), { event: 'orders_cancelled' })
    t.match(await socket.ask('place_order', 'x'), { event: 'error', data: { code: 422 } })
  }
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
})

t.test('oversized and binary messages end their own session and no other', async t => {
  const { url, client, faults } = await startTestServer(t, ON)
  const witness = await SocketIoClient.connect(t, url)
  const fits = await SocketIoPoll.open(url)
  const padded = (length: number) => `42["?","${'x'.repeat(length - '42["?",""]'.length)}"]`
  t.match(await fits.post(padded(BODY_BYTES_MAX)), { status: 200, body: 'ok' })
  t.match(await fits.poll(), { status: 200, body: /^42\["error",/ })
  t.match(await fits.post(padded(BODY_BYTES_MAX + 1)), { status: 413 })
  t.match(await fits.post('42["?"]'), { status: 200 })

  const binary = await SocketIoPoll.open(url)
  await binary.post('451-["?",{"_placeholder":true,"num":0}]', 'bAAAA')
  t.match(await binary.poll(), { status: 400, body: /Session ID unknown/ })

  const [large, buffer] = [
    await SocketIoClient.connect(t, url, { transports: ['websocket'] }),
    await SocketIoClient.connect(t, url, { transports: ['websocket'] }),
  ]
  large.socket.emit('subscribe_orderbook', 'x'.repeat(BODY_BYTES_MAX))
  await large.until(() => large.endings.length > 0)
  t.match(large.endings, [{ code: 1009 }])
  buffer.socket.emit('subscribe_orderbook', Buffer.from('1000001'))
  await buffer.until(() => buffer.endings.length > 0)

  const code = await client.createEvent()
  t.match(await witness.ask('subscribe_orderbook', code), { event: 'subscribed' })
  t.same(faults, [])
})

t.test('lists in one another, as many as a message has room for, are read like any other data', async t => {
  const { url, faults } = await startTestServer(t, ON)
  const session = await SocketIoPoll.open(url)
  const depth = BODY_BYTES_MAX / 2 - 50
  const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`
  await session.post(`42["place_order",{"id":1,"data":{"event_id":${lists}}}]`)
  t.match(await session.poll(), { status: 200, body: /event_id: Expected string, received array/ })
  t.same(faults, [])
})

t.test('a thousand malformed bodies and frames end only their own session', async t => {
  const { url, client, faults } = await startTestServer(t, ON)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent()
  const witness = await SocketIoClient.connect(t, url)
  await witness.ask('subscribe_orderbook', code)
  for (let round = 0; round < 40; round++) {
    const session = await SocketIoPoll.open(url)
    for (let n = 0; n < 15; n++) await session.post(nonsense(dice, code), nonsense(dice, code))
    const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET}`)
    socket.on('error', () => {})
    await once(socket, 'open')
    socket.send('40')
    for (let n = 0; n < 10; n++) socket.send(nonsense(dice, code))
    await client.get('/healthz')
    socket.terminate()
  }
  await client.placeOrder(code)
  const { seq } = await client.book(code)
  t.same((await witness.reaches(code, seq)).faults, [])
  t.same(faults, [])
})

t.test('a new session is refused when there is no room, and existing ones go on', async t => {
  const { url, gateway, refuse } = await openDoor(t)
  const early = await SocketIoPoll.open(url)
  refuse()
  const full = { status: false, code: 503, name: 'Service Unavailable' }
  for (const query of ['', '&sid=', '&sid=x&sid=', '&a=#&sid=x']) {
    const response = await fetch(`${url}${POLL}${query}`)
    t.equal(response.status, 503, query)
    t.equal(response.headers.get('retry-after'), '1')
    t.match(await response.json(), full)
  }
  const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET}`)
  const [error] = (await once(socket, 'error')) as [Error]
  t.match(error.message, /503/)
  await early.emit('subscribe_orderbook', '7777777')
  t.match(await early.poll(), { status: 200, body: /Event not found/ })
  t.equal(gateway.connectionCount, 1)
})

t.test('a client is forgotten however it leaves', async t => {
  const { url, gateway } = await openDoor(t)
  const polite = await SocketIoClient.connect(t, url)
  const rude = await SocketIoClient.connect(t, url, { transports: ['websocket'] })
  const half = await SocketIoPoll.open(url)
  const last = await SocketIoClient.connect(t, url)
  t.equal(gateway.connectionCount, 4)
  polite.socket.disconnect()
  ;(rude.socket.io.engine.transport as unknown as { readonly ws: WebSocket }).ws.terminate()
  await half.post('41')
  t.match(await half.poll(), { status: 400, body: /Session ID unknown/ }, 'left the only namespace')
  while (gateway.connectionCount > 1) await last.ask('?')
  t.ok(last.socket.connected)
})

t.test('a heartbeat reports the position of each followed channel', async t => {
  const { url, beat, client } = await openDoor(t)
  const code = await client.createEvent()
  const reader = await SocketIoClient.connect(t, url)
  await reader.ask('subscribe_orderbook', code)
  await client.placeOrder(code)
  const { seq } = await client.book(code)
  await reader.reaches(code, seq)
  beat()
  await reader.until(() => reader.messages.at(-1)?.event === 'heartbeat')
  t.match(reader.messages.at(-1)?.data, { seq: { [code]: seq } })
})

t.test('a client authenticates at its handshake or later, as over a WebSocket', async t => {
  const tokens = new TokenBook()
  tokens.give('rs_asha', 'asha')
  const { url, gateway } = await openDoor(t, { mode: 'accounts', finder: tokens })
  const ways = [
    { auth: { token: 'rs_asha' } },
    { extraHeaders: { Authorization: 'Bearer rs_asha' } },
    { extraHeaders: { Cookie: 'raay_session=rs_asha' } },
    { auth: { token: 'rs_asha' }, extraHeaders: { Cookie: 'raay_session=rs_ravi' } },
    { auth: { token: 'rs_asha' }, transports: ['websocket'] },
  ]
  const clients: SocketIoClient[] = []
  for (const way of ways) clients.push(await SocketIoClient.connect(t, url, way))
  const later = await SocketIoClient.connect(t, url)
  t.match(await later.ask('subscribe_user', 'asha'), { data: { code: 401 }, reason: 'token_missing' })
  t.match(await later.ask('authenticate', { token: 'rs_forged' }), { data: { code: 401 } })
  t.match(await later.ask('authenticate', { token: 'rs_asha', id: 5 }), {
    event: 'authenticated',
    data: { userid: 'asha' },
  })
  t.match(await later.ask('authenticate', { data: { token: 'rs_asha' }, id: 5 }), { id: 5 })
  for (const client of [...clients, later]) {
    t.match(await client.ask('subscribe_user', 'asha'), { event: 'subscribed' })
    t.match(await client.ask('subscribe_user', 'ravi'), { data: { code: 403 }, reason: 'other_user' })
  }
  gateway.authentication.end('session:rs_asha')
  for (const client of [...clients, later]) await client.until(() => client.endings.length > 0)
  t.match(clients.at(-1)?.endings, [{ code: 4401 }])
})

t.test('a handshake with a token that is wrong is refused, and its session ends', async t => {
  const { url, gateway } = await openDoor(t, { mode: 'accounts', finder: new TokenBook() })
  const ways = [
    { auth: { token: 'rs_forged' } },
    { auth: { token: { $ne: 1 } } },
    { auth: { token: '' } },
    { auth: { token: 'rs_forged' }, transports: ['websocket'] },
    { extraHeaders: { Authorization: 'Bearer rs_forged' } },
  ]
  for (const way of ways) {
    const client = new SocketIoClient(t, url, way)
    await client.until(() => client.endings.length > 0)
    t.match(client.endings, [{ reason: /^The token is not valid/ }])
  }
  t.equal(gateway.connectionCount, 0)
  const answer = await fetch(`${url}${POLL}&token=rs_asha`)
  t.match(await answer.json(), { code: 400, message: /^Addresses end up in logs/ })
})

/** The door alone, before a gateway that can be told to be full. */
async function openDoor(t: Test, access: Partial<AccessOptions> = {}) {
  const { gateway, beat, client } = await openTestWindow(t, access)
  const webSockets = new WebSocketServer({ noServer: true })
  const refuseUpgrade = (socket: Duplex, code: number) => socket.end(`HTTP/1.1 ${code} No\r\n\r\n`)
  const credentialsOf = (request: IncomingMessage) =>
    handshakeCredentials(request, String(request.headers['x-forwarded-for'] ?? '127.0.0.1'))
  const door = new SocketIo({ gateway, webSockets, pingMs: 20_000, credentialsOf, refuseUpgrade })
  const server = createServer((request, response) => door.answer(request, response))
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    door.close()
    door.terminate()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const refuse = () => Object.defineProperty(gateway, 'isFull', { get: () => true })
  return { url: `http://127.0.0.1:${port}`, gateway, beat, client, refuse }
}

t.test('the id of a polling session opens nothing without the credentials that opened it', async t => {
  const tokens = new TokenBook()
  tokens.give('rs_asha', 'asha')
  tokens.give('rs_ravi', 'ravi')
  const { url, client } = await openDoor(t, { mode: 'accounts', finder: tokens })
  const AT_HOME = { 'X-Forwarded-For': '203.0.113.7' }
  const ASHA = { Authorization: 'Bearer rs_asha' }
  const COOKIE = { Cookie: 'raay_session=rs_asha' }
  const rows: readonly (readonly [owner: Record<string, string>, auth: string, strangers: object[]])[] = [
    [ASHA, '', [{}, AT_HOME, { Authorization: 'Bearer rs_ravi' }, COOKIE, { ...ASHA, ...COOKIE }]],
    [COOKIE, '', [{}, { Cookie: 'raay_session=rs_ravi' }, ASHA]],
    [AT_HOME, '{"token":"rs_asha"}', [{}, { 'X-Forwarded-For': '203.0.113.8' }, ASHA]],
  ]
  for (const [owner, auth, strangers] of rows) {
    const opening = await (await fetch(`${url}${POLL}`, { headers: owner })).text()
    const { sid } = JSON.parse(opening.slice(1)) as { readonly sid: string }
    const ask = async (headers: object, body?: string) => {
      const init = { method: body === undefined ? 'GET' : 'POST', headers: { ...headers } }
      const answer = await fetch(`${url}${POLL}&sid=${sid}`, { ...init, ...(body !== undefined && { body }) })
      return { status: answer.status, text: await answer.text() }
    }
    await ask(owner, `40${auth}`)
    await ask(owner, '42["subscribe_user","asha"]')
    for (const stranger of strangers) {
      const what = JSON.stringify([owner, stranger])
      t.match(await ask(stranger), { status: 403, text: /sid: .*open a new one/ }, what)
      t.equal((await ask(stranger, '42["subscribe_user","asha"]')).status, 403, what)
      const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET}&sid=${sid}`, {
        headers: { ...stranger },
      })
      const [error] = (await once(socket, 'error')) as [Error]
      t.match(error.message, /403/, what)
    }
    let heard = ''
    while (!heard.includes('user_asha')) heard += (await ask(owner)).text
    t.match(heard, /"subscribed"/, 'the owner goes on')
  }
  t.ok(client)
})

/** A packet, or nearly one. */
function nonsense(dice: Dice, code: string): string {
  const whole = dice.oneOf([
    `42["subscribe_orderbook","${code}"]`,
    `421["subscribe_orderbook",{"data":"${code}","from_seq":0}]`,
    `42["unsubscribe_orderbook",["${code}"]]`,
    '42["subscribe_orderbook",{"__proto__":{"data":1},"constructor":1,"events":{"length":1}}]',
    '42[5]',
    '42["connect"]',
    '42["disconnecting"]',
    '42["newListener","x"]',
    '42["error",null]',
    '42{}',
    '42',
    '43[]',
    '431["x"]',
    '40',
    '40/x,{}',
    '41',
    '41/x,',
    '44{"message":"x"}',
    '451-["x",{"_placeholder":true,"num":0}]',
    '461-1[{"_placeholder":true,"num":9}]',
    'bAAAA',
    '1',
    '2',
    '3',
    '5',
    '6',
    `42${'['.repeat(20_000)}`,
  ])
  if (dice.percent(50)) return whole
  const at = dice.between(0, whole.length)
  return dice.percent(50)
    ? whole.slice(0, at)
    : `${whole.slice(0, at)}${dice.oneOf(['"', '[', '\0', '-', '9', ',', '{'])}${whole.slice(at)}`
}
