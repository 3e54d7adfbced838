import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { RaayClient } from '../../src/client/node-client.js'
import { readConfig } from '../../src/server/config/config.js'
import { hs256Token, JWT_SECRET } from '../fixtures/hs256-token.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('every read of a real exchange returns the requested object', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will every question be answered?' })
  const client = new RaayClient({ url: `${server.url}/api/v1`, userid: 'asha' })
  t.teardown(() => client.close())
  const orders = client.watchOrders()
  await orders.ready()

  t.match(await client.fetchMarket(code), { event_id: code, status: 'open', payout: 10 })
  t.same((await client.fetchMarkets({ q: 'question' })).length, 1)
  t.same(await client.fetchMarkets({ status: 'halted' }), [])
  await t.rejects(client.fetchMarket('9999999'), {
    code: 404,
    name: 'Resource not found',
    message: 'Event not found',
    reason: 'event_not_found',
  })

  const bid = { event_id: code, offer_type: 'buy', price: 5.1 - 0.2, quantity: 2 } as const
  const placed = await client.createOrder(bid)
  t.match(placed, { price: 4.9, state: 'resting', userid: 'asha' })
  t.same((await orders.next()).value, placed, 'the channel tells it as it was answered')
  const rejected = await client.createOrder({ ...bid, price: 4.905 })
  t.match(rejected, { state: 'rejected', reason: 'price_off_tick' }, 'what the market refuses is no error')
  const amended = await client.amendOrder(placed.id, { price: 4.7 + 0.1 })
  t.match(amended, { price: 4.8, state: 'resting' })
  await t.rejects(client.amendOrder(placed.id, { price: 5 }), { code: 409, name: 'Resource conflict' })

  const ask = { event_id: code, offer_type: 'sell', order_type: 'MO', price: 4, quantity: 1 } as const
  const results = await client.createOrders([
    { ...ask, userid: 'ravi' },
    { ...ask, event_id: '9999999' },
  ])
  t.match(results, [
    { state: 'filled', average_price: 4.8 },
    { code: 404, retryable: false },
  ])
  const { queue, ...fetched } = await client.fetchOrder(amended.id)
  t.same(fetched, (await client.fetchOpenOrders())[0])
  t.same(queue, { contracts_ahead: 0, orders_ahead: 0 })
  t.match(await client.maker.previewOrder(bid), { state: 'resting', fills: [] })
  t.match(await client.maker.fetchQueue(code), [{ id: amended.id, ...queue }])
  t.match(await client.maker.cancelAfter(30), { userid: 'asha', events: null })
  t.equal((await client.fetchOpenOrders({ limit: 1 })).length, 1, 'no more than asked for')
  t.same((await client.fetchOrders({ state: 'rejected' }))[0], rejected)
  t.match(await client.fetchOrderBook(code, 1), { bids: [[4.8, 1]], asks: [], last_price: 4.8 })
  t.match(await client.fetchTrades(code), [{ tradeId: `${code}-1`, price: 4.8, qty: 1 }])
  t.match(await client.fetchMyTrades(), [{ tradeId: `${code}-1`, order_id: amended.id, role: 'maker' }])
  t.match((await client.fetchCandles(code, { interval: '1d' }))[0], { close: 4.8, volume: 1 })
  t.match(await client.fetchBalance(), { cash: 999_995.2, held: 4.8, available: 999_990.4 })
  t.match(await client.fetchPositions({ userid: 'ravi' }), [{ event_id: code, no: 1, average_price: 5.2 }])
  t.match(await client.fetchStatement({ limit: 1 }), [{ type: 'trade', amount: -4.8 }])

  t.match(await client.cancelOrder(amended.id), { state: 'cancelled' })
  t.match(await client.cancelOrder(amended.id), { state: 'cancelled' }, 'again, which is harmless')
  t.same(await client.cancelAllOrders(), { orders: [], ended: 0, still_open: 0 })
  // The channel publishes the end once it has been read back from disk.
  while (orders.state?.length !== 0) await setImmediate()
  t.same(orders.state, [])
})

t.test('a name leads to the order in force, and cancels it', async t => {
  const server = await startTestServer(t)
  const event_id = await server.client.createEvent()
  const client = new RaayClient({ url: server.url, userid: 'asha' })
  t.teardown(() => client.close())
  const bid = { event_id, offer_type: 'buy', price: 4, quantity: 2, client_order_id: 'my bid' } as const
  const placed = await client.createOrder(bid)
  t.same(await client.fetchOrderByClientId('my bid'), placed)
  const amended = await client.amendOrder(placed.id, { price: 5 })
  t.match(amended, { price: 5, client_order_id: 'my bid' })
  t.not(amended.id, placed.id)
  t.same(await client.fetchOrderByClientId('my bid'), amended)
  t.same(await client.createOrder(bid), amended, 'sent again it is the same order')
  await t.rejects(client.createOrder({ ...bid, quantity: 3 }), { code: 409, reason: 'key_used' })
  await t.rejects(client.fetchOrderByClientId('my bid', { userid: 'ravi' }), { code: 404 })
  await t.rejects(client.cancelOrderByClientId('your bid'), { code: 404, reason: 'order_not_found' })
  const cancelled = { id: amended.id, state: 'cancelled', reason: 'user_cancelled' }
  t.match(await client.cancelOrderByClientId('my bid'), cancelled)
  t.match(await client.cancelOrderByClientId('my bid'), cancelled, 'again, which is harmless')
  t.same(await client.fetchOpenOrders(), [])
})

t.test('a named batch places its orders once, for any sender', async t => {
  const server = await startTestServer(t)
  const event_id = await server.client.createEvent()
  const orders = [4, 5, 11].map(price => ({ event_id, offer_type: 'buy', price, quantity: 1 }) as const)
  const [one, other] = [1, 2].map(() => new RaayClient({ url: server.url, userid: 'asha' }))
  if (one === undefined || other === undefined) return
  t.teardown(() => {
    one.close()
    other.close()
  })
  const named = { idempotencyKey: 'bids of the day' }
  const [mine, again] = await Promise.all([
    one.createOrders(orders, named),
    other.createOrders(orders, named),
  ])
  t.match(mine, [{ state: 'resting', client_order_id: null }, { state: 'resting' }, { state: 'rejected' }])
  t.same(again, mine)
  t.same(await other.createOrders(orders, named), mine)
  t.equal((await one.fetchOpenOrders()).length, 2)
  await t.rejects(one.createOrders(orders.slice(1), named), { code: 409, reason: 'key_used' })
  t.equal((await one.createOrders(orders)).length, 3, 'without a name they are new orders')
  t.equal((await one.fetchOpenOrders()).length, 4)
})

t.test('the operator takes an event through to settlement', async t => {
  const server = await startTestServer(t)
  const client = new RaayClient({
    url: server.url,
    userid: 'asha',
    adminToken: readOperatorKey(server.data),
  })
  t.teardown(() => client.close())
  const { operator } = client
  const code = await operator.createMarket({
    title: 'Will it end?',
    description: 'It does.',
    start_date: '2026-01-01T00:00:00.000Z',
    end_date: '2036-01-01T00:00:00.000Z',
    min_bet: 0,
    max_bet: 1000,
    sot: 'test',
    quantity: 1000,
  })
  const order = { event_id: code, price: 6, quantity: 1 } as const
  await client.createOrder({ ...order, offer_type: 'buy' })
  await client.createOrder({ ...order, offer_type: 'sell', userid: 'ravi' })
  await operator.deposit('asha', { amount: 10, txn_id: 'a' })
  await operator.deposit('asha', { amount: 10, txn_id: 'a' })
  await operator.withdraw('asha', { amount: 3, txn_id: 'b' })
  t.equal((await client.fetchBalance()).cash, 1_000_001)

  const book = client.watchOrderBook(code)
  t.match(await operator.haltMarket(code), { status: 'halted' })
  t.match(await operator.resumeMarket(code), { status: 'open' })
  t.match(await operator.editMarket(code, { max_bet: 500 }), { max_bet: 500, title: 'Will it end?' })
  t.match(await operator.closeMarket(code), { status: 'closed' })
  const parts = await operator.previewSettlement(code, { outcome: 'yes', limit: 1 })
  t.match(parts, { totals: { users: 2, escrow: 10, payout: 10, sum: 0 }, settlements: [{ userid: 'asha' }] })
  const cursor = parts.next_cursor ?? ''
  const rest = await operator.previewSettlement(code, { outcome: 'yes', cursor })
  t.match(rest, { totals: null, settlements: [{ userid: 'ravi', payment: 0 }], next_cursor: null })
  await operator.resolveMarket(code, { outcome: 'yes', note: 'as all things do' })
  for await (const { status } of book) if (status === 'settled') break
  t.match(await client.fetchSettlements(), [
    { event_id: code, outcome: 'yes', paid: 6, payment: 10, result: 4 },
  ])
  t.match(await client.fetchSettlements({ event_id: code }), [{ event_id: code }])
  t.same(await client.fetchSettlements({ to: 1 }), [], 'before it was settled')
  t.match(await operator.verifyLedger(), { ok: true })
  t.same(
    (await operator.fetchUsers()).map(({ userid, cash }) => `${userid} ${cash}`),
    ['asha 1000011', 'ravi 999996'],
  )
  t.match(await client.fetchVersion(), { version: /^\d+\.\d+\.\d+/, node: process.version })
  const backup = await operator.makeBackup()
  t.type(backup.sequence, 'number')
  await t.rejects(operator.confirmClock(), { code: 409, reason: 'clock_trusted' })
  t.match(await operator.fetchHealth(), { clock: { trusted: true, held_since: null, ahead_ms: 0 } })
  t.match(await operator.fetchHealth(), { accounts: 2, events: 1, last_backup: { file: backup.file } })
  t.same(
    (await operator.fetchActions({ limit: 4 })).map(({ action }) => action),
    ['backup', 'resolve', 'close', 'edit'],
  )
})

function startWithAccounts(t: Test): Promise<TestServer> {
  const { access, startingBalance } = readConfig({ auth: 'accounts', 'starting-balance': '100' }, {})
  return startTestServer(t, { access, startingBalance })
}

t.test('an API key reads and trades for its user, until it is revoked', async t => {
  const server = await startWithAccounts(t)
  const admin = new RaayClient({ url: server.url, adminToken: readOperatorKey(server.data) })
  t.match(await admin.fetchSession(), { mode: 'accounts', needs_admin: true, caller: null })
  const event_id = await server.client.createEvent({ title: 'Will the key do?' })
  const account = await admin.accounts.createAccount({ name: 'asha', role: 'trader' })
  t.match(account, { name: 'asha', role: 'trader', disabled: false, keys: 0 })
  const made = await admin.accounts.createKey({ user: 'asha', name: 'bot', scopes: ['read', 'trade'] })
  t.match(await admin.accounts.fetchKeys({ user: 'asha' }), [{ id: made.id, name: 'bot' }])

  const bot = new RaayClient({ url: server.url, token: made.key, attemptsMax: 1 })
  t.teardown(() => bot.close())
  t.match(await bot.fetchSession(), {
    caller: { kind: 'api_key', userid: 'asha', scopes: ['read', 'trade'] },
  })
  const placed = await bot.createOrder({ event_id, offer_type: 'buy', price: 5, quantity: 2 })
  t.match(placed, { state: 'resting', userid: 'asha' })
  t.match(await bot.fetchOpenOrders(), [{ id: placed.id }])
  t.match(await bot.fetchBalance(), { userid: 'asha', held: 10 })
  t.same(await bot.fetchMyTrades(), [])
  t.match(await bot.cancelAllOrders(), { orders: [{ id: placed.id }], ended: 1, still_open: 0 })
  await t.rejects(bot.fetchBalance({ userid: 'ravi' }), { code: 403, reason: 'other_user' })
  await t.rejects(bot.operator.haltMarket(event_id), { code: 403, reason: 'operator_only' })
  await t.rejects(bot.accounts.createAccount({ name: 'lena', role: 'admin' }), { code: 403 })
  await t.rejects(admin.fetchBalance({ userid: 'asha' }), { code: 401, reason: 'token_missing' })

  await admin.accounts.disable('asha')
  await t.rejects(bot.fetchBalance(), { code: 403, reason: 'account_disabled' })
  t.match(await admin.accounts.enable('asha'), { disabled: false })
  t.match(await bot.fetchBalance(), { held: 0 })
  await admin.accounts.revokeKey(made.id, { user: 'asha' })
  await t.rejects(bot.fetchBalance(), { code: 401, reason: 'token_wrong' })
  t.match(await admin.accounts.fetchAccounts({ q: 'ash' }), [{ name: 'asha', keys: 0 }])
  t.same(server.faults, [])
})

t.test('watches of a key carry its token, and end when it is revoked', async t => {
  const server = await startWithAccounts(t)
  const admin = new RaayClient({ url: server.url, token: readOperatorKey(server.data) })
  const event_id = await server.client.createEvent({ title: 'Will the key be heard?' })
  await admin.accounts.createAccount({ name: 'asha', role: 'trader' })
  const made = await admin.accounts.createKey({ user: 'asha', name: 'bot', scopes: ['read', 'trade'] })
  const bot = new RaayClient({ url: server.url, token: made.key, backoffMs: 1 })
  t.teardown(() => bot.close())
  const orders = bot.watchOrders()
  await orders.ready()
  const placed = await bot.createOrder({ event_id, offer_type: 'buy', price: 5, quantity: 2 })
  t.same((await orders.next()).value, placed, 'its own channel, though nobody named the user')
  await t.rejects(bot.watchOrders({ userid: 'ravi' }).ready(), { code: 403, reason: 'other_user' })
  const stranger = new RaayClient({ url: server.url, userid: 'asha' })
  t.teardown(() => stranger.close())
  await t.rejects(stranger.watchOrders().ready(), { code: 401, reason: 'token_missing' })
  await stranger.watchOrderBook(event_id).ready()

  const ended = t.rejects(orders.next(), { code: 401, reason: 'token_wrong' })
  await admin.accounts.revokeKey(made.id, { user: 'asha' })
  await ended
  t.equal(bot.connection, 'offline')
  const seen = admin.watchBalance({ userid: 'asha' })
  await seen.ready()
  t.match(seen.state, { held: 10 }, 'an operator may watch everybody')
  admin.close()
  t.same(server.faults, [])
})

t.test('a token of an identity provider is replaced when it has expired', async t => {
  const { access } = readConfig({ auth: 'jwt', 'jwt-secret': JWT_SECRET }, {})
  const server = await startTestServer(t, { access })
  const event_id = await server.client.createEvent({ title: 'Will the token last?' })
  const tokens = [hs256Token('asha', { exp: 1000 }), hs256Token('asha')]
  let asked = 0
  const client = new RaayClient({ url: server.url, token: () => tokens[asked++] ?? '', backoffMs: 1 })
  t.teardown(() => client.close())
  const book = client.watchOrderBook(event_id)
  await book.ready()
  t.equal(asked, 2, 'the WebSocket asks for another')
  t.match(await client.fetchMarket(event_id), { event_id })
  t.match(await client.fetchSession(), { mode: 'jwt', caller: { kind: 'jwt', userid: 'asha' } })
  t.equal(asked, 2, 'requests use the same')
  t.same(server.faults, [])
})

t.test('admins invite people, and set a forgotten password', async t => {
  const server = await startWithAccounts(t)
  const { accounts } = new RaayClient({ url: server.url, token: readOperatorKey(server.data) })
  const invitation = await accounts.createInvitation({ role: 'viewer', name: 'ravi' })
  t.match(invitation.url, /\/sign-up#invitation=ri_/)
  t.match(await accounts.fetchInvitations(), [{ id: invitation.id, name: 'ravi', role: 'viewer' }])
  await accounts.withdrawInvitation(invitation.id)
  t.same(await accounts.fetchInvitations(), [])
  t.match(await accounts.createAdminLink(), { url: /\/admin#code=/ })
  await accounts.createAccount({ name: 'asha', role: 'trader', password: 'correct horse battery' })
  t.match(await accounts.setRole('asha', 'operator'), { role: 'operator' })
  const { url } = await accounts.createRecoveryLink('asha')
  const token = url.split('#token=')[1] ?? ''
  await accounts.recover(token, 'another horse battery')
  await t.rejects(accounts.recover(token, 'a third horse battery'), { code: 403 }, 'once')
  t.match(await accounts.fetchAccounts(), [{ name: 'asha', role: 'operator' }])
})
