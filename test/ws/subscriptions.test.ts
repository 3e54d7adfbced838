import t from 'tap'
import { OPEN as EVERYBODY } from '../../src/access/identity.js'
import { LIMITS } from '../../src/api/limits.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import { Budget } from '../../src/ws/budget.js'
import { Callers } from '../../src/ws/callers.js'
import { Connection } from '../../src/ws/connection.js'
import type { BookFeed } from '../../src/ws/feeds/book-feed.js'
import { Subscriptions } from '../../src/ws/feeds/subscriptions.js'
import type { UserFeed } from '../../src/ws/feeds/user-feed.js'
import type { Answer, Transport } from '../../src/ws/transports/transport.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

type Refused = ServerMessage & { readonly retry_after_ms?: number }

const OPEN = { start_date: '2025-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' }

const count = (socket: WsClient, name: string) => socket.messages.filter(({ event }) => event === name).length

const refusals = (socket: WsClient) => socket.messages.filter(({ event }) => event === 'error') as Refused[]

/** Opens a gateway with a user who has this many open orders. */
async function openWithOrders(t: Parameters<typeof openTestWindow>[0], orderCount: number) {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  for (let n = 0; n < orderCount; n += 100) {
    const orders = Array.from({ length: 100 }, () => ({
      event_id: code,
      l1_expected_price: 1,
      l1_order_quantity: 1,
      offer_type: 'buy',
      order_type: 'LO',
      userid: 'fat',
    }))
    await window.client.post('/order/batch', { orders })
  }
  return { ...window, code }
}

t.test('a name repeated a hundred times in a message counts once', async t => {
  const { client, code } = await openWithOrders(t, 100)
  const socket = await WsClient.connect(t, client.wsUrl())
  socket.send({ method: 'subscribe_user', events: Array.from({ length: 100 }, () => 'fat') })
  socket.send({ method: 'subscribe_orderbook', events: Array.from({ length: 100 }, () => code) })
  await socket.ask('?')
  await socket.next(({ event }) => event === 'error')
  t.equal(count(socket, 'subscribed'), 2)
  t.equal(count(socket, 'user_fat'), 1)
  t.equal(count(socket, `event_orderbook_${code}`), 1)
})

t.test('a client that asks for too much is sent how long to wait, and can then go on', async t => {
  const { client, setNow } = await openWithOrders(t, 300)
  const socket = await WsClient.connect(t, client.wsUrl())
  const other = await WsClient.connect(t, client.wsUrl())
  const ask = { event: 'subscribe_user', data: 'fat' }
  await socket.ask(ask)
  const { length } = JSON.stringify((await socket.next(({ event }) => event === 'user_fat')).data)
  for (let n = 0; n < 200; n++) socket.send(ask)
  await socket.until(() => count(socket, 'subscribed') + refusals(socket).length === 201)
  const told = count(socket, 'user_fat')
  t.ok(
    told * length <= 1024 * SOCKET_LIMITS.asking.points + 2 * length,
    `${told} snapshots of ${length} characters`,
  )
  const refusal = refusals(socket).at(-1)
  t.match(refusal, {
    data: { code: 429, name: 'Too Many Requests', message: /^Too much at once: try again in / },
  })
  t.match(await other.ask(ask), { event: 'subscribed' }, 'another has its own')

  const waitMs = refusal?.retry_after_ms ?? 0
  setNow(WINDOW_NOW + waitMs)
  socket.send({ ...ask, id: 'later' })
  t.match(await socket.next(({ id }) => id === 'later'), { event: 'subscribed' })
})

t.test('a client that persists is closed with 1008, and others are not', async t => {
  const { client } = await openWithOrders(t, 0)
  const socket = await WsClient.connect(t, client.wsUrl())
  const other = await WsClient.connect(t, client.wsUrl())
  socket.socket.on('message', () => {
    // One at a time, so that never too many wait.
    if (socket.socket.readyState === socket.socket.OPEN) socket.send('?')
  })
  socket.send('?')
  t.match(await socket.closed, { code: 1008, reason: /^too many messages/ })
  const malformed = refusals(socket).filter(({ retry_after_ms }) => retry_after_ms === undefined)
  t.ok(malformed.length <= SOCKET_LIMITS.asking.points / 10)
  t.ok(refusals(socket).length - malformed.length <= SOCKET_LIMITS.refusals.points)
  t.match(await other.ask('?'), { event: 'error', data: { code: 400 } })
})

t.test('a client that subscribes in a loop is limited, but can always unsubscribe', async t => {
  const { client, code } = await openWithOrders(t, 0)
  const socket = await WsClient.connect(t, client.wsUrl())
  for (let n = 0; n < 1000 && refusals(socket).length === 0; n++) {
    socket.send(['subscribe_orderbook', code])
    socket.send(['subscribe_orderbook', code])
    socket.send(['subscribe_orderbook', code])
    socket.send(['unsubscribe_orderbook', code])
    await socket.until(() => count(socket, 'unsubscribed') === n + 1)
  }
  const told = count(socket, `event_orderbook_${code}`)
  t.ok(told <= SOCKET_LIMITS.asking.points / 2, `${told} snapshots`)
  t.match(refusals(socket), [{ data: { code: 429 } }])
  socket.send({ event: 'unsubscribe_orderbook', data: code, id: 'gone' })
  t.match(await socket.next(({ id }) => id === 'gone'), { event: 'unsubscribed' })
})

t.test('pings count as messages', async t => {
  const { client } = await openWithOrders(t, 0)
  const socket = await WsClient.connect(t, client.wsUrl())
  const ping = () => {
    if (socket.socket.readyState === socket.socket.OPEN) for (let n = 0; n < 10; n++) socket.socket.ping()
  }
  let pongs = 0
  socket.socket.on('pong', () => {
    pongs++
    if (pongs % 10 === 0) ping()
  })
  ping()
  t.match(await socket.closed, { code: 1008 })
  t.ok(pongs <= SOCKET_LIMITS.asking.points + SOCKET_LIMITS.refusals.points)
})

t.test('a connection follows at most 100 users, known or not, and the answer says so', async t => {
  const { client, gateway } = await openWithOrders(t, 0)
  const socket = await WsClient.connect(t, client.wsUrl())
  const userIds = Array.from({ length: LIMITS.channelsMax.users }, (_, n) => `nobody${n}`)
  socket.send({ method: 'subscribe_user', events: userIds })
  const extra = { event: 'subscribe_user', data: 'one-more', id: 'extra' }
  socket.send(extra)
  const refusal = await socket.next(({ event }) => event === 'error')
  t.match(refusal, {
    id: 'extra',
    data: { code: 429, message: 'A connection follows at most 100 users: open another' },
  })
  t.notOk('retry_after_ms' in refusal, 'waiting does not help')
  t.equal(gateway.subscriptionCount, LIMITS.channelsMax.users)
  t.match(await socket.ask({ event: 'subscribe_user', data: 'nobody7' }), { event: 'subscribed' }, 'renewed')
  await socket.ask(['unsubscribe_user', 'nobody7'])
  t.match(await socket.ask(extra), { event: 'subscribed', id: 'extra' }, 'another makes room')

  socket.socket.terminate()
  await socket.closed
  while (gateway.subscriptionCount > 0) await client.get('/healthz')
  t.equal(gateway.connectionCount, 0, 'and who leaves leaves nothing behind')
})

t.test('all connections together follow a limited number of channels', async t => {
  const answers: Answer[] = []
  const line = { isOpen: true, unsentBytes: 0, answer: (answer: Answer) => answers.push(answer) }
  const connection = new Connection(line as unknown as Transport, 0)
  connection.caller = EVERYBODY
  const none = () => t.fail('nobody is let in')
  const subscriptions = new Subscriptions({
    exchange: {
      marketWritten: () => ({ terms: { code: 1_000_001 } }),
      archive: { userNamed: (userId: string) => ({ userId, isKnown: true }) },
    } as unknown as Exchange,
    budget: new Budget(() => 0),
    callers: new Callers(),
    resume: () => {},
    books: { count: LIMITS.channelsMax.eventsInAll, subscribe: none } as unknown as BookFeed,
    users: { count: LIMITS.channelsMax.usersInAll, subscribe: none } as unknown as UserFeed,
  })
  const request = { connection, data: '1000001', userId: '1000001', id: undefined, fromSeq: undefined }
  subscriptions.followBook(request)
  for (const _ of subscriptions.followUser(request));
  t.equal(answers.length, 2)
  for (const answer of answers) t.match(answer, { event: 'error', retry_after_ms: 5000, data: { code: 503 } })
})
