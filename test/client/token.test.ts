import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import type { ClientOptions } from '../../src/client/client.js'
import { RaayClient, RaayError } from '../../src/client/client.js'
import type { Asked, Reply } from '../fixtures/server/client-world.js'
import { ClientWorld, ok, refusal } from '../fixtures/server/client-world.js'

const A = '1000001'
const EXPIRED = refusal(401, 'Unauthorized', { 'raay-reason': 'token_expired' })
const OWN = { caller: { userid: 'asha' } }
const SENT = (token: string) => ({ event: 'authenticate', data: { token }, id: 'token' })
const TOLD = { event: 'authenticated', data: { userid: 'asha' }, id: 'token' }

function start(t: Test, options: Partial<ClientOptions>, reply: (asked: Asked) => Reply = () => ok({})) {
  const world = new ClientWorld()
  world.reply = asked => (asked.path === '/auth/session' ? ok(OWN) : reply(asked))
  const client = new RaayClient({ url: world.url, ...world.surroundings, ...options })
  t.teardown(() => client.close())
  const tokens = () => world.asked.map(({ headers }) => headers.Authorization?.replace('Bearer ', ''))
  return { world, client, tokens }
}

/** Returns a function that gives the tokens in order, the last one for ever. */
function tokensOf(...tokens: string[]) {
  let calls = 0
  const token = async () => tokens[Math.min(calls++, tokens.length - 1)] ?? ''
  return { token, calls: () => calls }
}

const open = async (world: ClientWorld) => {
  world.socket.open()
  await world.settle()
}

t.test('sends a token with every call, and an admin token with those of operators', async t => {
  const { client, tokens, world } = start(t, { token: 'rk_1', adminToken: 'ro_1' })
  await client.fetchMarket(A)
  await client.operator.haltMarket(A)
  await client.accounts.revokeKey(7, { user: 'ravi' })
  t.same(tokens(), ['rk_1', 'ro_1', 'ro_1'])
  t.match(world.asked.at(-1), { method: 'DELETE', path: '/auth/keys/7?user=ravi' })
  const without = start(t, {})
  await without.client.fetchMarket(A)
  t.same(without.tokens(), [undefined])
})

t.test('asks a function once for a token, and once more after it has expired', async t => {
  const source = tokensOf('old', 'new')
  const { client, tokens } = start(t, { token: source.token }, ({ headers }) =>
    headers.Authorization === 'Bearer new' ? ok('done') : EXPIRED,
  )
  t.same(await Promise.all([client.fetchMarket(A), client.fetchMarket(A)]), ['done', 'done'])
  t.equal(source.calls(), 2, 'together')
  t.same(tokens(), ['old', 'old', 'new', 'new'])
  await client.createOrder({ event_id: A, offer_type: 'buy', price: 5, quantity: 1 })
  t.equal(source.calls(), 2, 'the new one is kept')
})

t.test('reports an expired token that nothing replaces', async t => {
  const source = tokensOf('old')
  const asking = start(t, { token: source.token }, () => EXPIRED)
  await t.rejects(asking.client.fetchMarket(A), { code: 401, reason: 'token_expired' })
  t.equal(source.calls(), 2)
  t.equal(asking.world.asked.length, 2, 'not for ever')
  const fixed = start(t, { token: 'rk_1' }, () => EXPIRED)
  await t.rejects(fixed.client.fetchMarket(A), { code: 401, reason: 'token_expired' })
  t.equal(fixed.world.asked.length, 1, 'a text stays the same')
  const wrong = start(t, { token: tokensOf('a').token }, () => refusal(401))
  await t.rejects(wrong.client.fetchMarket(A), { code: 401 })
  t.equal(wrong.world.asked.length, 1, 'a wrong token is not asked for again')
})

t.test('a function that fails, or never answers, fails the call and sends nothing', async t => {
  const failing = start(t, { token: () => Promise.reject(new Error('no network')) })
  await t.rejects(failing.client.fetchMarket(A), { code: 401, message: 'token: no network' })
  const busy = new RaayError(503, 'Service Unavailable', 'busy')
  let calls = 0
  const retried = start(t, { token: async () => (calls++ === 0 ? Promise.reject(busy) : 'rk_1') })
  const call = retried.client.fetchMarket(A)
  await retried.world.pass(30_000)
  await call
  t.same(retried.tokens(), ['rk_1'], 'its own error may be retryable')
  const silent = start(t, { token: () => new Promise<string>(() => {}), attemptsMax: 1 })
  const late = t.rejects(silent.client.fetchMarket(A), { code: 408 })
  await silent.world.pass(10_000)
  await late
  const closed = t.rejects(silent.client.fetchMarket(A), { code: 499 })
  silent.client.close()
  await closed
  for (const { world } of [failing, silent]) {
    t.same(world.asked, [])
    t.same(world.timersMs, [], 'a program may end now')
  }
})

t.test('leaves out the user of a token, and looks it up once where an address contains it', async t => {
  const { client, world } = start(t, { token: 'rk_1' }, ({ path }) =>
    ok(path.includes('orders') ? { orders: [], results: [] } : { orders: [], fills: [], next_cursor: null }),
  )
  await client.createOrder({ event_id: A, offer_type: 'buy', price: 5, quantity: 1 })
  t.notOk('userid' in (world.asked[0]?.body ?? {}))
  await client.fetchOrders()
  await client.cancelAllOrders()
  await client.fetchMyTrades()
  await client.fetchBalance()
  await client.fetchBalance({ userid: 'ravi' })
  t.same(
    world.asked.slice(1).map(({ path }) => path),
    [
      '/order?limit=1000',
      '/order',
      '/auth/session',
      '/portfolio/asha/fills?limit=1000',
      '/portfolio/asha/balance',
      '/portfolio/ravi/balance',
    ],
  )
})

t.test('needs a user without a token, and with one of no user', async t => {
  const { client, world } = start(t, { adminToken: 'ro_1' })
  await t.rejects(client.fetchBalance(), { code: 422 })
  await t.rejects(client.cancelAllOrders(), { code: 422 })
  t.throws(() => client.watchOrders(), { code: 422 })
  t.same(world.asked, [])
  const operator = start(t, { token: 'ro_1' })
  operator.world.reply = () => ok({ caller: { userid: null } })
  await t.rejects(operator.client.fetchBalance(), { code: 422 })
  const watch = operator.client.watchBalance()
  await t.rejects(watch.ready(), { code: 422 })
  t.same(operator.world.sockets, [])
})

t.test('authenticates a connection before anything is subscribed', async t => {
  const { client, world } = start(t, { token: 'rk_1' })
  client.watchOrderBook(A)
  await open(world)
  t.same(world.socket.sent, [SENT('rk_1')])
  client.watchOrderBook('1000002')
  world.socket.say({ event: 'heartbeat', data: { ts: 1, seqs: {} } })
  t.equal(world.socket.sent.length, 1, 'nothing else yet')
  t.equal(client.connection, 'offline')
  world.socket.say(TOLD)
  t.match(world.socket.sent.slice(1), [
    { event: 'subscribe_orderbook', data: A },
    { event: 'subscribe_orderbook', data: '1000002' },
  ])
  t.equal(client.connection, 'catching_up')
  world.socket.end()
  await world.pass(1000)
  await open(world)
  t.same(world.socket.sent, [SENT('rk_1')], 'and each one after it')
})

t.test('watches the user of the token without naming them', async t => {
  const { client, world } = start(t, { token: 'rk_1' })
  const balance = client.watchBalance()
  const closed = client.watchOrders()
  closed.close()
  await world.settle()
  await open(world)
  world.socket.say(TOLD)
  t.match(world.socket.sent[1], { event: 'subscribe_user', data: 'asha' })
  const value = { userid: 'asha', cash: 5 }
  const snapshot = {
    type: 'snapshot',
    user_seq: 3,
    balance: value,
    positions: [],
    orders: [],
    more_positions: false,
    more_orders: false,
  }
  world.socket.confirm()
  world.socket.say({ event: 'user_asha', data: snapshot })
  await balance.ready()
  t.same(balance.state, value)
  const named = client.watchBalance({ userid: 'asha' })
  t.equal(world.socket.sent.length, 2, 'the same channel')
  for (const watch of [balance, named]) watch.close()
  t.ok(world.socket.isEnded)
  client.watchMyTrades().close()
  t.equal(world.sockets.length, 2, 'nothing is looked up again')
  t.equal(world.asked.length, 1)
})

t.test('replaces a token that has ended once, and then reports it', async t => {
  const source = tokensOf('old', 'new', 'third')
  const { client, world } = start(t, { token: source.token })
  const watch = client.watchOrderBook(A)
  const failure = watch.ready().catch((error: RaayError) => error)
  await open(world)
  world.socket.say(TOLD)
  world.socket.end(4401)
  await world.pass(1000)
  await open(world)
  t.same(world.socket.sent, [SENT('new')])
  world.socket.say(TOLD)
  world.socket.confirm()
  world.socket.end(4401)
  await world.pass(1000)
  await open(world)
  t.same(world.socket.sent, [SENT('third')], 'a connection that worked may end again')
  world.socket.say(TOLD)
  world.socket.end(4401)
  t.match(await failure, { code: 401, reason: 'token_expired' })
  await world.pass(60_000)
  t.equal(world.sockets.length, 3, 'no other connection is opened')
  t.same(world.timersMs, [])
})

t.test('a refused token ends every watch; one that has expired is replaced once', async t => {
  const refuse = (reason: string, code = 401) => ({
    event: 'error',
    data: { code, name: 'Unauthorized', message: reason },
    reason,
    id: 'token',
  })
  const wrong = start(t, { token: 'rk_1' })
  const failure = t.rejects(wrong.client.watchOrderBook(A).ready(), { code: 401, reason: 'token_wrong' })
  await open(wrong.world)
  wrong.world.socket.say(refuse('token_wrong'))
  await wrong.world.settle()
  await failure
  t.ok(wrong.world.socket.isEnded)
  t.same(wrong.world.timersMs, [])

  const { client, world } = start(t, { token: tokensOf('old', 'new').token })
  const watch = client.watchOrderBook(A)
  const second = t.rejects(watch.ready(), { code: 401, reason: 'token_expired' })
  await open(world)
  world.socket.say(refuse('token_expired'))
  await world.settle()
  t.same(world.socket.sent, [SENT('old'), SENT('new')])
  world.socket.say(refuse('token_expired'))
  await world.settle()
  await second

  const busy = start(t, { token: 'rk_1' })
  busy.client.watchOrderBook(A)
  await open(busy.world)
  busy.world.socket.say({ ...refuse('busy', 503), retry_after_ms: 1000 })
  await busy.world.pass(1000)
  t.equal(busy.world.sockets.length, 2, 'another attempt')
})

t.test('watches begun again by a listener that hears of a refused token get an answer, too', async t => {
  const { world, client } = start(t, { token: 'rk_1' })
  const again: unknown[] = []
  const watchAgain = () => {
    if (again.length > 0) return
    const watch = client.watchOrderBook(A)
    again.push(watch)
    watch.ready().catch(error => again.push(error))
  }
  for (const code of [A, '1000002']) client.watchOrderBook(code, { onUpdate: () => {}, onError: watchAgain })
  const refuse = async () => {
    await open(world)
    const data = { status: false, code: 401, name: 'Unauthorized', message: 'Wrong token' }
    world.socket.say({ event: 'error', data, id: 'token' })
    await world.settle()
  }
  await refuse()
  t.equal(again.length, 1)
  t.equal(world.sockets.length, 2, 'on a connection of its own')
  await refuse()
  t.match(again[1], { code: 401 })
})

t.test('a token never follows a redirect', async t => {
  const heard: unknown[] = []
  const thief = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.end('{}')
  })
  const thiefPort = await listen(t, thief)
  const server = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${thiefPort}/` }).end()
  })
  const url = `http://127.0.0.1:${await listen(t, server)}`
  const client = new RaayClient({ url, token: 'rk_1', attemptsMax: 1 })
  await t.rejects(client.fetchMarket(A), { name: 'Network Error', message: /redirect/ })
  await t.rejects(client.accounts.recover('rr_1', 'a long password'), { name: 'Network Error' })
  t.same(heard, [])
})

async function listen(t: Test, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
