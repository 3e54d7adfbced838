import { once } from 'node:events'
import { BlockList, connect } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { listsAt, readPage } from '../fixtures/paging.js'
import type { Answer } from '../fixtures/server/server-client.js'
import { RawConnection, wrongAnswers } from '../fixtures/server/server-raw.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { acceptedSockets } from '../fixtures/sockets/server-sockets.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const EVENTS = 'GET /events?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n'
const NEVER = 3_600_000
/** Trusts an address other than loopback, so that the connections of a test are counted. */
const elsewhere = () => {
  const proxies = new BlockList()
  proxies.addAddress('10.9.8.7')
  return proxies
}

t.test('responds 408 when the headers are late', async t => {
  const server = await startTestServer(t, {}, { headersMs: 100, requestMs: NEVER, checkMs: 20 })
  for (const bytes of ['', 'GET /healthz HTTP/1.1\r\nHost: lo', `${HEALTH}GET /heal`]) {
    const connection = await RawConnection.open(server.port)
    connection.write(bytes)
    await connection.closed
    t.match(connection.answers.at(-1), { status: 408, headers: { 'raay-reason': 'request_timeout' } })
    t.same(wrongAnswers(connection.answers), [])
  }
  await isWell(t, server)
})

t.test('responds 408 when the body is late, and places nothing', async t => {
  const server = await startTestServer(t, {}, { requestMs: 100, headersMs: 50, checkMs: 20 })
  const heads = ['Content-Length: 50\r\n\r\n{"event_id":', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"eve\r\n']
  for (const head of heads) {
    const connection = await RawConnection.open(server.port)
    connection.write(`POST /order/initiate HTTP/1.1\r\nHost: localhost\r\n${head}`)
    await connection.closed
    t.match(connection.answers, [{ status: 408 }], head)
    t.same(wrongAnswers(connection.answers), [])
  }
  await isWell(t, server)
})

t.test('closes connections beyond the limits with 503; closed ones free their slots', async t => {
  const bounds = [
    { connectionsMax: 3, connectionsPerAddressMax: 100 },
    { connectionsMax: 100, connectionsPerAddressMax: 3 },
  ]
  for (const bound of bounds) {
    const server = await startTestServer(t, { trustedProxies: elsewhere() }, { ...bound, refusedMax: 2 })
    const inside = [await open(server), await open(server), await open(server)]
    const outside = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(server.port)))
    await Promise.all(outside.map(connection => connection.closed))
    const answers = outside.flatMap(connection => connection.answers)
    t.ok(answers.length >= 1 && answers.length < 10, 'few are answered at once', { found: answers.length })
    for (const answer of answers) {
      t.match(answer, { status: 503, headers: { 'retry-after': '1', 'raay-reason': 'connections_full' } })
    }
    t.same(wrongAnswers(answers), [])
    for (const connection of inside) {
      connection.write(HEALTH)
      t.equal((await connection.answered(2)).at(-1)?.status, 200, 'those inside are served')
      await connection.end()
    }
    t.equal((await (await open(server)).answered())[0]?.status, 200)
    const refused = /^raay_requests_refused_total\{status="503"\} (\d+)$/m
    const headers = { Authorization: `Bearer ${readOperatorKey(server.data)}` }
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
    t.equal(refused.exec(metrics)?.[1], '10', 'all are counted, also those cut off without an answer')
    await isWell(t, server)
  }
})

t.test('does not count trusted proxies, nor loopback while there are none', async t => {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  for (const trustedProxies of [undefined, loopback]) {
    const server = await startTestServer(t, { trustedProxies }, { connectionsPerAddressMax: 1 })
    const all = [await open(server), await open(server), await open(server)]
    for (const connection of all) t.equal(connection.answers[0]?.status, 200)
    await isWell(t, server)
  }
})

t.test('an address at its connection limit does not block another', async t => {
  const server = await startTestServer(t, { trustedProxies: elsewhere() }, { connectionsPerAddressMax: 1 })
  await open(server)
  const other = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  t.teardown(() => other.destroy())
  other.write(HEALTH)
  const [data] = (await once(other, 'data')) as [Buffer]
  t.match(String(data), /^HTTP\/1.1 200 /)
})

t.test('counts a WebSocket as one connection', async t => {
  const server = await startTestServer(t, { trustedProxies: elsewhere() }, { connectionsPerAddressMax: 1 })
  const client = await WsClient.connect(t, server.client.wsUrl())
  const refused = await RawConnection.open(server.port)
  await refused.closed
  t.match(refused.answers, [{ status: 503 }])
  client.socket.terminate()
  await client.closed
  t.equal((await open(server)).answers[0]?.status, 200)
})

t.test('refuses pipelined requests beyond the limit and closes the connection', async t => {
  const server = await startTestServer(t, {}, { pipelinedMax: 5 })
  const few = await RawConnection.open(server.port)
  few.write(HEALTH.repeat(5))
  t.same(
    (await few.answered(5)).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  await few.end()
  for (const count of [6, 10, 1000]) {
    const many = await RawConnection.open(server.port)
    many.write(HEALTH.repeat(count))
    await many.closed
    const statuses = many.answers.map(({ status }) => status)
    t.ok(statuses.length <= 6, 'no more are answered', { found: statuses.length })
    if (count <= 10) t.same(statuses, [200, 200, 200, 200, 200, 503])
    t.same(wrongAnswers(many.answers), [])
  }
  await isWell(t, server)
})

t.test('refuses a history read beyond capacity before it reaches the app, and nothing else', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  let turnedAway = 0
  server.exchange.archive.turnsAway = () => turnedAway++ >= 0
  const connection = await open(server)
  const histories = ['/order?userid=u', '/portfolio/u/fills?limit=5', `/api/v1/events/${code}/trades`]
  for (const path of histories) connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  connection.write(HEALTH)
  const answers = await connection.answered(5)
  t.same(
    answers.map(({ status }) => status),
    [200, 503, 503, 503, 200],
    'and the connection goes on',
  )
  t.match(answers[1], { headers: { 'retry-after': '1', 'raay-reason': 'reads_full' } })
  t.same(wrongAnswers(answers), [])
  t.equal(turnedAway, 3)
  const waiting: number[] = []
  server.exchange.archive.turnsAway = ahead => waiting.push(ahead) > 100
  const flood = await open(server)
  flood.write('GET /order?userid=u HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(90))
  t.notOk((await flood.answered(90)).some(({ headers }) => headers['raay-reason'] === 'reads_full'))
  t.ok(Math.max(...waiting) > 10, 'reads that have not begun count', { waiting })
  t.equal(waiting[0], 0)
  server.exchange.archive.turnsAway = ahead => waiting.push(ahead) < 0
  await server.client.get('/order?userid=u')
  t.equal(waiting.at(-1), 0, 'until they begin')
  server.exchange.archive.turnsAway = () => turnedAway++ >= 0
  for (const path of [`/events/${code}/orderbook`, '/events', `/events/${code}`, '/portfolio/u/balance']) {
    t.not((await server.client.get(path)).status, 503, path)
  }
  t.equal(turnedAway, 3)
})

t.test('bounds requests in progress on all connections, and ends them with their connections', async t => {
  const server = await startTestServer(t, {}, { requestsMax: 3 })
  const body = 'POST /order/initiate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n'
  const waiting = await Promise.all([1, 2, 3].map(() => RawConnection.open(server.port)))
  for (const connection of waiting) {
    connection.write(`${body.replace('Content-', 'Expect: 100-continue\r\nContent-')}`)
    t.match(await connection.answered(), [{ status: 100 }])
  }
  const refused = await RawConnection.open(server.port)
  refused.write(HEALTH)
  await refused.closed
  t.match(refused.answers, [{ status: 503, headers: { 'retry-after': '1', 'raay-reason': 'requests_full' } }])
  for (const connection of waiting) await connection.reset()
  await isWell(t, server)
})

t.test('closes a client that stops reading, and no other', async t => {
  const server = await startTestServer(t, {}, { stalledMs: 200, sweepMs: 20 })
  await fill(server, 20)
  const sockets = acceptedSockets(t)
  const stalled = await RawConnection.open(server.port)
  await until(server, '/healthz', 200)
  stalled.socket.pause()
  // The system buffers a few megabytes; the rest waits in the exchange.
  stalled.write(EVENTS.repeat(20))
  const [socket] = sockets
  if (socket !== undefined && !socket.closed) await once(socket, 'close')
  t.equal((await readPage(listsAt(server.url), '/events?limit=1000')).rows.length, 16)
  await stalled.reset()
  await isWell(t, server)
})

t.test('responds 503 to large reads while too much is unsent, and serves the others', async t => {
  const server = await startTestServer(t, {}, { ...SMALL_OUTBOX, stalledUnderPressureMs: NEVER })
  await fill(server, 20)
  const stalled = await stall(server)
  const heavy = await until(server, '/events?limit=1000', 503, stalled.ask)
  t.match(heavy.body, {
    name: 'Service Unavailable',
    message: /^Too many answers are waiting for their clients/,
  })
  t.equal(heavy.headers.get('retry-after'), '1')
  t.equal(heavy.headers.get('raay-reason'), 'outbox_full')
  t.match(await server.client.get('/healthz'), { status: 200 })
  t.match(await server.client.get('/events/tradeSummary?eventId=1000001'), { status: 200 })
  await server.client.placeOrder('1000001')
  await stalled.leave()
  await until(server, '/events?limit=1000', 200)
  await isWell(t, server)
})

t.test('closes the connections that have not read for longest to make room for others', async t => {
  const server = await startTestServer(t, {}, { ...SMALL_OUTBOX, stalledUnderPressureMs: 0 })
  await fill(server, 20)
  const sockets = acceptedSockets(t)
  const stalled = await stall(server)
  const first = sockets.slice(0, 4)
  while (!first.some(socket => socket.closed)) {
    stalled.ask()
    await server.client.get('/events?limit=1000')
  }
  await until(server, '/events?limit=1000', 200)
  await stalled.leave()
  await isWell(t, server)
})

t.test('refuses orders that would wait too long, but no cancels', async t => {
  const quiet = await startTestServer(t)
  const code = await quiet.client.createEvent()
  const order = await quiet.client.placeOrder(code)
  await quiet.close()
  const server = await startTestServer(t, { data: quiet.data }, { orderWaitMsMax: -1 })
  const paths = [
    '/order/initiate',
    '/api/v1/order/initiate',
    '/order/initiate?x=1',
    '/order/b%61tch',
    '/order/batch',
  ]
  for (const path of paths) {
    const refused = await server.client.post(path, { orders: [{ event_id: code, userid: 'ada' }] })
    t.match(refused, { status: 503, body: { message: /more orders than it can take/ } }, path)
    t.equal(refused.headers.get('raay-reason'), 'busy')
    t.equal(refused.headers.get('retry-after'), '1')
  }
  const { body } = await server.client.get('/portfolio/ada/balance')
  t.match(body.additional, { held: 5 }, 'before money is held')
  const batch = await server.client.post('/order/batch', { cancels: [order, order] })
  t.match(batch, { status: 200, body: { message: '2 of 2 orders cancelled' } })
  t.match(await server.client.send('DELETE', `/order/${order}`), { status: 200 })
  t.match(await server.client.post('/events/create', {}), { status: 422 }, 'nor other commands')
  await isWell(t, server)
})

const SMALL_OUTBOX = { unsentBytesMax: 3_000_000, stalledMs: NEVER, sweepMs: 5, pipelinedMax: 100_000 }

/** Connects clients that send another request on each call, and read nothing. */
async function stall(server: TestServer): Promise<{ ask(): void; leave(): Promise<unknown> }> {
  const connections = await Promise.all([1, 2, 3, 4].map(() => RawConnection.open(server.port)))
  for (const { socket } of connections) socket.pause()
  return {
    ask: () => {
      for (const connection of connections) connection.write(EVENTS)
    },
    leave: () => Promise.all(connections.map(connection => connection.reset())),
  }
}

/** Repeats a request until it gets a status. */
async function until(
  server: TestServer,
  path: string,
  status: number,
  between: () => void = () => {},
): Promise<Answer> {
  for (;;) {
    const answer = await server.client.get(path)
    if (answer.status === status) return answer
    between()
  }
}

async function isWell(t: Test, server: TestServer): Promise<void> {
  await until(server, '/healthz', 200)
  t.same(server.faults, [], 'none of it was a fault of the exchange')
}

async function open(server: TestServer): Promise<RawConnection> {
  const connection = await RawConnection.open(server.port)
  connection.write(HEALTH)
  await connection.answered()
  return connection
}

/** Creates events of 60 kB each. */
async function fill(server: TestServer, count: number): Promise<void> {
  const description = '\u0001'.repeat(10_000)
  for (let event = 0; event < count; event++) await server.client.createEvent({ description })
}
