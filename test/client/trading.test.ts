import type { Test } from 'tap'
import t from 'tap'
import type { ClientOptions } from '../../src/client/client.js'
import { RaayClient } from '../../src/client/client.js'
import type { OrderRequest } from '../../src/client/shapes.js'
import type { Asked, Reply } from '../fixtures/server/client-world.js'
import { ClientWorld, ok, refusal } from '../fixtures/server/client-world.js'

const A = '1000001'
const BID: OrderRequest = { event_id: A, offer_type: 'buy', price: 5.1 - 0.2, quantity: 2 }
const ORDER = { id: `${A}-1-x`, state: 'resting' }
const envelope = (additional: unknown) => ({ status: true, code: 201, message: 'Done', additional })
const REFUSED = { status: false, code: 422, name: 'Unprocessable entity', message: 'price: Too high' }

function start(
  t: Test,
  reply: (asked: Asked) => Reply = () => ok(ORDER),
  options: Partial<ClientOptions> = {},
) {
  const world = new ClientWorld()
  world.reply = reply
  const client = new RaayClient({ url: world.url, userid: 'asha', ...world.surroundings, ...options })
  t.teardown(() => client.close())
  return { world, client, trading: client.trading }
}

/** Starts with a connection that is there. */
async function startOpen(t: Test, reply?: (asked: Asked) => Reply, options?: Partial<ClientOptions>) {
  const stage = start(t, reply, options)
  await stage.trading.cancelOrder('none')
  stage.world.socket.open()
  await stage.world.settle()
  stage.world.asked.splice(0)
  return stage
}

const paths = ({ asked }: ClientWorld) => asked.map(({ method, path }) => `${method} ${path.split('?')[0]}`)

t.test('orders go over HTTP until the connection is there, and over it from then on', async t => {
  const { world, trading } = start(t)
  t.same(await trading.createOrder(BID), ORDER)
  t.same(paths(world), ['POST /order/initiate'])
  t.equal(trading.isOnSocket, false)
  world.socket.open()
  t.equal(trading.isOnSocket, true)
  const placed = trading.createOrder(BID)
  const { event, data, id } = world.socket.sent.at(-1) ?? {}
  t.equal(event, 'place_order')
  t.match(data, {
    event_id: A,
    l1_expected_price: 4.9,
    order_type: 'LO',
    userid: 'asha',
    client_order_id: 'key-2',
  })
  const other = trading.createOrder({ ...BID, client_order_id: 'mine' })
  world.socket.say({
    event: 'order',
    id: world.socket.sent.at(-1)?.id,
    data: envelope({ ...ORDER, id: 'b' }),
  })
  world.socket.say({ event: 'order', id, data: envelope(ORDER) })
  t.same([await placed, await other], [ORDER, { ...ORDER, id: 'b' }], 'answers come in any order')
  t.equal(world.asked.length, 1)
  t.equal(world.sockets.length, 1)
})

t.test('reads wait for what was written over the connection, too', async t => {
  const { world, client, trading } = await startOpen(t, () => ok([]), { readYourWrites: true })
  const placed = trading.createOrder(BID)
  const { id } = world.socket.sent.at(-1) ?? {}
  world.socket.say({ event: 'order', id, data: envelope(ORDER), sequence: 12, epoch: 3 })
  await placed
  const refused = trading.createOrder(BID)
  const answer = { event: 'error', id: world.socket.sent.at(-1)?.id, data: REFUSED }
  world.socket.say({ ...answer, sequence: 99, epoch: 9 })
  await t.rejects(refused)
  await client.fetchOrderBook(A)
  t.match(world.asked.at(-1)?.headers, { 'X-Min-Sequence': '12', 'X-Epoch': '3' })
})

t.test(
  'an order whose answer is lost is looked up by its name, and not sent again if it is there',
  async t => {
    const { world, trading } = await startOpen(t, () => ok({ ...ORDER, client_order_id: 'key-1' }))
    const placed = trading.createOrder(BID)
    world.socket.end(1006)
    t.match(await placed, { client_order_id: 'key-1' })
    t.same(paths(world), ['GET /order/by-client-id/key-1'])
  },
)

t.test('a lost order that is not there is sent again under the same name', async t => {
  const reply = ({ method }: Asked) => (method === 'GET' ? refusal(404) : ok(ORDER))
  const { world, trading } = await startOpen(t, reply)
  const placed = trading.createOrder(BID)
  const { data } = world.socket.sent.at(-1) ?? {}
  world.socket.end(1006)
  t.same(await placed, ORDER)
  t.same(paths(world), ['GET /order/by-client-id/key-1', 'POST /order/initiate'])
  t.same(world.asked.at(-1)?.body, data, 'the same body')
})

t.test('a connection that does not answer is dropped, and its orders are looked up', async t => {
  const { world, trading } = await startOpen(t)
  const placed = trading.createOrder(BID)
  await world.pass(9_999)
  t.equal(world.socket.isEnded, false)
  await world.pass(1)
  t.equal(world.socket.isEnded, true)
  t.same(await placed, ORDER)
  t.equal(trading.isOnSocket, false)
})

t.test('what the exchange has no room for goes over HTTP; other refusals are final', async t => {
  const { world, trading } = await startOpen(t)
  const busy = trading.createOrder(BID)
  const say = (error: object, more: object) =>
    world.socket.say({ event: 'error', id: world.socket.sent.at(-1)?.id, data: error, ...more })
  say({ ...REFUSED, code: 503 }, { reason: 'queue_full', retry_after_ms: 1000 })
  t.same(await busy, ORDER)
  t.same(paths(world), ['POST /order/initiate'])
  const many = trading.cancelOrders(['x', 'y'])
  const { id, event, data } = world.socket.sent.at(-1) ?? {}
  t.match([event, data], ['cancel_orders', { ids: ['x', 'y'] }])
  const results = [envelope(ORDER), { ...REFUSED, code: 404, reason: 'order_not_found' }]
  world.socket.say({ event: 'orders', id, data: envelope({ results }) })
  t.match(await many, [ORDER, { code: 404, reason: 'order_not_found' }])
  const refused = trading.createOrder(BID)
  say(REFUSED, { reason: 'invalid' })
  await t.rejects(refused, { code: 422, message: 'price: Too high', reason: 'invalid', retryable: false })
  t.equal(world.asked.length, 1)
})

interface Named {
  readonly idempotency_key: string
}

t.test(
  'what the connection lost is repeated: amendments under their names, quotes and cancels as they are',
  async t => {
    const { world, trading } = await startOpen(t, ({ path }) =>
      ok(path === '/order/batch' ? { results: [envelope(ORDER)] } : ORDER),
    )
    const amended = trading.amendOrder('x', { price: 5 })
    const quotes = trading.replaceQuotes(A, [
      { offer_type: 'buy', price: 4.800_000_000_000_001, quantity: 1 },
    ])
    const cancelled = trading.cancelAllOrders({ event_id: A })
    const many = trading.cancelOrders(['x'])
    const { idempotency_key: name } = (world.socket.sent.at(-4)?.data ?? {}) as unknown as Named
    t.match(world.socket.sent.slice(-3), [
      { event: 'replace_quotes', data: { event_id: A, quotes: [{ price: 4.8 }], userid: 'asha' } },
      { event: 'cancel_all', data: { event_id: A, userid: 'asha' } },
    ])
    world.socket.end(1006)
    await Promise.all([amended, quotes, cancelled])
    t.match(await many, [ORDER])
    t.same(paths(world), ['POST /order/x/amend', 'PUT /order/quotes', 'DELETE /order', 'POST /order/batch'])
    t.match(world.asked[0], { headers: { 'Idempotency-Key': name }, body: { price: 5 } })
    t.match(name, /./)
  },
)

t.test('the next connection opens after a pause, and cancel on disconnect holds for each', async t => {
  const { world, trading } = start(t)
  trading.cancelOnDisconnect({ events: [A] })
  world.socket.open()
  t.match(world.socket.sent, [{ event: 'cancel_on_disconnect', data: { userid: 'asha', events: [A] } }])
  t.equal(trading.isOnSocket, false, 'not before it holds')
  await trading.createOrder(BID)
  world.socket.say({ event: 'cancel_on_disconnect_set', id: world.socket.sent[0]?.id, data: {} })
  t.equal(trading.isOnSocket, true)
  world.socket.end(1006)
  await trading.createOrder(BID)
  t.equal(world.sockets.length, 1)
  await world.pass(10_000)
  t.equal(world.sockets.length, 2)
  world.socket.open()
  t.match(world.socket.sent, [{ event: 'cancel_on_disconnect' }])
})

t.test('a token is sent first, and a closed client sends nothing', async t => {
  const { world, client, trading } = start(t, () => ok(ORDER), { token: 'rk_1' })
  await trading.createOrder(BID)
  world.socket.open()
  await world.settle()
  t.match(world.socket.sent, [{ event: 'authenticate', data: { token: 'rk_1' } }])
  t.equal(trading.isOnSocket, false)
  world.socket.say({ event: 'authenticated', id: 'token', data: { userid: 'asha' } })
  t.equal(trading.isOnSocket, true)
  const pending = trading.cancelOrder('x')
  client.close()
  await t.rejects(pending, { code: 499 })
  await t.rejects(trading.createOrder(BID), { code: 499 })
  t.equal(world.socket.isEnded, true)
  t.same(world.timersMs, [])
})
