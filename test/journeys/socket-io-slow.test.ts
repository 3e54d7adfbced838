import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import type { WebSocket } from 'ws'
import type { MarketCode } from '../../src/core/units.js'
import { CONGESTED_BYTES } from '../../src/ws/connection.js'
import { LAG_MAX } from '../../src/ws/feeds/book-feed.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { acceptedSockets, fillUp } from '../fixtures/sockets/server-sockets.js'
import { SocketIoClient } from '../fixtures/sockets/socket-io-client.js'
import { SocketIoPoll } from '../fixtures/sockets/socket-io-poll.js'

const ON = { socketIo: true, queueLengthMax: 2 * LAG_MAX }
const LEVELS = 300
const GONE = { status: 400, body: /"status":false,"code":400,.*"message":"Session ID unknown"/ }

t.test('merges the changes that a slow poller missed', async t => {
  const { client, url, other, code } = await deepMarket(t)
  const slow = await SocketIoPoll.open(url)
  await fallBehind(slow, code)
  const behind = (await client.book(code)).seq
  for (let n = 0; n < 60; n++) await client.placeOrder(code, { l1_expected_price: 5, userid: `user${n}` })
  await isCurrent(t, client, code, other)

  await slow.poll()
  t.equal(slow.book.seq, behind, 'it was given nothing more')
  const { seq, bids, asks } = await client.book(code)
  const before = slow.received.length
  let status = 200
  while (status === 200 && (slow.book.seq ?? 0) < seq) ({ status } = await slow.poll())
  t.equal(status, 200)
  t.same({ ...slow.book.levels(), faults: slow.book.faults }, { bids, asks, faults: [] })
  const deltas = slow.received.slice(before).filter(({ type }) => type === 'delta')
  t.ok(deltas.length <= 2, `60 changes in ${deltas.length}: the merged one, and the last`)
})

t.test('drops a session that never polls once it is too far behind', async t => {
  const { client, url, other, code, server } = await deepMarket(t)
  const slow = await SocketIoPoll.open(url)
  await fallBehind(slow, code)
  await fallTooFarBehind(t, { client, code, other, server })
  t.match(await slow.poll(), GONE)
})

t.test('drops a session that keeps asking and never polls, whatever it asks for', async t => {
  const { client, url, other, code } = await deepMarket(t)
  const packets: readonly string[] = [
    Array.from({ length: 100 }, () => `42${JSON.stringify(['subscribe_orderbook', code])}`).join('\x1e'),
    // Socket.IO itself replies: no such namespace, and an acknowledgement.
    Array.from({ length: 2000 }, () => '40/nowhere,').join('\x1e'),
    Array.from({ length: 2000 }, (_, id) => `42${id}["?"]`).join('\x1e'),
  ]
  for (const packet of packets) {
    const greedy = await SocketIoPoll.open(url)
    let posts = 0
    while (posts < 100 && (await greedy.post(packet)).status === 200) posts++
    t.ok(posts < 100, `ended after ${posts} of ${packet.slice(0, 20)}`)
    t.match(await greedy.poll(), GONE)
  }
  await isCurrent(t, client, code, other)
})

t.test('merges the changes that a slow session missed after its upgrade to a WebSocket', async t => {
  const { client, url, other, code } = await deepMarket(t)
  const { slow, end } = await stalled(t, url, code, other, ['polling', 'websocket'])
  const behind = slow.channel(code).length
  for (let n = 0; n < 60; n++) await client.placeOrder(code, { l1_expected_price: 5, userid: `user${n}` })
  await isCurrent(t, client, code, other)
  t.equal(slow.channel(code).length, behind, 'it reads nothing')
  end.uncork()
  const { seq, bids, asks } = await client.book(code)
  const book = await slow.reaches(code, seq)
  t.same({ ...book.levels(), faults: book.faults }, { bids, asks, faults: [] })
  const deltas = slow.channel(code).filter(({ type }) => type === 'delta')
  t.ok(deltas.length < 5, `${deltas.length} deltas for 60 changes`)
  t.ok(slow.socket.connected)
})

t.test('closes a WebSocket that never reads with 1013 once it is too far behind', async t => {
  const { client, url, other, code, server } = await deepMarket(t)
  const { slow, end } = await stalled(t, url, code, other)
  await fallTooFarBehind(t, { client, code, other, server })
  end.uncork()
  await slow.until(() => slow.endings.length > 0)
  t.match(slow.endings, [{ reason: 'transport close', code: 1013 }])
})

t.test('stopping does not wait for a WebSocket that never completes its close', async t => {
  const { url, other, code, server } = await deepMarket(t)
  const { end } = await stalled(t, url, code, other)
  // The server's own time runs out long before the WebSocket's, which is half a minute, however late both are.
  const tooLong = new AbortController()
  const late = setTimeout(25_000, 'late', { signal: tooLong.signal, ref: false }).catch(() => 'in time')
  const closing = server.close()
  t.not(await Promise.race([once(end, 'close'), late]), 'late')
  tooLong.abort()
  await closing
})

interface DeepMarket {
  readonly server: TestServer
  readonly client: ServerClient
  readonly url: string
  readonly code: string
  /** A reader that keeps up. */
  readonly other: SocketIoClient
}

/** Starts a server with an event whose snapshots are long. */
async function deepMarket(t: Test): Promise<DeepMarket> {
  const server = await startTestServer(t, ON)
  const { client, url } = server
  const code = await client.createEvent()
  await Promise.all(
    Array.from({ length: LEVELS }, (_, n) => client.placeOrder(code, { l1_expected_price: (n + 10) / 100 })),
  )
  const other = await SocketIoClient.connect(t, url)
  await other.ask('subscribe_orderbook', code)
  return { server, client, url, code, other }
}

/** Builds a backlog just above the slow-reader limit; requests of slow readers are handled later. */
async function fallBehind(session: SocketIoPoll, code: string): Promise<void> {
  await session.emit('subscribe_orderbook', code)
  let body = ''
  // The snapshot may come by the poll after the one with the acknowledgement.
  while (session.book.seq === undefined) ({ body } = await session.poll())
  const count = Math.floor(CONGESTED_BYTES / body.length) + 1
  for (let n = 0; n < count; n++) await session.emit('subscribe_orderbook', code)
}

interface Stalled {
  readonly slow: SocketIoClient
  /** The server's socket, which sends once it is uncorked. */
  readonly end: Socket
}

/** Connects a reader over a WebSocket that counts as slow. */
async function stalled(
  t: Test,
  url: string,
  code: string,
  other: SocketIoClient,
  transports = ['websocket'],
): Promise<Stalled> {
  const accepted = acceptedSockets(t)
  const slow = await SocketIoClient.connect(t, url, { transports })
  const { engine } = slow.socket.io
  while (engine.transport.name !== 'websocket') await slow.ask('?')
  const { ws } = engine.transport as unknown as { readonly ws: WebSocket }
  await slow.ask('subscribe_orderbook', code)
  const { localPort } = (ws as unknown as { readonly _socket: Socket })._socket
  const end = accepted.find(({ remotePort }) => remotePort === localPort)
  if (end === undefined) throw new Error('a connection has two ends')
  const turn = () => other.ask('unsubscribe_user', 'nobody')
  while (end.writableLength > 0) await turn()
  end.cork()
  // Socket.IO notices that a socket has drained if a packet of its own waits for that.
  slow.socket.emit('subscribe_orderbook', code)
  while (end.writableLength === 0) await turn()
  fillUp(end, CONGESTED_BYTES, `42${JSON.stringify(['noise', 'x'.repeat(4000)])}`)
  return { slow, end }
}

async function isCurrent(t: Test, client: ServerClient, code: string, reader: SocketIoClient): Promise<void> {
  await client.placeOrder(code, { l1_expected_price: 6 })
  const { seq, bids, asks } = await client.book(code)
  const book = await reader.reaches(code, seq)
  t.same({ seq: book.seq, ...book.levels(), faults: book.faults }, { seq, bids, asks, faults: [] })
}

/**
 * Publishes more than a slow reader may miss, and waits until the server has looked at that reader: once the
 * one that keeps up has been served, the slow one's turn comes before its next.
 */
async function fallTooFarBehind(
  t: Test,
  { client, code, other, server }: Omit<DeepMarket, 'url'>,
): Promise<void> {
  await Promise.all(Array.from({ length: LAG_MAX + 100 }, () => placeRefused(server, code)))
  await isCurrent(t, client, code, other)
  await isCurrent(t, client, code, other)
}

/** Places an order off the tick, which publishes one message and leaves the book unchanged. */
async function placeRefused({ exchange }: TestServer, code: string): Promise<void> {
  await exchange.placeOrder({
    market: Number(code) as MarketCode,
    userId: 'ada',
    side: 'yes',
    orderType: 'LO',
    selfTrade: 'taker',
    outcome: 'yes',
    yesPrice: 5.001,
    askedPrice: 5.001,
    quantity: 1,
  })
}
