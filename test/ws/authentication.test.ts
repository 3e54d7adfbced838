import { request } from 'node:http'
import type { Test } from 'tap'
import t from 'tap'
import type { AccessOptions } from '../../src/access/access.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import { BEAT_SLOT_MS } from '../../src/ws/gateway.js'
import { OPERATOR_KEY } from '../fixtures/http-scenario.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

const MINUTE = 60_000

/** A gateway in a mode with tokens, of which the test hands out some. */
async function openWindow(t: Test, options: Partial<AccessOptions> = {}) {
  const tokens = new TokenBook()
  tokens.give('rs_asha', 'asha')
  tokens.give('rk_asha', 'asha')
  tokens.give('rs_ravi', 'ravi')
  tokens.give('rs_staff', 'staff', { role: 'operator' })
  tokens.give('rk_trades', 'asha', { scopes: new Set(['trade']) })
  const window = await openTestWindow(t, { mode: 'accounts', finder: tokens, verifier: tokens, ...options })
  const connect = (token?: string) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    return WsClient.connect(t, window.client.wsUrl(), { headers })
  }
  return { ...window, tokens, connect }
}

const authenticate = (token: unknown, id: unknown = 'a') => ({ event: 'authenticate', data: { token }, id })

t.test('a message authenticates, and the answer says as whom and until when', async t => {
  const { tokens, connect } = await openWindow(t)
  tokens.give('rs_short', 'asha', { expiresAt: WINDOW_NOW + MINUTE })
  const socket = await connect()
  t.match(await socket.ask(['subscribe_user', 'asha']), { data: { code: 401 }, reason: 'token_missing' })
  t.strictSame(await socket.ask(authenticate('rs_short')), {
    event: 'authenticated',
    data: {
      userid: 'asha',
      role: 'trader',
      scopes: ['read', 'trade'],
      expires_at: new Date(WINDOW_NOW + MINUTE).toISOString(),
    },
    id: 'a',
  })
  t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
  const other = await connect()
  t.match(await other.ask(['authenticate', { token: OPERATOR_KEY }]), {
    event: 'authenticated',
    data: { userid: null, role: 'admin', expires_at: null },
  })
})

t.test('the header, the subprotocol and the cookie of a handshake authenticate, in this order', async t => {
  const { client, connect } = await openWindow(t)
  const ways: readonly (readonly [string[], Record<string, string>, userId: string])[] = [
    [[], { Authorization: 'Bearer rs_asha' }, 'asha'],
    [['raay', 'bearer.rs_asha'], {}, 'asha'],
    [['bearer.rs_asha', 'raay'], {}, 'asha'],
    [[], { Cookie: 'a=b; raay_session=rs_asha' }, 'asha'],
    [['raay', 'bearer.rs_asha'], { Cookie: 'raay_session=rs_ravi' }, 'asha'],
    [['raay', 'bearer.rs_asha'], { Authorization: 'Bearer rs_ravi' }, 'ravi'],
  ]
  for (const [protocols, headers, userId] of ways) {
    const socket = await WsClient.connect(t, client.wsUrl(), { headers }, protocols)
    t.equal(socket.socket.protocol, protocols.length > 0 ? 'raay' : '', 'the token is not in the answer')
    const other = userId === 'asha' ? 'ravi' : 'asha'
    t.match(await socket.ask(['subscribe_user', userId]), { event: 'subscribed' })
    t.match(await socket.ask(['subscribe_user', other]), { data: { code: 403 }, reason: 'other_user' })
    socket.socket.terminate()
  }
  const bare = await WsClient.connect(t, client.wsUrl(), {}, ['graphql-ws'])
  t.equal(bare.socket.protocol, 'graphql-ws', 'a browser needs one of those that it offers')
  const stale = await WsClient.connect(t, client.wsUrl(), { headers: { Cookie: 'raay_session=rs_old' } })
  t.match(await stale.ask(['subscribe_user', 'asha']), { data: { code: 401 } }, 'a stale cookie is nobody')
  t.match(await (await connect('rs_staff')).ask(['subscribe_user', 'asha']), { event: 'subscribed' })
})

t.test('a handshake with a token that is wrong is refused', async t => {
  const { client } = await openWindow(t)
  const forged: readonly Record<string, string>[] = [
    { Authorization: 'Bearer rs_forged' },
    { Authorization: 'Bearer ' },
    { Authorization: 'Bearer rs_asha rs_asha' },
    { 'Sec-WebSocket-Protocol': 'raay, bearer.rs_forged' },
    { 'Sec-WebSocket-Protocol': 'raay, bearer.' },
    { Authorization: 'Bearer rs_forged', 'Sec-WebSocket-Protocol': 'raay, bearer.rs_asha' },
  ]
  for (const headers of forged) t.equal(await upgradeStatus(client.url, '/ws', headers), 401)
  t.equal(await upgradeStatus(client.url, '/ws', { Authorization: 'Bearer rk_elsewhere' }), 403)
  t.equal(await upgradeStatus(client.url, '/ws', { Authorization: 'Basic YTpi' }), 101, 'not a token')
})

t.test('a token that is wrong leaves the caller as it was; the fifth one closes the connection', async t => {
  const { connect } = await openWindow(t)
  const socket = await connect('rs_asha')
  await socket.ask(['subscribe_user', 'asha'])
  for (let n = 1; n < SOCKET_LIMITS.refusedTokensMax; n++) {
    t.match(await socket.ask(authenticate('rs_forged', n)), {
      event: 'error',
      id: n,
      data: { code: 401 },
      reason: 'token_wrong',
    })
  }
  t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
  t.match(await socket.ask(authenticate('rk_elsewhere')), { data: { code: 403 }, reason: 'address_refused' })
  t.match(await socket.closed, { code: 1008, reason: '5 tokens were refused' })
})

t.test('the same user can authenticate again, another one cannot', async t => {
  const { tokens, connect, setNow, beat } = await openWindow(t)
  tokens.give('rs_first', 'asha', { expiresAt: WINDOW_NOW + MINUTE })
  tokens.give('rs_second', 'asha', { expiresAt: WINDOW_NOW + 3 * MINUTE })
  const socket = await connect('rs_first')
  await socket.ask(['subscribe_user', 'asha'])
  t.match(await socket.ask(authenticate('rs_ravi')), { data: { code: 409 }, reason: 'socket_taken' })
  t.match(await socket.ask(authenticate(OPERATOR_KEY)), { data: { code: 409 }, reason: 'socket_taken' })
  t.match(await socket.ask(authenticate('rs_second')), { event: 'authenticated' })
  setNow(WINDOW_NOW + 2 * MINUTE)
  beat()
  t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' }, 'its time was extended')

  t.match(await socket.ask(authenticate('rk_trades')), { event: 'unsubscribed', channel: 'user_asha' })
  t.match(await socket.next(), { event: 'authenticated', data: { scopes: ['trade'] } })
  const refusal = { data: { code: 403 }, reason: 'scope_missing' }
  t.match(await socket.ask(['subscribe_user', 'asha']), refusal, 'it has fewer rights now')
})

t.test('no message overtakes a token that is being verified', async t => {
  const { tokens, connect, client } = await openWindow(t, { mode: 'jwt' })
  tokens.give('a.jwt.asha', 'asha')
  tokens.isSlow = true
  const socket = await connect()
  const other = await connect()
  socket.send(['subscribe_user', 'asha'])
  socket.send(authenticate('a.jwt.asha'))
  for (let n = 0; n < 50; n++) socket.send({ event: 'subscribe_user', data: 'asha', id: n })
  while (tokens.waitingCount === 0) await client.get('/healthz')
  t.match(await other.ask(['subscribe_user', 'asha']), { data: { code: 401 } }, 'others do not wait')
  t.match(socket.messages, [{ event: 'error', data: { code: 401 } }])
  tokens.verifyAll()
  await socket.until(() => socket.messages.filter(({ event }) => event === 'subscribed').length === 50)
  const answers = socket.messages.filter(({ event }) => event !== 'user_asha').map(({ event }) => event)
  t.same(answers, ['error', 'authenticated', ...Array.from({ length: 50 }, () => 'subscribed')])
})

t.test('a connection that goes while its token is verified leaves nothing behind', async t => {
  const { tokens, connect, client, gateway } = await openWindow(t, { mode: 'jwt' })
  tokens.give('a.jwt.asha', 'asha')
  tokens.isSlow = true
  const [gone, stays] = [await connect(), await connect()]
  for (const socket of [gone, stays]) socket.send(authenticate('a.jwt.asha'))
  while (tokens.waitingCount < 2) await client.get('/healthz')
  gone.socket.terminate()
  await gone.closed
  while (gateway.connectionCount > 1) await client.get('/healthz')
  tokens.verifyAll()
  t.match(await stays.next(), { event: 'authenticated' })
  t.equal(gateway.connectionCount, 1)
})

t.test('the tokens that are verified at once are limited', async t => {
  const { tokens, connect, client } = await openWindow(t, { mode: 'jwt' })
  tokens.isSlow = true
  const many = Array.from({ length: SOCKET_LIMITS.verificationsMax }, () => connect())
  for (const socket of await Promise.all(many)) socket.send(authenticate('a.jwt.x'))
  while (tokens.waitingCount < SOCKET_LIMITS.verificationsMax) await client.get('/healthz')
  const extra = await connect()
  const refusal = { event: 'error', data: { code: 503 }, reason: 'busy', retry_after_ms: 1000 }
  t.match(await extra.ask(authenticate('a.jwt.x')), refusal)
  t.equal(await upgradeStatus(client.url, '/ws', { Authorization: 'Bearer a.jwt.x' }), 503)
  tokens.verifyAll()
  tokens.isSlow = false
  t.match(await extra.ask(authenticate('a.jwt.x')), { data: { code: 401 } })
})

t.test('a connection that needs a user has five seconds to authenticate', async t => {
  const { gateway, setNow, connect, tokens } = await openWindow(t, { mode: 'jwt' })
  tokens.give('a.jwt.asha', 'asha')
  const [silent, known, greeted] = [await connect(), await connect(), await connect('a.jwt.asha')]
  t.match(await silent.ask(['subscribe_orderbook', '1000001']), { data: { code: 401 } })
  t.match(await known.ask(authenticate('a.jwt.asha')), { event: 'authenticated' })
  setNow(WINDOW_NOW + SOCKET_LIMITS.anonymousMsMax - 1)
  gateway.beat()
  t.match(await silent.ask(['subscribe_orderbook', '1000001']), { data: { code: 401 } })
  setNow(WINDOW_NOW + SOCKET_LIMITS.anonymousMsMax)
  gateway.beat()
  t.match(await silent.closed, { code: 1008, reason: 'not authenticated within 5 seconds' })
  for (const socket of [known, greeted]) {
    t.match(await socket.ask(['subscribe_orderbook', '1000001']), { data: { code: 404 } }, 'others stay')
  }
  t.ok(BEAT_SLOT_MS <= 1000, 'the beat is fine enough')
})

t.test('where market data is public, strangers may stay, but see nothing private', async t => {
  for (const options of [{ mode: 'accounts' }, { mode: 'jwt', publicReads: true }] as const) {
    const { gateway, client, setNow, connect } = await openWindow(t, options)
    const code = await client.createEvent()
    const socket = await connect()
    setNow(WINDOW_NOW + 10 * SOCKET_LIMITS.anonymousMsMax)
    gateway.beat()
    t.match(await socket.subscribe(code), { type: 'snapshot' })
    t.match(await socket.ask(['subscribe_user', 'asha']), { data: { code: 401 }, reason: 'token_missing' })
  }
})

t.test('the connections of a credential that ends close at once, and no others', async t => {
  const { gateway, exchange, connect } = await openWindow(t)
  const [first, second, other] = [await connect('rs_asha'), await connect(), await connect('rk_asha')]
  await second.ask(authenticate('rs_asha'))
  for (const socket of [first, second, other]) await socket.ask(['subscribe_user', 'asha'])
  gateway.authentication.end('session:rs_asha')
  await exchange.transfer({ userId: 'asha', direction: 'deposit', amount: 1000 as never, txnId: 't1' })
  for (const socket of [first, second]) {
    t.match(await socket.closed, { code: 4401, reason: /^the session, key or token has ended/ })
    t.notOk(socket.messages.some(isBalance), 'nothing private comes after the end')
  }
  t.match(await other.next(isBalance), { event: 'user_asha' })
  gateway.authentication.end('session:nobody')
  t.match(await other.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
})

t.test('a credential that ends during a handshake lets nobody in', async t => {
  const { gateway, connect } = await openWindow(t)
  const { authentication } = gateway
  const { admit } = authentication
  authentication.admit = (...args) => {
    void admit.apply(authentication, args)
    authentication.end('session:rs_asha')
  }
  const socket = await connect('rs_asha')
  t.match(await socket.closed, { code: 4401 })
})

t.test('a credential that expires closes its connections, before anything else private is sent', async t => {
  const { tokens, connect, setNow, beat, exchange, client } = await openWindow(t)
  tokens.give('rs_short', 'asha', { expiresAt: WINDOW_NOW + MINUTE })
  const [reader, idle, asking] = [
    await connect('rs_short'),
    await connect('rs_short'),
    await connect('rs_short'),
  ]
  await reader.ask(['subscribe_user', 'asha'])
  await reader.next(({ event }) => event === 'user_asha')
  setNow(WINDOW_NOW + MINUTE - 1)
  beat()
  t.match(await reader.next(), { event: 'heartbeat' })
  setNow(WINDOW_NOW + MINUTE)
  await exchange.transfer({ userId: 'asha', direction: 'deposit', amount: 1000 as never, txnId: 't1' })
  t.match(await reader.closed, { code: 4401 }, 'the message finds it')
  t.notOk(reader.messages.some(isBalance))
  asking.send(['subscribe_user', 'asha'])
  t.match(await asking.closed, { code: 4401 }, 'its own request finds it')
  t.notOk(asking.messages.some(({ event }) => event === 'subscribed'))
  await client.get('/healthz')
  t.equal(idle.socket.readyState, 1)
  beat()
  t.match(await idle.closed, { code: 4401 }, 'the heartbeat finds it')
})

t.test('a user has a limited number of connections, and of channels on all of them', async t => {
  const { connect, gateway } = await openWindow(t)
  const { connections } = SOCKET_LIMITS.perUserMax
  const own = await Promise.all(Array.from({ length: connections }, () => connect('rs_asha')))
  const late = await connect('rk_asha')
  t.match(await late.closed, { code: 1008, reason: /^A user has at most 100 connections/ })
  const stranger = await connect()
  t.match(await stranger.ask(authenticate('rs_asha')), { data: { code: 429 }, reason: 'sockets_full' })
  t.match(await (await connect('rs_ravi')).ask(['subscribe_user', 'ravi']), { event: 'subscribed' })
  own[0]?.socket.terminate()
  await own[0]?.closed
  while (gateway.connectionCount > connections + 1) await stranger.ask('?')
  t.match(await stranger.ask(authenticate('rs_asha')), { event: 'authenticated' }, 'one that goes makes room')
})

t.test('in open mode nobody needs a token, and wrong ones do not matter', async t => {
  const { client } = await openTestWindow(t)
  const socket = await WsClient.connect(t, client.wsUrl(), { headers: { Authorization: 'Bearer x' } })
  t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
  t.match(await socket.ask(authenticate('rs_forged')), { data: { code: 401 }, reason: 'token_wrong' })
  t.match(await socket.ask(['subscribe_user', 'ravi']), { event: 'subscribed' })
  t.match(await socket.ask(authenticate(OPERATOR_KEY)), { event: 'authenticated', data: { role: 'admin' } })
  t.match(await socket.ask(['subscribe_user', 'ravi']), { event: 'subscribed' })
})

t.test('a malformed authentication is refused with the field and the reason', async t => {
  const { connect } = await openWindow(t)
  const socket = await connect()
  const rows: readonly (readonly [unknown, string])[] = [
    [{ event: 'authenticate' }, 'data: Required'],
    [['authenticate'], 'data: Required'],
    [['authenticate', 'rs_asha'], 'data: Expected object, received string'],
    [['authenticate', ['rs_asha']], 'data: Expected object, received array'],
    [authenticate(undefined), 'data.token: Required'],
    [authenticate(5), 'data.token: Expected string, received number'],
    [authenticate(''), 'data.token: Expected 1 to 8192 characters'],
    [authenticate('x'.repeat(8193)), 'data.token: Expected 1 to 8192 characters'],
  ]
  for (const [message, text] of rows) {
    t.match(await socket.ask(message), { event: 'error', data: { code: 422, message: text } })
  }
  const { data } = await socket.ask({ method: 'authenticate', events: [{ token: 'rs_asha' }] })
  t.match(data, { code: 422, message: /^method: Invalid enum value/ })
})

function isBalance({ data }: ServerMessage): boolean {
  return (data as { readonly type?: string }).type === 'balance'
}

/** Sends an upgrade; resolves to the status of its answer. */
function upgradeStatus(url: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const upgrade = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const sent = request(url + path, { headers: { ...upgrade, ...headers } })
    sent.on('response', answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}
