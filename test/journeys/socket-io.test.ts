import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import type { SettingTexts } from '../../src/server/config/settings.js'
import { Dice } from '../fixtures/dice.js'
import { startTestServer } from '../fixtures/server-process.js'
import { SocketIoClient, WAYS } from '../fixtures/sockets/socket-io-client.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

const ON = { socketIo: true }
const UNKNOWN = { status: false, code: 404, name: 'Resource not found', message: 'Event not found' }
const NO_GROUP = { ...UNKNOWN, message: 'Group not found' }

t.test('a plain client needs only the names in tradeSummary, on every transport', async t => {
  const { client, url, faults } = await startTestServer(t, ON)
  const code = await client.createEvent()
  const { body } = await client.get(`/events/tradeSummary?eventId=${code}`)
  const { socket_events: names } = (
    body.additional as {
      order_book_details: { orderbook_config: { socket_events: Record<string, string> } }
    }
  ).order_book_details.orderbook_config
  for (const transports of WAYS) {
    const reader = await SocketIoClient.connect(t, url, { transports: [...transports] })
    const snapshot = new Promise(resolve => {
      reader.socket.on(names.listener_msg_name ?? '', resolve)
    })
    reader.socket.emit(names.subscribe_msg_name ?? '', names.subscription_data)
    t.match(await snapshot, { type: 'snapshot', event_id: code }, transports.join(', then '))
    t.strictSame(reader.messages[0], { event: 'subscribed', data: code }, 'the answer comes first')
    const gone = new Promise(resolve => reader.socket.on('unsubscribed', resolve))
    reader.socket.emit(names.unsubscribe_msg_name ?? '', names.subscription_data)
    t.equal(await gone, code)
    reader.socket.disconnect()
  }
  t.same(faults, [])
})

t.test('after random orders every reader has the messages and the book of a plain WebSocket', async t => {
  const { client, url, exchange, faults } = await startTestServer(t, ON)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent({ max_bet: 500, quantity: 3000 })
  const plain = await WsClient.connect(t, client.wsUrl())
  await plain.subscribe(code)
  const readers: SocketIoClient[] = []
  for (const transports of WAYS) {
    const reader = await SocketIoClient.connect(t, url, { transports: [...transports] })
    t.match(await reader.ask('subscribe_orderbook', code), { event: 'subscribed', data: code })
    readers.push(reader)
  }
  for (let round = 0; round < 8; round++) {
    const orders = Array.from({ length: 50 }, () =>
      client.placeOrder(code, {
        l1_expected_price: dice.between(45, 55) / 10,
        l1_order_quantity: dice.oneOf([1, 2, 0.5, dice.between(10, 3000) / 100, 9999]),
        offer_type: dice.oneOf(['buy', 'sell']),
        order_type: dice.percent(15) ? 'MO' : 'LO',
        userid: `user${dice.between(1, 6)}`,
      }),
    )
    await Promise.all(orders)
    const { seq, bids, asks } = await client.book(code)
    for (const reader of readers) {
      const book = await reader.reaches(code, seq)
      t.same({ seq: book.seq, ...book.levels() }, { seq, bids, asks }, `round ${round}, seed ${dice.seed}`)
      t.same(book.faults, [])
    }
  }
  const { seq } = await client.book(code)
  await plain.reaches(code, seq)
  const said = plain.messages.filter(({ event }) => event.startsWith('event_')).map(({ data }) => data)
  const types = new Set(said.map(data => (data as { type: string }).type))
  for (const type of ['delta', 'trade', 'ORDER_PLACED', 'ORDER_REJECTED']) t.ok(types.has(type), type)
  // Snapshots and deltas depend on when each reader was ready for more; the others do not.
  const othersOf = (messages: readonly unknown[]) =>
    (messages as readonly { readonly type: string; readonly prev_seq: number }[])
      .filter(({ type }) => type !== 'snapshot' && type !== 'delta')
      .map(({ prev_seq: _, ...message }) => message)
  for (const reader of readers) t.strictSame(othersOf(reader.channel(code)), othersOf(said))
  t.equal(readers[2]?.socket.io.engine.transport.name, 'websocket', 'who may turn to WebSocket did')
  t.ok(exchange.moneyIsAllThere())
  t.same(faults, [])
})

t.test('replies through the callback if there is one, otherwise as an event', async t => {
  const { client, url, faults } = await startTestServer(t, ON)
  const [first, second] = [await client.createEvent(), await client.createEvent()]
  const group = await client.createGroup()
  const reader = await SocketIoClient.connect(t, url)
  const rows: readonly (readonly [event: string, given: unknown, answer: unknown])[] = [
    ['subscribe_orderbook', first, { event: 'subscribed', data: first }],
    ['subscribe_orderbook', Number(second), { event: 'subscribed', data: second }],
    ['subscribe_orderbook', { data: first, id: 'x' }, { event: 'subscribed', data: first, id: 'x' }],
    ['unsubscribe_orderbook', { data: first, id: 7 }, { event: 'unsubscribed', data: first, id: 7 }],
    ['subscribe_group', group, { event: 'subscribed', data: group }],
    ['subscribe_group', first, { event: 'error', data: NO_GROUP, reason: 'group_not_found' }],
    ['unsubscribe_group', { data: group, id: 8 }, { event: 'unsubscribed', data: group, id: 8 }],
    ['subscribe_orderbook', '7777777', { event: 'error', data: UNKNOWN, reason: 'event_not_found' }],
    [
      'subscribe_orderbook',
      [first, '7777777', second],
      [
        { event: 'subscribed', data: first },
        { event: 'error', data: UNKNOWN, reason: 'event_not_found' },
        { event: 'subscribed', data: second },
      ],
    ],
    ['unsubscribe_orderbook', { events: [second], id: 1 }, [{ event: 'unsubscribed', data: second, id: 1 }]],
  ]
  for (const [event, given, answer] of rows) {
    t.strictSame(await reader.ask(event, given), answer, JSON.stringify(given))
  }
  const prices = reader.messages.filter(({ event }) => event === `event_group_${group}`)
  t.match(prices, [{ data: { type: 'snapshot', code: group } }])
  const wrong: readonly (readonly [event: string, args: readonly unknown[], message: string])[] = [
    ['subscribe_orderbook', [], 'data: Required'],
    ['subscribe_orderbook', [null], 'data: Expected string, received null'],
    ['subscribe_orderbook', [true], 'data: Expected string, received boolean'],
    ['subscribe_orderbook', [{}], 'data: Required'],
    ['subscribe_orderbook', [{ data: first, from_seq: -1 }], 'from_seq: Expected a whole number'],
    ['error', [first], "Expected 'subscribe_orderbook' | 'unsubscribe_orderbook'"],
    ['message', [first], 'Invalid enum value'],
  ]
  for (const [event, args, message] of wrong) {
    const answer = (await reader.ask(event, ...args)) as { data: { code: number; message: string } }
    t.match(
      answer,
      { event: 'error', data: { status: false, code: 422 } },
      `${event} ${JSON.stringify(args)}`,
    )
    t.match(answer.data.message, message)
  }
  t.match(await reader.ask('subscribe_orderbook', []), [{ event: 'error', data: { code: 422 } }])
  t.notOk(
    reader.messages.some(({ event }) => ['subscribed', 'unsubscribed', 'error'].includes(event)),
    'what was acknowledged is not said twice',
  )
  reader.socket.emit('subscribe_orderbook', { data: '9', id: 4 })
  await reader.until(() => reader.messages.at(-1)?.event === 'error')
  t.strictSame(
    reader.messages.at(-1),
    { event: 'error', data: UNKNOWN, id: 4, reason: 'event_not_found' },
    'the id beside the envelope',
  )
  t.ok(reader.socket.connected)
  t.same(faults, [])
})

t.test('from_seq replays missed messages, and nothing arrives after an unsubscribe', async t => {
  const { client, url } = await startTestServer(t, ON)
  const code = await client.createEvent()
  for (const transports of WAYS) {
    const reader = await SocketIoClient.connect(t, url, { transports: [...transports] })
    await reader.ask('subscribe_orderbook', code)
    await client.placeOrder(code)
    const { seq } = await client.book(code)
    await reader.reaches(code, seq)
    await reader.ask('unsubscribe_orderbook', code)
    const count = reader.messages.length
    await client.placeOrder(code)
    const now = (await client.book(code)).seq
    await reader.ask('unsubscribe_orderbook', code)
    t.equal(reader.messages.length, count)

    await reader.ask('subscribe_orderbook', { data: code, from_seq: seq })
    const book = await reader.reaches(code, now)
    t.equal(reader.channel(code).filter(({ type }) => type === 'snapshot').length, 1, 'only the first')
    t.same(book.faults, [])
  }
})

t.test('a user channel matches a plain WebSocket, and from_seq replays it', async t => {
  const { client, url, faults } = await startTestServer(t, ON)
  const code = await client.createEvent()
  const isTold = ({ event }: ServerMessage) => event === 'user_asha'
  const lastSeq = (messages: readonly ServerMessage[]) =>
    (messages.filter(isTold).at(-1)?.data as { readonly user_seq?: number } | undefined)?.user_seq
  const plain = await WsClient.connect(t, client.wsUrl())
  const subscribed = { event: 'subscribed', data: 'asha', channel: 'user_asha' }
  t.strictSame(await plain.ask(['subscribe_user', 'asha']), subscribed)
  const readers: SocketIoClient[] = []
  for (const transports of WAYS) {
    const reader = await SocketIoClient.connect(t, url, { transports: [...transports] })
    t.strictSame(await reader.ask('subscribe_user', 'asha'), subscribed)
    readers.push(reader)
  }
  await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 3 })
  await client.placeOrder(code, { userid: 'ravi', offer_type: 'sell' })
  const { body } = await client.get('/portfolio/asha/balance')
  const { user_seq: seq } = body.additional as { readonly user_seq: number }
  t.ok(seq > 3)
  await plain.until(() => lastSeq(plain.messages) === seq)
  const told = plain.messages.filter(isTold)
  const late = await SocketIoClient.connect(t, url)
  late.socket.emit('subscribe_user', { data: 'asha', from_seq: 0, id: 1 })
  await late.until(() => lastSeq(late.messages) === seq)
  t.strictSame(
    late.messages[0],
    { ...subscribed, id: 1 },
    'without a callback the channel is beside the data',
  )
  t.strictSame(late.messages.filter(isTold), told.slice(1), 'all but the snapshot')
  for (const reader of readers) {
    await reader.until(() => lastSeq(reader.messages) === seq)
    // The snapshots differ because they were requested at different moments.
    t.match(reader.messages.filter(isTold)[0], { data: { type: 'snapshot', user_seq: 0, balance: null } })
    t.strictSame(reader.messages.filter(isTold).slice(1), told.slice(1))
    t.match(await reader.ask('unsubscribe_user', 'asha'), { event: 'unsubscribed', channel: 'user_asha' })
  }
  t.same(faults, [])
})

t.test('a client reconnects by itself after a restart and resumes where it left off', async t => {
  const first = await startTestServer(t, ON)
  const code = await first.client.createEvent()
  const quick = { reconnection: true, reconnectionDelay: 10, reconnectionDelayMax: 50 }
  const readers: SocketIoClient[] = []
  for (const transports of WAYS) {
    const reader = await SocketIoClient.connect(t, first.url, { ...quick, transports: [...transports] })
    const follow = () =>
      reader.socket.emit('subscribe_orderbook', { data: code, from_seq: reader.book(code).seq })
    reader.socket.on('connect', follow)
    follow()
    readers.push(reader)
  }
  await first.client.placeOrder(code, { l1_expected_price: 4 })
  const { seq } = await first.client.book(code)
  for (const reader of readers) await reader.reaches(code, seq)
  await first.close()
  const { client, faults } = await startTestServer(t, { ...ON, data: first.data, port: first.port })
  for (const reader of readers) await reader.until(() => reader.connects === 2)
  await client.placeOrder(code, { l1_expected_price: 5 })
  const now = await client.book(code)
  for (const reader of readers) {
    const book = await reader.reaches(code, now.seq)
    t.same({ ...book.levels(), faults: book.faults }, { bids: now.bids, asks: now.asks, faults: [] })
    t.notOk(reader.socket.recovered, 'the server keeps no state of a client that left')
  }
  t.same(faults, [])
})

t.test('stopping the server ends every session at once', async t => {
  const server = await startTestServer(t, ON)
  const readers: SocketIoClient[] = []
  for (const transports of WAYS) {
    readers.push(await SocketIoClient.connect(t, server.url, { transports: [...transports] }))
  }
  const address = `${server.url}/socket.io/?EIO=4&transport=polling`
  const { sid } = JSON.parse((await (await fetch(address)).text()).slice(1)) as { readonly sid: string }
  const pending = fetch(`${address}&sid=${sid}`).then(response => response.text())
  for (let n = 0; n < 3; n++) await server.client.get('/healthz')
  await server.close()
  t.equal(await pending, '1', 'also one that nobody has connected to yet')
  for (const reader of readers) {
    await reader.until(() => reader.endings.length > 0)
    // A client between two polls finds the server gone instead.
    t.match(reader.endings[0]?.reason, /^transport (close|error)$/)
  }
  t.equal(readers[1]?.endings[0]?.code, 1001)
  t.same(server.faults, [])
})

t.test('serves nothing at the Socket.IO path when Socket.IO is off', async t => {
  const { client, url } = await startTestServer(t)
  const query = '/socket.io/?EIO=4&transport='
  const { status, body } = await client.get(`${query}polling`)
  t.equal(status, 404)
  t.strictSame(body, { status: false, code: 404, name: 'Resource not found', message: 'Route not found' })
  await t.rejects(WsClient.connect(t, client.wsUrl(`${query}websocket`)), /404/)
  for (const transports of WAYS) {
    const reader = new SocketIoClient(t, url, { transports: [...transports] })
    await reader.until(() => reader.endings.length > 0)
    t.match(reader.endings[0]?.reason, /error/)
  }
})

t.test('is off unless a flag or an environment variable turns it on', async t => {
  const rows: readonly (readonly [flags: SettingTexts, variable: string | undefined, isOn: boolean])[] = [
    [{}, undefined, false],
    [{}, '', false],
    [{}, '0', false],
    [{}, '1', true],
    [{ 'socket-io': 'yes' }, undefined, true],
    [{ 'socket-io': 'yes', port: '0' }, '0', true],
  ]
  for (const [flags, variable, isOn] of rows) {
    const env = variable === undefined ? {} : { RAAY_SOCKET_IO: variable }
    t.equal(readConfig(flags, env).socketIo, isOn, `${JSON.stringify(flags)} with ${variable}`)
  }
  t.throws(() => readConfig({}, { RAAY_SOCKET_IO: 'on' }), {
    name: 'ConfigError',
    message: '--socket-io (RAAY_SOCKET_IO) is on: give yes or no',
  })
})
