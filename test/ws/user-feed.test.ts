import t from 'tap'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import type { TestWindow } from '../fixtures/sockets/ws-window.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

interface UserData {
  readonly type: 'snapshot' | 'order' | 'fill' | 'position' | 'balance'
  readonly user_seq: number
  readonly ts: number
  readonly [field: string]: unknown
}

const dataFor = (socket: WsClient, userId: string): UserData[] =>
  socket.messages.flatMap(({ event, data }) => (event === `user_${userId}` ? [data as UserData] : []))

const seqsFor = (socket: WsClient, userId: string) => dataFor(socket, userId).map(({ user_seq }) => user_seq)

const count = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

const OPEN = { start_date: '2025-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' }

/** Waits until a user's channel has brought the message with this number. */
async function reaches(socket: WsClient, userId: string, userSeq: number): Promise<void> {
  await socket.until(() => dataFor(socket, userId).some(({ user_seq }) => user_seq >= userSeq))
}

async function place(window: TestWindow, code: string, userid: string, text: string): Promise<string> {
  const [offer_type, quantity, price] = text.split(' ')
  const { headers } = await window.client.post('/order/initiate', {
    event_id: code,
    l1_expected_price: Number(price),
    l1_order_quantity: Number(quantity),
    offer_type,
    order_type: 'LO',
    userid,
  })
  return headers.get('x-order-id') ?? ''
}

/** Returns an order as the channel has it: without its place in the queue, which others change. */
async function orderOf({ client }: TestWindow, id: string): Promise<object> {
  const { body } = await client.get(`/order/${id}`)
  const { queue: _, ...order } = (body as { additional: { queue: object } }).additional
  return order
}

t.test("a channel starts with the user's current state and continues with each change", async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  const resting = await place(window, code, 'asha', 'buy 10 6.5')
  const socket = await WsClient.connect(t, window.client.wsUrl())
  const answer = await socket.ask({ event: 'subscribe_user', data: 'asha', id: 7 })
  t.same(answer, { event: 'subscribed', data: 'asha', channel: 'user_asha', id: 7 })
  await reaches(socket, 'asha', 2)
  const order = await orderOf(window, resting)
  const snapshot = {
    type: 'snapshot',
    user_seq: 2,
    ts: WINDOW_NOW,
    balance: { cash: 1_000_000, held: 65, available: 999_935 },
    positions: [],
    orders: [order],
    more_positions: false,
    more_orders: false,
  }
  t.same(dataFor(socket, 'asha'), [snapshot])

  await place(window, code, 'ravi', 'sell 4 6.2')
  await reaches(socket, 'asha', 6)
  const [, fill, changed, position, balance] = dataFor(socket, 'asha')
  const { body: fills } = await window.client.get('/portfolio/asha/fills')
  const now = await orderOf(window, resting)
  const told = { ts: WINDOW_NOW }
  t.same(fill, {
    ...told,
    type: 'fill',
    user_seq: 3,
    fill: (fills as { additional: { fills: object[] } }).additional.fills[0],
  })
  t.same(changed, { ...told, type: 'order', user_seq: 4, order: now })
  const contracts = { event_id: code, yes: 4, no: 0, yes_locked: 0, no_locked: 0 }
  t.same(position, { ...told, type: 'position', user_seq: 5, position: contracts })
  const money = { cash: 999_974, held: 39, available: 999_935 }
  t.same(balance, { ...told, type: 'balance', user_seq: 6, balance: money })
  const { body } = await window.client.get('/portfolio/asha/balance')
  t.same((body as { additional: object }).additional, { userid: 'asha', ...money, user_seq: 6 })
})

t.test('from_seq replays everything after it and continues without a gap', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  for (let n = 0; n < 100; n++) await place(window, code, 'asha', 'buy 1 1')
  const socket = await WsClient.connect(t, window.client.wsUrl())
  socket.send({ event: 'subscribe_user', data: 'asha', from_seq: 0 })
  await Promise.all(count(1, 50).map(() => place(window, code, 'asha', 'buy 1 2')))
  const last = window.exchange.userChannel.userSeq('asha')
  t.ok(last >= 250)
  await reaches(socket, 'asha', last)
  t.same(seqsFor(socket, 'asha'), count(1, last))
  const middle = await WsClient.connect(t, window.client.wsUrl())
  middle.send({ method: 'subscribe_user', events: ['asha'], from_seq: last - 3 })
  await reaches(middle, 'asha', last)
  t.same(dataFor(middle, 'asha'), dataFor(socket, 'asha').slice(-3), 'the same as before')
})

t.test('an up-to-date reader is sent nothing until something happens', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  await place(window, code, 'asha', 'buy 1 1')
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask({ event: 'subscribe_user', data: 'asha', from_seq: 2 })
  await place(window, code, 'asha', 'buy 1 1')
  await reaches(socket, 'asha', 4)
  t.same(seqsFor(socket, 'asha'), [3, 4])
})

t.test('a client that is ahead of the exchange starts over with a snapshot', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  await place(window, code, 'asha', 'buy 1 1')
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask({ event: 'subscribe_user', data: 'asha', from_seq: 3 })
  await reaches(socket, 'asha', 2)
  t.match(dataFor(socket, 'asha'), [{ type: 'snapshot', user_seq: 2 }])
})

t.test('a user without an account has no balance, and is notified when that changes', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask(['subscribe_user', 'newcomer'])
  await socket.next(({ event }) => event === 'user_newcomer')
  t.match(dataFor(socket, 'newcomer'), [
    { type: 'snapshot', user_seq: 0, balance: null, positions: [], orders: [] },
  ])
  await place(window, code, 'newcomer', 'buy 1 1')
  await reaches(socket, 'newcomer', 2)
  t.match(dataFor(socket, 'newcomer').slice(1), [
    { type: 'order', user_seq: 1, order: { state: 'resting' } },
    { type: 'balance', user_seq: 2, balance: { cash: 1_000_000, held: 1 } },
  ])
})

t.test('a reader receives nothing meant for another user, and nothing after it has left', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask(['subscribe_user', 'asha'])
  await socket.ask(['subscribe_user', 'ravi'])
  await place(window, code, 'ravi', 'buy 1 1')
  await reaches(socket, 'ravi', 2)
  t.same(seqsFor(socket, 'asha'), [0])
  const left = { event: 'unsubscribed', data: 'ravi', channel: 'user_ravi' }
  t.match(await socket.ask(['unsubscribe_user', 'ravi']), left)
  await place(window, code, 'ravi', 'buy 1 1')
  await place(window, code, 'asha', 'buy 1 1')
  await reaches(socket, 'asha', 2)
  t.same(seqsFor(socket, 'ravi'), [0, 1, 2])
  t.match(await socket.ask(['unsubscribe_user', 'ravi']), left, 'once more does no harm')
})

t.test('a user id that looks like code or JSON is treated as a name', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  for (const userId of ['1000001', '"},{"', 'आशा', '__proto__']) {
    const socket = await WsClient.connect(t, window.client.wsUrl())
    t.match(await socket.ask(['subscribe_user', userId]), { data: userId, channel: `user_${userId}` })
    await place(window, code, userId, 'buy 1 1')
    await reaches(socket, userId, 2)
    t.same(seqsFor(socket, userId), [0, 1, 2])
    socket.socket.terminate()
  }
})

t.test('a heartbeat reports the position of each user', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask(['subscribe_user', 'asha'])
  await place(window, code, 'asha', 'buy 1 1')
  await reaches(socket, 'asha', 2)
  window.beat()
  const isHeartbeat = ({ event }: ServerMessage) => event === 'heartbeat'
  t.same((await socket.next(isHeartbeat)).data, {
    ts: WINDOW_NOW,
    seq: {},
    seqs: {},
    user_seq: { asha: 2 },
  })
})

t.test('a reader that does not read is left alone, and later gets everything once', async t => {
  const window = await openTestWindow(t)
  const code = await window.client.createEvent(OPEN)
  const socket = await WsClient.connect(t, window.client.wsUrl())
  await socket.ask(['subscribe_user', 'asha'])
  socket.socket.pause()
  const orders = 3000
  for (let n = 0; n < orders; n += 100) {
    await Promise.all(count(1, 100).map(() => place(window, code, 'asha', 'buy 1 1')))
  }
  const last = window.exchange.userChannel.userSeq('asha')
  socket.socket.resume()
  await reaches(socket, 'asha', last)
  t.same(seqsFor(socket, 'asha'), count(0, last))
})
