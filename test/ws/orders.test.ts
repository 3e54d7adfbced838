import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { ORDER_MESSAGES } from '../../src/api/channels/order-messages.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import { Limiter } from '../../src/access/limits/limiter.js'
import { RATE_LIMITS } from '../../src/api/rate-limits.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import type { GatewayParts } from '../../src/ws/gateway.js'
import type { AccessOptions } from '../../src/access/access.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'
import type { Commands } from '../../src/ws/orders/order-requests.js'
import type { Answer, Transport } from '../../src/ws/transports/transport.js'
import { steppedShare } from '../fixtures/stepped-share.js'
import { Pipeline, ROUND_LENGTH_MAX } from '../../src/server/pipeline.js'
import type { Connection } from '../../src/ws/connection.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

const HOUR = 3_600_000
const TIMES = {
  start_date: new Date(WINDOW_NOW - HOUR).toISOString(),
  end_date: new Date(WINDOW_NOW + HOUR).toISOString(),
}

/** An answer to a message about orders. */
interface OrderReply {
  readonly event: string
  readonly id?: string | number
  readonly reason?: string
  readonly retry_after_ms?: number
  readonly ignored?: readonly string[]
  readonly sequence?: number
  readonly epoch?: number
  readonly data: {
    readonly status: boolean
    readonly code: number
    readonly message: string
    readonly additional: Record<string, unknown> & { readonly results: Record<string, unknown>[] }
  }
}

/** Opens an event on an exchange whose commits wait until they are let through. */
async function openWindow(t: Test, options: Partial<AccessOptions> = {}, more: Partial<GatewayParts> = {}) {
  const tokens = new TokenBook()
  for (const name of ['asha', 'ravi']) tokens.give(`rs_${name}`, name)
  tokens.give('rk_reads', 'asha', { scopes: new Set(['read']) })
  const window = await openTestWindow(t, { finder: tokens, ...options }, more)
  const { client, exchange } = window
  const code = await client.createEvent(TIMES)
  const connect = (token?: string) =>
    WsClient.connect(t, client.wsUrl(), {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    })
  const order = (fields: object = {}) => ({
    event_id: code,
    l1_expected_price: 5,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid: 'asha',
    ...fields,
  })
  const openOrders = async (userid = 'asha') => {
    const { body } = await client.get(`/order?userid=${userid}&state=resting&limit=1000`)
    return (body.additional as { readonly orders: readonly { readonly id: string }[] }).orders
  }
  return { ...window, tokens, code, connect, order, openOrders, hold: () => holdCommits(exchange) }
}

/** Keeps the results of orders placed from now on; returns what lets them through, the last one first. */
function holdCommits(exchange: Exchange) {
  const waiting: (() => void)[] = []
  const placeOrder = exchange.placeOrder.bind(exchange)
  const isHeld = { now: true }
  exchange.placeOrder = async request => {
    const placed = await placeOrder(request)
    if (isHeld.now) await new Promise<void>(resolve => waiting.push(resolve))
    return placed
  }
  return {
    waiting,
    letThrough: () => {
      isHeld.now = false
      for (const go of waiting.splice(0).reverse()) go()
    },
  }
}

async function ask(socket: WsClient, event: string, data: unknown, id: string | number = 1) {
  socket.send({ event, data, id })
  return (await socket.next(message => message.id === id)) as OrderReply
}

t.test('an order is placed, amended and cancelled, and answered in the envelope of HTTP', async t => {
  const { client, connect, order, openOrders, exchange, code } = await openWindow(t)
  const socket = await connect()
  const before = exchange.applied.last
  const placed = await ask(socket, 'place_order', order({ client_order_id: 'bid-1' }), 7)
  t.match(placed, { event: 'order', id: 7, data: { status: true, code: 201 } })
  t.equal(placed.data.message, 'Order placed successfully')
  t.ok(placed.sequence !== undefined && placed.sequence > before, 'the order is in this batch at the latest')
  const seen = { 'x-min-sequence': `${placed.sequence}`, 'x-epoch': `${placed.epoch}` }
  t.match((await client.get(`/events/${code}/orderbook`, seen)).body.additional, { bids: [[5, 1]] })
  const id = String(placed.data.additional.id)
  const { body } = await client.get(`/order/${id}`)
  const { queue, ...rest } = body.additional as Record<string, unknown>
  t.strictSame(placed.data.additional, rest, 'the order is that of HTTP')
  t.strictSame(queue, { contracts_ahead: 0, orders_ahead: 0 })

  const amended = await ask(socket, 'amend_order', { id, price: 6 }, 'a')
  t.match(amended, { event: 'order', id: 'a', data: { code: 200, message: 'Order amended successfully' } })
  t.match(amended.data.additional, { price: 6, state: 'resting', client_order_id: 'bid-1' })
  const named = { client_order_id: 'bid-1', userid: 'asha' }
  t.match(await ask(socket, 'cancel_order', named), { data: { message: 'Order cancelled successfully' } })
  t.match(await ask(socket, 'cancel_order', { id }), {
    data: { message: 'Order had ended already', additional: { reason: 'order_replaced' } },
  })

  const batch = await ask(socket, 'place_orders', {
    orders: [order(), order({ event_id: '1000009' }), order({ l1_expected_price: 5.005 })],
  })
  t.match(batch, { event: 'orders', data: { code: 200, message: '2 of 3 orders placed' } })
  const { results } = batch.data.additional
  t.match(results[0], { status: true, code: 201, additional: { state: 'resting' } })
  t.match(results[1], { status: false, code: 404, reason: 'event_not_found' })
  t.match(results[2], { status: true, additional: { state: 'rejected', reason: 'price_off_tick' } })
  const first = (results as { additional: { id: string } }[])[0]?.additional.id
  const ended = await ask(socket, 'cancel_orders', { ids: [first, 'nothing', 5] })
  t.match(ended, { event: 'orders', data: { message: '1 of 3 orders cancelled' } })
  t.match(ended.data.additional.results, [{ code: 200 }, { reason: 'order_not_found' }, { code: 422 }])

  for (let count = 0; count < 3; count++) await ask(socket, 'place_order', order())
  t.equal((await openOrders()).length, 3)
  const all = await ask(socket, 'cancel_all', { userid: 'asha', event_id: code })
  t.match(all, { event: 'orders_cancelled', data: { additional: { ended: 3, still_open: 0 } } })
  t.equal((await openOrders()).length, 0)
  t.ok(exchange.moneyIsAllThere())

  const documented = new DocumentedSocket(JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi)
  for (const answer of [placed, amended, batch, ended, all]) t.same(documented.faultsIn(answer), [])
})

t.test('fields without effect are named beside the data, and computed numbers are steps', async t => {
  const { connect, order } = await openWindow(t)
  const socket = await connect()
  const placed = await ask(
    socket,
    'place_order',
    order({ l1_expected_price: 46 * 0.1, why: 1, 'not a token': 2 }),
  )
  t.match(placed, { ignored: ['why'], data: { additional: { state: 'resting', price: 4.6 } } })
  const batch = await ask(socket, 'place_orders', { orders: [order({ who: 1 }), order({ why: 1 })] })
  t.strictSame(batch.ignored, ['who', 'why'])
  t.strictSame((await ask(socket, 'place_order', order())).ignored, undefined)
  const documented = new DocumentedSocket(JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi)
  for (const answer of [placed, batch]) t.same(documented.faultsIn(answer), [])
})

t.test('a refusal has the code, the reason and the words of HTTP, and the id of its message', async t => {
  const { client, connect, order } = await openWindow(t)
  const socket = await connect()
  const bodies = [
    order({ l1_expected_price: 0.05 }),
    order({ offer_type: 'hold' }),
    order({ event_id: 'x' }),
    order({ userid: undefined }),
    order({ userid: 'house' }),
    order({ post_only: 'yes' }),
    order({ postOnly: true }),
    order({ dry_run: true }),
    order({ time_in_force: 'GTD' }),
    {},
  ]
  for (const [index, data] of bodies.entries()) {
    const { status, body, headers } = await client.post('/order/initiate', data)
    const answer = await ask(socket, 'place_order', data, index)
    t.strictSame([answer.event, answer.data], ['error', body], JSON.stringify(data))
    t.equal(answer.data.code, status)
    t.equal(answer.reason, headers.get('raay-reason'))
  }
  const rows: readonly (readonly [string, unknown, string | RegExp])[] = [
    ['amend_order', { id: 'x' }, 'price: Expected a price, a quantity, or both'],
    ['amend_order', { price: 5 }, 'id: Required'],
    ['cancel_order', {}, 'id: Expected either an id or a client_order_id'],
    ['cancel_order', { id: 'x', client_order_id: 'y' }, 'id: Expected either an id or a client_order_id'],
    ['cancel_order', { client_order_id: 'y' }, 'userid: Required'],
    ['cancel_all', {}, 'userid: Required'],
    ['place_orders', {}, 'orders: Required'],
    ['place_orders', { orders: [order()], name: 'a' }, /^name: Unknown field, known are /],
    ['amend_order', { id: 'x', price: 5, qty: 1 }, /^qty: Unknown field, /],
    ['cancel_order', { id: 'x', dry_run: true }, /^dry_run: Unknown field, /],
    ['cancel_orders', { ids: ['x'], all: true }, /^all: Unknown field, /],
    ['cancel_all', { userid: 'asha', eventId: '1' }, /^eventId: Unknown field, .*did you mean event_id\?$/],
    ['place_orders', { orders: [] }, 'orders: Expected 1 to 100, received 0'],
    ['cancel_orders', { ids: Array(101).fill('x') }, 'ids: Expected 1 to 100, received 101'],
    ['place_order', [order()], 'data: Expected object, received array'],
    ['place_order', undefined, 'data: Required'],
  ]
  for (const [verb, data, message] of rows) {
    const answer = await ask(socket, verb, data)
    t.match(answer, { event: 'error', id: 1, reason: 'validation' }, verb)
    t.match(answer.data.message, message)
  }
  for (const { verb, sample } of ORDER_MESSAGES) {
    const answer = (await socket.ask([verb, sample])) as OrderReply
    t.match(answer, { event: 'error', data: { code: 422, message: /^id: Expected a number/ } }, verb)
  }
})

t.test('quotes, timers and previews are those of HTTP', async t => {
  const { client, connect, order, exchange, code } = await openWindow(t)
  const socket = await connect()
  const quotes = [
    { offer_type: 'buy', price: 4, quantity: 10 },
    { offer_type: 'sell', price: 6, quantity: 10 },
  ]
  const body = { event_id: code, userid: 'asha', quotes }
  const placed = await ask(socket, 'replace_quotes', body, 7)
  t.match(placed, { event: 'quotes_replaced', id: 7, data: { code: 200, additional: { ended: 0 } } })
  const kept = await client.send('PUT', '/order/quotes', JSON.stringify(body))
  t.match(
    kept.body.additional,
    { results: [{ result: 'kept' }, { result: 'kept' }] },
    'a set is one over both',
  )
  const crossing = { ...body, quotes: [...quotes, { ...quotes[1], price: 4 }] }
  t.match(await ask(socket, 'replace_quotes', crossing), {
    data: {
      additional: { results: [{}, {}, { result: 'rejected', order: { reason: 'order_would_take' } }] },
    },
  })
  const unknown = { ...body, quotes: [{ ...quotes[0], post_only: true }] }
  t.match(await ask(socket, 'replace_quotes', unknown), { event: 'error', data: { code: 422 } })

  const preview = order({ l1_expected_price: 6, userid: 'ravi' })
  const { body: overHttp } = await client.post('/order/preview', preview)
  const previewed = await ask(socket, 'preview_order', preview)
  t.equal(previewed.event, 'order_previewed')
  t.strictSame(previewed.data.additional, overHttp.additional)
  const timer = { userid: 'asha', timeout_s: 30 }
  t.match(await ask(socket, 'cancel_after', timer), {
    event: 'timer_set',
    data: { additional: { userid: 'asha' } },
  })
  t.match(await ask(socket, 'cancel_after', { ...timer, timeout_s: 1 }), { data: { code: 422 } })
  t.match(await ask(socket, 'replace_quotes', { ...body, quotes: [] }), {
    data: { additional: { ended: 2 } },
  })
  t.ok(exchange.moneyIsAllThere())
})

t.test('a name is one over both doors, and never that of another caller', async t => {
  const window = await openWindow(t, { mode: 'accounts' })
  const { client, exchange, connect, order } = window
  await client.post('/portfolio/asha/deposit', { amount: 1000, txn_id: 'a' })
  await client.post('/portfolio/ravi/deposit', { amount: 1000, txn_id: 'b' })
  const [asha, ravi] = [await connect('rs_asha'), await connect('rs_ravi')]
  const own = { authorization: 'Bearer rs_asha' }
  const named = order({ userid: undefined, client_order_id: 'same' })
  const overHttp = await client.post('/order/initiate', named, own)
  const again = await ask(asha, 'place_order', named)
  t.equal(again.data.additional.id, overHttp.headers.get('x-order-id'), 'placed once')
  t.match(await ask(asha, 'place_order', { ...named, l1_expected_price: 6 }), { reason: 'key_used' })
  const other = await ask(ravi, 'place_order', named)
  t.match(other, { data: { code: 201, additional: { userid: 'ravi' } } })
  t.not(other.data.additional.id, again.data.additional.id)

  const batch = { orders: [order({ userid: undefined }), order({ userid: undefined })] }
  const mine = await ask(asha, 'place_orders', { ...batch, idempotency_key: 'twice' })
  const repeated = await client.post('/order/batch', batch, { ...own, 'idempotency-key': 'twice' })
  t.strictSame(repeated.body.additional, mine.data.additional, 'the batch is repeated over HTTP')
  const not = { ...batch, orders: batch.orders.slice(1), idempotency_key: 'twice' }
  t.match(await ask(asha, 'place_orders', not), { reason: 'key_used', data: { code: 409 } })
  t.match(await ask(ravi, 'place_orders', not), { data: { message: '1 of 1 orders placed' } })

  // What is another's is not found, or is refused.
  const id = again.data.additional.id
  t.match(await ask(ravi, 'cancel_order', { id }), { reason: 'order_not_found' })
  t.match(await ask(ravi, 'amend_order', { id, price: 6 }), { reason: 'order_not_found' })
  t.match(await ask(ravi, 'cancel_order', { client_order_id: 'same', userid: 'asha' }), {
    reason: 'other_user',
  })
  t.match(await ask(ravi, 'cancel_all', { userid: 'asha' }), { reason: 'other_user' })
  t.match(await ask(ravi, 'place_order', order()), { reason: 'other_user' })
  t.match(await ask(await connect('rk_reads'), 'place_order', named), { reason: 'scope_missing' })
  t.match(await ask(await connect(), 'place_order', named), { reason: 'token_missing' })
  t.match(await ask(asha, 'cancel_order', { client_order_id: 'same' }), { data: { code: 200 } })
  t.ok(exchange.moneyIsAllThere())
})

t.test('orders are charged to the buckets of HTTP, and to no points', async t => {
  const limiter = new Limiter(() => 0)
  const limits = { limiter }
  const { client, connect, order } = await openWindow(t, { mode: 'accounts' }, { limits })
  await client.post('/portfolio/asha/deposit', { amount: 100_000, txn_id: 'a' })
  const socket = await connect('rs_asha')
  const own = order({ userid: undefined, post_only: true })
  for (let left: number = RATE_LIMITS.orders.credential; left > 0; left -= 100) {
    const orders = Array(100).fill(own)
    t.match(await ask(socket, 'place_orders', { orders }), { data: { message: '100 of 100 orders placed' } })
  }
  const refused = await ask(socket, 'place_order', own)
  t.match(refused, { event: 'error', data: { code: 429 }, reason: 'too_many_requests' })
  t.equal(refused.retry_after_ms, 1000)
  t.match(await ask(socket, 'amend_order', { id: 'x', price: 5 }), { data: { code: 429 } })
  t.match(await ask(socket, 'cancel_all', {}), { data: { additional: { ended: 400 } } }, 'cancels are free')
  const client2 = { user: 'asha', credential: 'session:rs_asha', address: undefined }
  t.equal(limiter.waitMs('snapshots', client2), 0)
  t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
})

t.test('a connection has at most 1,000 orders in flight, answered in any order by their ids', async t => {
  const { connect, order, hold, openOrders, exchange } = await openWindow(t)
  const socket = await connect()
  const { waiting, letThrough } = hold()
  const { connection: max } = SOCKET_LIMITS.inFlightMax
  const orders = Array(100).fill(order())
  for (let id = 1; id < max / 100; id++) socket.send({ event: 'place_orders', data: { orders }, id })
  for (let id = 1; id < 100; id++) socket.send({ event: 'place_order', data: order(), id: `one ${id}` })
  t.match(await ask(socket, 'place_orders', { orders: orders.slice(0, 2) }, 'two'), {
    event: 'error',
    data: { code: 429 },
    reason: 'orders_in_flight',
  })
  socket.send({ event: 'place_order', data: order(), id: 'last' })
  t.match(await ask(socket, 'cancel_all', { userid: 'asha' }, 'cancel'), { reason: 'orders_in_flight' })
  const other = await connect()
  other.send({ event: 'place_order', data: order({ userid: 'ravi' }), id: 'other' })
  while (waiting.length < max + 1) await setImmediate()
  t.equal(waiting.length, max + 1, 'others are not held up')
  letThrough()
  const answers = (await Promise.all([
    socket.until(() => socket.messages.filter(({ event }) => event.startsWith('order')).length === 109),
    other.next(),
  ])) as unknown[]
  t.match(answers[1], { event: 'order', id: 'other' })
  const ids = socket.messages.filter(({ event }) => event !== 'error').map(({ id }) => id)
  t.equal(new Set(ids).size, 109, 'each message has one answer')
  t.match(await ask(socket, 'place_order', order()), { event: 'order' }, 'and there is room again')
  t.equal((await openOrders()).length, 1000, 'a page of them')
  t.ok(exchange.moneyIsAllThere())
})

t.test('a fill is never shown on the private channel before the answer of its order', async t => {
  const { connect, order, hold, exchange } = await openWindow(t)
  const socket = await connect()
  t.match(await ask(socket, 'place_order', order({ userid: 'ravi' })), { event: 'order' })
  await socket.ask(['subscribe_user', 'asha'])
  await socket.next(({ event }) => event === 'user_asha')
  const { waiting, letThrough } = hold()
  socket.send({ event: 'place_orders', data: { orders: [order({ offer_type: 'sell' }), order()] }, id: 'b' })
  while (waiting.length < 2) await setImmediate()
  await exchange.drain()
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  socket.send(['subscribe_user', 'asha'])
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  const seen = socket.messages.length
  const onChannel = () => socket.messages.filter(({ event }) => event === 'user_asha')
  t.equal(onChannel().length, 1, 'it is committed, and not answered')
  letThrough()
  await socket.until(() => onChannel().some(({ data }) => JSON.stringify(data).includes('"yes":0')))
  t.match(
    socket.messages.slice(seen).find(({ event }) => event !== 'subscribed'),
    { id: 'b' },
  )
})

t.test(
  'what is in flight when a connection ends stays, is found by name, and is cancelled on request',
  async t => {
    const { client, connect, order, hold, openOrders, exchange, gateway } = await openWindow(t)
    const [plain, careful] = [await connect(), await connect()]
    const { waiting, letThrough } = hold()
    plain.send({ event: 'place_order', data: order({ client_order_id: 'mine' }), id: 1 })
    await careful.ask({ event: 'cancel_on_disconnect', data: { userid: 'ravi' } })
    careful.send({ event: 'place_order', data: order({ userid: 'ravi' }), id: 1 })
    while (waiting.length < 2) await setImmediate()
    for (const { socket } of [plain, careful]) socket.terminate()
    while (gateway.connectionCount > 0 || gateway.cancelsWaiting > 0) await setImmediate()
    letThrough()
    await exchange.drain()
    t.match(await client.get('/order/by-client-id/mine?userid=asha'), {
      body: { additional: { state: 'resting' } },
    })
    t.equal((await openOrders('ravi')).length, 0)
    const next = await connect()
    const again = await ask(next, 'place_order', order({ client_order_id: 'mine' }))
    t.match(again, { data: { additional: { id: (await openOrders())[0]?.id } } }, 'placed once')
  },
)

t.test('nothing is begun once a credential has ended, however much was read before', async t => {
  const begun: (() => void)[] = []
  const commands: Commands = {
    add: (begin, request) => void begun.push(() => begin(request)),
    isTooBusy: () => false,
  }
  const window = await openWindow(t, { mode: 'accounts' }, { commands })
  const { client, connect, order, gateway, openOrders } = window
  await client.post('/portfolio/asha/deposit', { amount: 1000, txn_id: 'a' })
  const socket = await connect('rs_asha')
  socket.send({ event: 'place_order', data: order(), id: 1 })
  while (begun.length === 0) await setImmediate()
  gateway.authentication.end('session:rs_asha')
  for (const begin of begun.splice(0)) begin()
  t.match(await socket.closed, { code: 4401 })
  t.equal((await openOrders()).length, 0)
})

t.test('orders are refused while too many wait, cancels are not', async t => {
  const busy: Commands = { add: (begin, request) => begin(request), isTooBusy: () => true }
  const { connect, order } = await openWindow(t, {}, { commands: busy })
  const socket = await connect()
  for (const [verb, data] of [
    ['place_order', order()],
    ['place_orders', { orders: [order()] }],
  ] as const) {
    const answer = await ask(socket, verb, data)
    t.match(answer, { event: 'error', reason: 'busy', retry_after_ms: 1000, data: { code: 503 } })
  }
  t.match(await ask(socket, 'cancel_all', { userid: 'asha' }), { event: 'orders_cancelled' })
})

t.test('a batch counts for each of its orders where commands of all doors wait', async t => {
  const weights: number[] = []
  const commands: Commands = {
    add: (begin, request, _, weight) => {
      weights.push(weight)
      begin(request)
    },
    isTooBusy: () => false,
  }
  const { connect, order } = await openWindow(t, {}, { commands })
  const socket = await connect()
  await ask(socket, 'place_orders', { orders: Array.from({ length: 30 }, () => order()) })
  await ask(socket, 'cancel_orders', { ids: Array.from({ length: 20 }, () => 'x') })
  await ask(socket, 'place_order', order())
  await ask(socket, 'cancel_all', { userid: 'asha' })
  t.same(weights, [30, 20, 1, 1])
})

t.test('a slow reader of answers is closed with 1013, and its orders stand', async t => {
  const { client, order, gateway, exchange } = await openWindow(t)
  const closings: number[] = []
  const answers: Answer[] = []
  const line = {
    isOpen: true,
    unsentBytes: SOCKET_LIMITS.unsentBytesMax.congested,
    isCongested: false,
    onDrain: () => {},
    terminate: () => {},
    answer: (answer: Answer) => {
      if (!line.isOpen) return
      answers.push(answer)
      line.unsentBytes = SOCKET_LIMITS.unsentBytesMax.closed + 1
    },
    close: (code: number) => {
      if (!line.isOpen) return
      closings.push(code)
      line.isOpen = false
    },
  }
  const connection = gateway.accept(line as unknown as Transport, {})
  const send = (client_order_id: string) => {
    const text = JSON.stringify({ event: 'place_order', data: order({ client_order_id }), id: 1 })
    gateway.receive(connection, () => gateway.messages.read(text), text.length, true)
  }
  for (const name of ['first', 'second']) send(name)
  await exchange.drain()
  while (connection.inFlight.orders > 0) await setImmediate()
  t.same(closings, [1013])
  t.equal(answers.length, 1)
  for (const name of ['first', 'second']) {
    const found = await client.get(`/order/by-client-id/${name}?userid=asha`)
    t.match(found.body.additional, { state: 'resting' })
  }
  send('third')
  t.match(await client.get('/order/by-client-id/third?userid=asha'), { status: 404 })
})

t.test('messages behind answers that are not read wait, and are too many at some point', async t => {
  const { order, gateway } = await openWindow(t)
  const expelled: number[] = []
  const line = {
    isOpen: true,
    isCongested: true,
    onDrain: () => {},
    terminate: () => {},
    expel: (code: number) => expelled.push(code),
  }
  const connection = gateway.accept(line as unknown as Transport, {})
  const text = JSON.stringify({ event: 'place_order', data: order(), id: 1 })
  for (let sent = 0; sent < SOCKET_LIMITS.waitingMax.messages; sent++) {
    gateway.receive(connection, () => gateway.messages.read(text), 1, true)
  }
  t.equal(connection.inFlight.orders, 0)
  t.same(expelled, [])
  gateway.receive(connection, () => gateway.messages.read(text), 1, true)
  t.same(expelled, [1013])
})

t.test('a stopping exchange answers what is in flight before it closes the connection', async t => {
  const { connect, order, hold, gateway } = await openWindow(t)
  const socket = await connect()
  const { waiting, letThrough } = hold()
  socket.send({ event: 'place_order', data: order(), id: 'last' })
  while (waiting.length < 1) await setImmediate()
  gateway.close()
  socket.send({ event: 'place_order', data: order(), id: 'late' })
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  letThrough()
  t.match(await socket.next(), { event: 'order', id: 'last' })
  t.match(await socket.closed, { code: 1001 })
  t.equal(socket.messages.length, 1, 'nothing more is taken')
})

t.test('a message that may be about orders only by its words is handled like any other', async t => {
  const { connect, code, order } = await openWindow(t)
  const socket = await connect()
  t.match(await socket.ask({ event: 'subscribe_orderbook', data: code, note: 'place_order' }), {
    event: 'subscribed',
  })
  socket.send(`{"event":"pl\\u0061ce_order","data":${JSON.stringify(order())},"id":"escaped"}`)
  const answer = await socket.next(({ id }) => id === 'escaped')
  t.match(answer, { event: 'order', data: { code: 201 } as Partial<OrderRecord> })
  t.match(await socket.ask('{"event":"place_order"'), { event: 'error', reason: 'malformed_json' })
})

t.test('orders of sockets and of HTTP begin in the order in which they were read', async t => {
  const rounds: (() => void)[] = []
  const schedule = (round: () => void) => void rounds.push(round)
  const share = steppedShare(schedule)
  const pipeline = new Pipeline({
    turns: { isShort: false, isForAccepting: false },
    share,
    schedule,
    watch: () => 0,
  })
  const window = await openWindow(t, {}, { commands: pipeline })
  const { gateway, exchange, order } = window
  const arrived: string[] = []
  const placeOrder = exchange.placeOrder.bind(exchange)
  exchange.placeOrder = request => {
    arrived.push(request.userId)
    return placeOrder(request)
  }
  const http = (userId: string) => pipeline.add(name => void arrived.push(name), userId, 'command')
  const [first, second] = [0, 1].map(() => {
    const line = { isOpen: true, unsentBytes: 0, isCongested: false, onDrain: () => {} }
    return gateway.accept({ ...line, answer: () => {}, terminate: () => {} } as unknown as Transport, {})
  }) as [Connection, Connection]
  const socket = (connection: Connection, userid: string) => {
    const text = JSON.stringify({ event: 'place_order', data: order({ userid }), id: userid })
    gateway.receive(connection, () => gateway.messages.read(text), text.length, true)
  }
  const all: string[] = []
  const read = (send: (name: string) => void) => {
    const name = `user ${all.length}`
    all.push(name)
    send(name)
  }
  for (let count = 0; count < 2 * ROUND_LENGTH_MAX; count++) {
    read(http)
    read(name => socket(first, name))
    read(name => socket(second, name))
  }
  t.ok(arrived.length < all.length, 'some wait for their round')
  while (rounds.length > 0) rounds.shift()?.()
  t.same(arrived, all)
  await exchange.drain()
  t.ok(exchange.moneyIsAllThere())
})
