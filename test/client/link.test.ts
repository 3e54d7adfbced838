import t from 'tap'
import { RaayClient } from '../../src/client/client.js'
import { ASKED_MAX } from '../../src/client/socket/asking.js'
import { ClientWorld, ok } from '../fixtures/server/client-world.js'

const A = '1000001'
const B = '1000002'

function start(options: { url?: string } = {}) {
  const world = new ClientWorld()
  world.reply = () => ok({ trades: [], next_cursor: null })
  const client = new RaayClient({ url: world.url, userid: 'asha', ...world.surroundings, ...options })
  const states: string[] = []
  client.onConnection(state => states.push(state))
  return { world, client, states }
}

const snapshot = (code: string, seq: number, bids: number[][] = []) => ({
  event: `event_orderbook_${code}`,
  data: { type: 'snapshot', event_id: code, seq, ts: 1, status: 'open', bids, asks: [], last_price: null },
})

const delta = (code: string, seq: number, prev_seq = seq - 1) => ({
  event: `event_orderbook_${code}`,
  data: { type: 'delta', seq, prev_seq, ts: 1, bids: [[5, seq]], asks: [] },
})

const heartbeat = (seq: Record<string, number>) => ({ event: 'heartbeat', data: { ts: 1, seqs: seq } })

/** Starts a client whose book of A is live at sequence 10. */
function live() {
  const stage = start()
  const watch = stage.client.watchOrderBook(A)
  stage.world.socket.open()
  stage.world.socket.confirm()
  stage.world.socket.say(snapshot(A, 10))
  return { ...stage, watch }
}

t.test('opens one socket for everything watched, and closes it with the last watch', async t => {
  const { world, client, states } = start()
  t.equal(world.sockets.length, 0, 'none before it is needed')
  const first = client.watchOrderBook(A)
  const second = client.watchOrderBook(A)
  const third = client.watchOrderBook(B)
  const fourth = client.watchBalance()
  t.equal(world.sockets.length, 1)
  t.equal(world.socket.url, 'ws://exchange.test/ws')
  t.same(world.socket.sent, [], 'nothing is sent before it is open')
  world.socket.open()
  t.match(world.socket.sent, [
    { event: 'subscribe_orderbook', data: A },
    { event: 'subscribe_orderbook', data: B },
    { event: 'subscribe_user', data: 'asha' },
  ])
  t.notOk(
    world.socket.sent.some(message => 'from_seq' in message),
    'from the beginning',
  )
  first.close()
  t.equal(world.socket.sent.length, 3, 'another one watches the same')
  second.close()
  t.match(world.socket.sent.at(-1), { event: 'unsubscribe_orderbook', data: A })
  third.close()
  fourth.close()
  t.ok(world.socket.isEnded)
  t.same(world.timersMs, [], 'a program may end now')
  t.equal(client.connection, 'offline')
  client.watchOrderBook(A)
  t.equal(world.sockets.length, 2, 'and open again')
  t.same(states, ['catching_up', 'offline'])
})

t.test('is live once every subscription is, and reports its state', async t => {
  const { world, client, states } = start()
  client.watchOrderBook(A)
  client.watchOrderBook(B)
  t.equal(client.connection, 'offline')
  world.socket.open()
  t.equal(client.connection, 'catching_up')
  world.socket.say({ event: 'subscribed', data: A, id: 1 })
  world.socket.say(snapshot(A, 10))
  t.equal(client.connection, 'catching_up')
  world.socket.say({ event: 'subscribed', data: B, id: 2 })
  t.equal(client.connection, 'catching_up', 'a word is not a book')
  world.socket.say(snapshot(B, 0))
  t.equal(client.connection, 'live')
  world.socket.end()
  t.equal(client.connection, 'offline')
  t.same(states, ['catching_up', 'live', 'offline'])
})

t.test('a listener can be removed, and one that throws does not affect the others', async t => {
  const { world, client, states } = start()
  const leave = client.onConnection(() => t.fail('it has left'))
  leave()
  const strange: unknown[] = []
  const hear = (error: unknown) => strange.push(error)
  process.on('unhandledRejection', hear)
  client.onConnection(() => {
    throw new Error('a bug of the page')
  })
  client.watchOrderBook(A)
  world.socket.open()
  await world.settle()
  process.off('unhandledRejection', hear)
  t.same(states, ['catching_up'])
  t.match(strange, [{ message: 'a bug of the page' }], 'and its error does not go unnoticed')
})

t.test('reconnects from where it left off, after longer and longer pauses', async t => {
  const { world, states } = live()
  world.socket.say(delta(A, 11))
  let sockets = 1
  for (const pause of [125, 250, 500, 1000, 2000, 4000, 5000, 5000]) {
    world.socket.end()
    t.same(world.timersMs, [pause])
    await world.pass(pause - 1)
    t.equal(world.sockets.length, sockets)
    await world.pass(1)
    sockets++
    t.equal(world.sockets.length, sockets)
  }
  world.socket.open()
  t.match(world.socket.sent, [{ event: 'subscribe_orderbook', data: A, from_seq: 11 }])
  world.socket.end()
  t.same(world.timersMs, [5000], 'that it opened is not enough')
  await world.pass(5000)
  world.socket.open()
  world.socket.confirm()
  t.equal(states.at(-1), 'live', 'nothing was missed')
  world.socket.end()
  t.same(world.timersMs, [125], 'it had spoken: the next pause is short again')
})

t.test('randomizes half of each pause', async t => {
  const { world } = live()
  world.chance = 0.5
  world.socket.end()
  t.same(world.timersMs, [187.5])
})

t.test('gives up a silent connection, but not a quiet one with heartbeats', async t => {
  const { world } = live()
  for (let beats = 0; beats < 10; beats++) {
    await world.pass(20_000)
    world.socket.say(heartbeat({ [A]: 10 }))
  }
  t.equal(world.sockets.length, 1)
  const { socket } = world
  await world.pass(44_999)
  t.notOk(socket.isEnded)
  await world.pass(1)
  t.ok(socket.isEnded)
  await world.pass(125)
  t.equal(world.sockets.length, 2)
  socket.say(delta(A, 11))
  world.socket.open()
  t.match(world.socket.sent, [{ from_seq: 10 }], 'what an old connection still says is not heard')
})

t.test('gives up a connection that never opens, and one that never replies', async t => {
  const { world, client } = start()
  client.watchOrderBook(A)
  await world.pass(10_000)
  t.ok(world.sockets[0]?.isEnded, 'it never opened')
  await world.pass(125)
  world.socket.open()
  world.socket.say(heartbeat({}))
  await world.pass(9999)
  t.equal(world.sockets.length, 2)
  await world.pass(1)
  t.ok(world.sockets[1]?.isEnded, 'it never answered')
  await world.pass(250)
  world.socket.open()
  await world.pass(9999)
  world.socket.confirm()
  world.socket.say(snapshot(A, 3))
  await world.pass(20_000)
  t.equal(world.sockets.length, 3, 'a slow one will do')
  t.equal(client.connection, 'live')
})

t.test('gives up a connection that leaves one request without a reply', async t => {
  const { world, client } = start()
  client.watchOrderBook(A)
  client.watchOrderBook(B)
  world.socket.open()
  world.socket.say({ event: 'subscribed', data: A, id: 1 })
  await world.pass(10_000)
  t.ok(world.socket.isEnded)
})

t.test('requests many subscriptions in groups, and the next as replies arrive', async t => {
  const { world, client } = start()
  for (let n = 0; n < 200; n++) client.watchOrderBook(String(1_000_000 + n))
  world.socket.open()
  t.equal(world.socket.sent.length, ASKED_MAX)
  world.socket.say({ event: 'subscribed', data: '1000000', id: 1 })
  t.equal(world.socket.sent.length, ASKED_MAX + 1)
  for (let id = 2; id <= 200; id++) world.socket.say({ event: 'subscribed', id })
  t.equal(new Set(world.socket.sent.map(({ data }) => data)).size, 200)
  t.equal(world.socket.sent.length, 200, 'each once')
})

t.test('waits as long as the exchange asks after a rate limit, then retries', async t => {
  const { world, client, states } = start()
  for (let n = 0; n < 60; n++) client.watchOrderBook(String(1_000_000 + n))
  const onError = () => t.fail('nothing is refused for good')
  client.watchBalance({}, { onUpdate: () => {}, onError })
  world.socket.open()
  world.socket.say({ event: 'subscribed', id: 1 })
  const sent = world.socket.sent.length
  for (let id = 2; id <= sent; id++) {
    const data = { status: false, code: id === 9 ? 503 : 429, name: 'Too Many Requests', message: 'wait' }
    world.socket.say({ event: 'error', id, retry_after_ms: 12_000, data })
  }
  world.socket.say(heartbeat({}))
  t.equal(world.socket.sent.length, sent, 'nothing more before that')
  await world.pass(11_999)
  t.equal(world.socket.sent.length, sent)
  await world.pass(1)
  t.equal(world.socket.sent.length, sent + ASKED_MAX)
  for (let id = sent + 1; id <= sent + 60; id++) world.socket.say({ event: 'subscribed', id })
  t.equal(new Set(world.socket.sent.map(({ data }) => data)).size, 61, 'everything was asked for')
  t.equal(world.sockets.length, 1, 'on one connection')
  t.same(states, ['catching_up'])
})

t.test('does not retry a subscription that is no longer watched', async t => {
  const { world, client } = start()
  const watch = client.watchOrderBook(A)
  client.watchOrderBook(B)
  world.socket.open()
  for (const id of [1, 2]) world.socket.say({ event: 'error', id, retry_after_ms: 1000, data: {} })
  watch.close()
  await world.pass(1000)
  t.match(world.socket.sent.slice(3), [{ event: 'subscribe_orderbook', data: B }])
  t.equal(world.socket.sent.length, 4)
})

t.test('a refusal ends only the refused subscription', async t => {
  const { world, client } = live()
  const watch = client.watchTrades(B)
  const next = watch.next()
  const heard: unknown[] = []
  client.watchOrderBook(B, {
    onUpdate: () => t.fail('there is no update'),
    onError: error => heard.push(error),
  })
  const { id } = world.socket.sent.at(-1) ?? {}
  world.socket.say({
    event: 'error',
    id,
    data: { status: false, code: 404, name: 'Resource not found', message: 'Event not found' },
  })
  const error = { code: 404, name: 'Resource not found', message: 'Event not found', retryable: false }
  await t.rejects(next, error)
  t.match(heard, [error])
  t.same(await watch.next(), { done: true, value: undefined }, 'it is reported once')
  t.equal(client.connection, 'live')
  world.socket.say(delta(A, 11))
  t.equal(client.watchOrderBook(A).state?.seq, 11)
  client.watchOrderBook(B)
  t.match(world.socket.sent.at(-1), { event: 'subscribe_orderbook', data: B }, 'one may ask again')
})

t.test('a listener that watches again after an error gets a subscription of its own', async t => {
  const { world, client } = live()
  const again: Promise<void>[] = []
  const watchAgain = () => again.push(client.watchOrderBook(B).ready())
  const listener = { onUpdate: () => {}, onError: watchAgain }
  client.watchOrderBook(B, listener)
  client.watchOrderBook(B, { ...listener, onError: () => {} })
  const { id } = world.socket.sent.at(-1) ?? {}
  world.socket.say({ event: 'error', id, data: { status: false, code: 404, name: 'No', message: 'No' } })
  t.equal(again.length, 1)
  const asked = world.socket.sent.at(-1)
  t.match(asked, { event: 'subscribe_orderbook', data: B })
  t.not(asked?.id, id)
  world.socket.confirm()
  world.socket.say(snapshot(B, 3))
  await again[0]
  t.equal(client.connection, 'live')
})

t.test('retries on another connection when the exchange cannot reply', async t => {
  const { world, client, states } = live()
  client.watchOrderBook(B)
  const { id } = world.socket.sent.at(-1) ?? {}
  world.socket.say({ event: 'error', id, data: { code: 503, name: 'Service Unavailable', message: 'busy' } })
  t.ok(world.socket.isEnded)
  t.equal(states.at(-1), 'offline')
  await world.pass(125)
  world.socket.open()
  t.match(world.socket.sent, [{ data: A, from_seq: 10 }, { data: B }])
})

t.test('ignores unsolicited errors and replies', async t => {
  const { world, client } = live()
  world.socket.say({ event: 'error', data: { code: 404 } })
  world.socket.say({ event: 'error', id: 1, data: { code: 404 } })
  world.socket.say({ event: 'subscribed', data: A, id: 1 })
  world.socket.say({ event: 'unsubscribed', data: B })
  world.socket.say({ event: 'event_orderbook_7777777', data: { type: 'delta' } })
  world.socket.say({ event: 'news', data: null })
  world.socket.say({ event: 'error' })
  t.equal(client.connection, 'live')
  t.equal(world.sockets.length, 1)
})

t.test("closes a connection that does not speak Raay's protocol", async t => {
  const empty = JSON.stringify({ event: `event_orderbook_${A}` })
  const unnumbered = JSON.stringify({ event: `event_orderbook_${A}`, data: { type: 'delta', bids: [] } })
  for (const text of ['', 'hello', '[]', 'null', '{}', '{"event":1}', empty, unnumbered]) {
    const { world } = live()
    world.socket.say(text)
    t.ok(world.socket.isEnded, text)
    await world.pass(125)
    t.equal(world.sockets.length, 2)
  }
})

t.test('resubscribes when a heartbeat is ahead of it or lacks a channel', async t => {
  for (const seq of [{ [A]: 12 }, {}]) {
    const { world, client } = live()
    world.socket.say(heartbeat(seq))
    t.match(world.socket.sent.at(-1), { event: 'subscribe_orderbook', data: A, from_seq: 10 })
    t.equal(client.connection, 'catching_up')
    const { length } = world.socket.sent
    world.socket.say(heartbeat(seq))
    t.equal(world.socket.sent.length, length, 'once is enough')
    world.socket.confirm()
    t.equal(client.connection, 'live')
  }
  const { world } = live()
  world.socket.say(heartbeat({ [A]: 9 }))
  t.equal(world.socket.sent.length, 1, 'a heartbeat that is behind has been overtaken')
})

t.test('opens and watches nothing after it is closed', async t => {
  const { world, client, watch, states } = live()
  client.close()
  t.ok(world.socket.isEnded)
  t.same(world.timersMs, [])
  t.same(await watch.next(), { done: true, value: undefined })
  t.throws(() => client.watchOrderBook(A), { name: 'Closed' })
  t.same(states, ['catching_up', 'live', 'offline'])
  const { world: other, client: waiting } = live()
  other.socket.end()
  waiting.close()
  await other.pass(100_000)
  t.equal(other.sockets.length, 1, 'nor by the attempt that was to come')
})

t.test('explains what to do where WebSocket is unavailable', async t => {
  const world = new ClientWorld()
  const { WebSocket: _, ...others } = world.surroundings
  const given = globalThis as { WebSocket?: unknown }
  const own = given.WebSocket
  t.teardown(() => {
    if (own !== undefined) given.WebSocket = own
  })
  delete given.WebSocket
  const client = new RaayClient({ url: 'https://exchange.test/', ...others })
  t.throws(() => client.watchOrderBook(A), { code: 501, message: /new RaayClient\(\{ WebSocket \}\)/ })
  t.throws(() => client.watchOrderBook(A), { code: 501 }, 'each time')
})

t.test('uses a TLS socket for a TLS address', async t => {
  const { world, client } = start({ url: 'https://exchange.test/api/v1/' })
  client.watchOrderBook(A)
  t.equal(world.socket.url, 'wss://exchange.test/api/v1/ws')
})
