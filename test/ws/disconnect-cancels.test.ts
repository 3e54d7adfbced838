import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import type { AccessOptions } from '../../src/access/access.js'
import { SCOPES_OF } from '../../src/access/scopes.js'
import type { MarketCode } from '../../src/core/units.js'
import type { Budget } from '../../src/ws/budget.js'
import type { Connection } from '../../src/ws/connection.js'
import { DisconnectCancels } from '../../src/ws/disconnect-cancels.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import type { TestWindow } from '../fixtures/sockets/ws-window.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const HOUR = 3_600_000
const TIMES = {
  start_date: new Date(WINDOW_NOW - HOUR).toISOString(),
  end_date: new Date(WINDOW_NOW + HOUR).toISOString(),
}

const cancelOn = (data: object, id = 'c') => ({ event: 'cancel_on_disconnect', data, id })

async function openWindow(t: Test, options: Partial<AccessOptions> = {}) {
  const tokens = new TokenBook()
  tokens.give('rs_asha', 'asha')
  tokens.give('rs_viewer', 'vera', { role: 'viewer' })
  tokens.give('rk_reads', 'asha', { scopes: SCOPES_OF.viewer })
  tokens.give('rs_staff', 'staff', { role: 'operator' })
  const window = await openTestWindow(t, { finder: tokens, ...options })
  const { client, exchange, gateway } = window
  const codes = [await client.createEvent(TIMES), await client.createEvent(TIMES)] as const
  const connect = (token?: string) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    return WsClient.connect(t, client.wsUrl(), { headers })
  }
  /** Waits until nothing is left to cancel after the end of connections. */
  const settle = async (connections = 0) => {
    while (gateway.connectionCount > connections || gateway.cancelsWaiting > 0) await setImmediate()
    await exchange.drain()
  }
  return { ...window, codes, connect, settle }
}

/** Counts a user's open orders. */
async function openOrders({ client }: TestWindow, userid: string): Promise<number> {
  const { body } = await client.get(`/order?userid=${userid}&state=resting`)
  return (body.additional as { readonly orders: readonly unknown[] }).orders.length
}

t.test('the orders of a user are cancelled however the connection ends', async t => {
  const window = await openWindow(t)
  const { client, codes, settle, gateway, beat, exchange } = window
  const ends: ((socket: WsClient) => void)[] = [
    ({ socket }) => socket.close(1000),
    ({ socket }) => socket.terminate(),
    () => {
      beat()
      beat()
    },
  ]
  for (const end of ends) {
    for (const code of codes) await client.placeOrder(code, { userid: 'asha' })
    await client.placeOrder(codes[0], { userid: 'ravi' })
    const socket = await WsClient.connect(t, client.wsUrl(), { autoPong: false })
    const answer = await socket.ask(cancelOn({ userid: 'asha' }))
    t.strictSame(answer, {
      event: 'cancel_on_disconnect_set',
      data: { userid: 'asha', events: null },
      id: 'c',
    })
    t.equal(await openOrders(window, 'asha'), 2)
    end(socket)
    await socket.closed
    await settle()
    t.equal(await openOrders(window, 'asha'), 0)
  }
  t.equal(await openOrders(window, 'ravi'), ends.length, "others' orders stay")
  const { body } = await client.get('/order?userid=asha&state=cancelled')
  t.match(body.additional, { orders: [{ reason: 'user_disconnected' }] })
  t.equal(gateway.cancelsWaiting, 0)
  t.ok(exchange.moneyIsAllThere())
})

t.test('only the chosen events count, the last choice counts, and none ends it', async t => {
  const window = await openWindow(t)
  const { client, codes, connect, settle } = window
  for (const code of codes) await client.placeOrder(code, { userid: 'asha' })
  const [none, one] = [await connect(), await connect()]
  await none.ask(cancelOn({ userid: 'asha' }))
  t.match(await none.ask(cancelOn({ userid: 'asha', events: [] })), { data: { events: [] } })
  none.socket.terminate()
  await settle(1)
  t.equal(await openOrders(window, 'asha'), 2)
  await one.ask(cancelOn({ userid: 'asha' }))
  t.match(await one.ask(cancelOn({ userid: 'asha', events: [codes[0], Number(codes[0])] })), {
    data: { events: [codes[0]] },
  })
  one.socket.terminate()
  await settle()
  const { body } = await client.get('/order?userid=asha&state=resting')
  t.match(body.additional, { orders: [{ event_id: codes[1] }] })
})

t.test('it needs a user for whom the caller may trade, and events that exist', async t => {
  const { codes, connect } = await openWindow(t, { mode: 'accounts' })
  const everyone = await openWindow(t)
  const rows: readonly (readonly [WsClient, object, code: number, reason: string])[] = [
    [await connect(), {}, 401, 'token_missing'],
    [await connect(), { userid: 'asha' }, 401, 'token_missing'],
    [await connect('rs_viewer'), {}, 403, 'scope_missing'],
    [await connect('rk_reads'), {}, 403, 'scope_missing'],
    [await connect('rs_asha'), { userid: 'ravi' }, 403, 'other_user'],
    [await connect('rs_asha'), { events: [codes[0], '1000009'] }, 404, 'event_not_found'],
    [await connect('rs_asha'), { events: ['x'] }, 404, 'event_not_found'],
    [await everyone.connect(), {}, 422, 'validation'],
  ]
  for (const [socket, data, code, reason] of rows) {
    t.match(await socket.ask(cancelOn(data)), { event: 'error', data: { code }, reason, id: 'c' })
  }
  t.match(await (await connect('rs_asha')).ask(cancelOn({})), { data: { userid: 'asha', events: null } })
  t.match(await (await connect('rs_staff')).ask(cancelOn({ userid: 'ravi' })), { data: { userid: 'ravi' } })

  const socket = await connect('rs_asha')
  const malformed: readonly (readonly [unknown, string])[] = [
    [{ event: 'cancel_on_disconnect' }, 'data: Required'],
    [['cancel_on_disconnect', 'all'], 'data: Expected object, received string'],
    [cancelOn({ userid: {} }), 'data.userid: Expected string, received object'],
    [cancelOn({ userid: '' }), 'data.userid: Expected 1 to 128 characters'],
    [cancelOn({ events: codes[0] }), 'data.events: Expected array, received string'],
    [cancelOn({ events: [null] }), 'data.events: Expected string, received null'],
    [
      cancelOn({ events: Array.from({ length: 101 }, () => '1') }),
      'data.events: Expected at most 100 event codes',
    ],
  ]
  for (const [message, text] of malformed) {
    t.match(await socket.ask(message), { event: 'error', data: { code: 422, message: text } })
  }
})

t.test('a credential that ends cancels the orders', async t => {
  const window = await openWindow(t, { mode: 'accounts' })
  const { client, codes, connect, settle, gateway } = window
  await client.placeOrder(codes[0], { userid: 'asha' })
  const socket = await connect('rs_asha')
  await socket.ask(cancelOn({}))
  gateway.authentication.end('session:rs_asha')
  t.match(await socket.closed, { code: 4401 })
  await settle()
  t.equal(await openOrders(window, 'asha'), 0)
})

t.test('orders placed after the end stay, and so do those without room until there is some', async t => {
  const window = await openWindow(t)
  const { client, codes, connect, settle, gateway, exchange, setNow } = window
  await client.placeOrder(codes[0], { userid: 'asha' })
  const { cancelOrders } = exchange
  let refusals = 0
  exchange.cancelOrders = async () => {
    refusals++
    return 'queue_full'
  }
  const socket = await connect()
  await socket.ask(cancelOn({ userid: 'asha' }))
  socket.socket.terminate()
  await socket.closed
  while (refusals === 0) await setImmediate()
  setNow(WINDOW_NOW + 1000)
  await client.placeOrder(codes[1], { userid: 'asha' })
  gateway.beat()
  while (refusals === 1) await setImmediate()
  t.equal(gateway.cancelsWaiting, 1)
  t.equal(await openOrders(window, 'asha'), 2)
  exchange.cancelOrders = cancelOrders
  gateway.beat()
  await settle()
  const { body } = await client.get('/order?userid=asha&state=resting')
  t.match(body.additional, { orders: [{ event_id: codes[1] }] })
})

/** The cancels on an exchange whose clock is moved by hand, and a way to end a user's connection. */
async function openCancels(t: Test) {
  const test = await TestExchange.open(t, { shardCount: 3 })
  for (const title of ['Rain', 'Snow', 'Hail']) await test.create({ title })
  const cancels = new DisconnectCancels({ exchange: test.exchange, budget: {} as Budget })
  const drop = (userId: string, market?: MarketCode) => {
    const markets = market === undefined ? undefined : new Set([market])
    cancels.begin({ cancelSetting: { userId, markets } } as Connection)
  }
  const settle = async () => {
    while (cancels.waitingCount > 0) await setImmediate()
    await test.exchange.drain()
  }
  return { test, cancels, drop, settle }
}

const OTHER = (MARKET + 1) as MarketCode

t.test('orders on their way are cancelled, however many users drop at once and however new', async t => {
  const { test, drop, settle } = await openCancels(t)
  await test.place('asha buy 1 @ 1')
  const users = ['asha', 'ben', 'cora', 'dev']
  const sent = users.flatMap(user =>
    [MARKET, OTHER].flatMap(market => [1, 2, 3].map(price => test.place(`${user} buy 1 @ ${price}`, market))),
  )
  for (const user of users) drop(user)
  test.now += 1
  const later = users.map(user => test.place(`${user} buy 1 @ 4`))
  const [before, after] = [await Promise.all(sent), await Promise.all(later)]
  await settle()
  t.same(new Set(before.map(test.endOf)), new Set(['cancelled 0 user_disconnected']))
  t.same(new Set(after.map(test.endOf)), new Set(['resting 0']), 'those that arrived later stay')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('what waits for room is cancelled as each connection asked, and nothing else', async t => {
  const { test, cancels, drop, settle } = await openCancels(t)
  const place = (market: MarketCode) => test.place('asha buy 1 @ 5', market)
  const { cancelOrders } = test.exchange
  let refusals = 0
  test.exchange.cancelOrders = async () => {
    refusals++
    return 'queue_full'
  }
  const rain = await place(MARKET)
  drop('asha', MARKET)
  while (refusals === 0) await setImmediate()
  const [laterRain, snow] = [await place(MARKET), await place(OTHER)]
  drop('asha', OTHER)
  while (refusals === 1) await setImmediate()
  const laterSnow = await place(OTHER)
  test.exchange.cancelOrders = cancelOrders
  cancels.beat()
  await settle()
  t.same(
    [rain, laterRain, snow, laterSnow].map(({ state }) => state),
    ['cancelled', 'resting', 'cancelled', 'resting'],
  )
})

t.test('orders of before a restart are cancelled', async t => {
  const { test } = await openCancels(t)
  const { number } = await test.place('asha buy 1 @ 5')
  await test.restart()
  const cancels = new DisconnectCancels({ exchange: test.exchange, budget: {} as Budget })
  cancels.begin({ cancelSetting: { userId: 'asha', markets: undefined } } as Connection)
  while (cancels.waitingCount > 0) await setImmediate()
  t.equal(test.book(), '- | -', `order ${number} is gone`)
})

t.test('the orders stay when the exchange stops', async t => {
  const window = await openWindow(t)
  const { client, codes, connect, settle, gateway } = window
  await client.placeOrder(codes[0], { userid: 'asha' })
  const socket = await connect()
  await socket.ask(cancelOn({ userid: 'asha' }))
  gateway.close()
  await socket.closed
  await settle()
  t.equal(await openOrders(window, 'asha'), 1)
})
