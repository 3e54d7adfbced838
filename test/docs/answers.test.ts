import type { Test } from 'tap'
import t from 'tap'
import type { Access, CredentialFinder } from '../../src/access/access.js'
import type { Identity } from '../../src/access/identity.js'
import { ANONYMOUS } from '../../src/access/identity.js'
import { SCOPES_OF } from '../../src/access/scopes.js'
import { REFUSED } from '../../src/api/refusal-texts.js'
import type { MarketCode } from '../../src/core/units.js'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { samples } from '../../src/api/samples.js'
import type { SiteStore } from '../../src/site/site-store.js'
import type { Json } from '../fixtures/documented-api.js'
import { DocumentedApi, documentOf } from '../fixtures/documented-api.js'
import { accessFor, appOn } from '../fixtures/http-scenario.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'
import type { Call, Called } from './documented-client.js'
import { DocumentedClient } from './documented-client.js'
import { callGroups, createForRoom, refuseGroups, refuseGroupsForRoom } from './group-calls.js'
import { callLiquidity, quoteForRoom, refuseLiquidity, refuseLiquidityForRoom } from './liquidity-calls.js'
import { callSeasons, createSeason, refuseSeasons, refuseSeasonsForRoom } from './season-calls.js'
import { callWebhooks, refuseWebhooks } from './webhook-calls.js'

const VERSION = '1.2.3'
/** The document without the routes below /auth: test/http/auth/auth-contract.test.ts has those. */
const api = new DocumentedApi(documentOf(path => !path.startsWith('/auth/')))

const { newEvent, newOrder } = samples
const order = (change: object) => ({ ...newOrder, ...change })
const PLACED = { status: true, code: 201, message: 'Order placed successfully' }
const newComment = { userid: 'asha', text: 'The forecast says rain.', show_position: true }
const TEMPLATE = {
  ...{ name: 'Rain', title: 'Rain on {date}?', description: 'IMD.', sot: 'IMD', min_bet: 1, max_bet: 100 },
  ...{ quantity: 100, opens_at: '09:00', closes_at: '18:00', days: 0 },
}
const QUOTES = {
  event_id: '1000001',
  userid: 'maker',
  quotes: [{ offer_type: 'buy', price: 0.3, quantity: 100 }],
}
const iso = (ms: number) => new Date(ms).toISOString()

/** Operations that need an operator unless everybody may create events. */
const CREATING = ['createEvent', 'createGroup']

/**
 * Responses that one client cannot cause at a real server: a fault, a lost key, twenty thousand connections;
 * and the one that another method gets, in the test of the document.
 */
const NOT_CAUSED = [
  '#/components/responses/WrongMethod',
  '#/components/responses/Fault',
  '#/components/responses/TooMany',
  '#/components/responses/TooBusy',
  'cancelAfter 409',
  'getDoors 503',
  'verifyBackup 409',
  'promote 409',
  'testWebhook 409',
  'setUserLimits 503',
  'openWebSocket 503',
  'getReadiness 503',
]
/** Responses that need a raw socket: tested in test/journeys/documented.test.ts. */
const ON_SOCKETS = [
  '#/components/responses/TooSlow',
  '#/components/responses/TooManyChunks',
  '#/components/responses/NotJson',
  '#/components/responses/WrongHost',
  '#/components/responses/HeadersTooLarge',
  '#/components/responses/NotHttp',
  'getDoors 101',
  'getDoors 400',
  '#/components/responses/CrossSite',
  'openWebSocket 101',
  'openWebSocket 400',
]

const KEY: Identity = { ...ANONYMOUS, kind: 'api_key' }
/** API keys by their texts: of a user without rights, of another user, of an operator without rights. */
const KEYS: Readonly<Record<string, Identity>> = {
  rk_none: { ...KEY, userId: 'asha', role: 'trader' },
  rk_other: { ...KEY, userId: 'mallory', role: 'trader', scopes: SCOPES_OF.trader },
  rk_idle_operator: { ...KEY, userId: 'lena', role: 'operator' },
}
const FINDER: CredentialFinder = { find: token => KEYS[token] }

interface Stage {
  readonly test: TestExchange
  readonly site: SiteStore
  /** Calls an operation; the response must match the document and have this status. */
  readonly call: (id: string, status: number, call?: Call) => Promise<Called>
}

async function open(t: Test, test: TestExchange, base = '', access?: Access): Promise<Stage> {
  const { app, site } = appOn(test, access, docsHandlers(VERSION))
  const client = new DocumentedClient(api, app, base)
  const call = async (id: string, status: number, call: Call = {}) => {
    const called = await client.call(id, call)
    t.same(called.faults, [], `${id} ${status} is as documented`)
    t.equal(called.status, status, `${id}: ${called.message}`)
    return called
  }
  return { test, site, call }
}

/** Checks that a refusal has a message that the document gives as an example. */
async function refuse({ call }: Stage, t: Test, id: string, status: number, with_: Call = {}): Promise<void> {
  const { message } = await call(id, status, with_)
  t.ok(api.messagesOf(id, status).includes(message), `${id} ${status}: ${message}`)
}

async function place(stage: Stage, change: object = {}): Promise<string> {
  const { additional } = await stage.call('placeOrder', 201, {
    body: order(change),
    with: { Prefer: 'wait' },
  })
  return (additional as { id: string }).id
}

for (const base of ['', '/api/v1']) {
  t.test(`every response at ${base || '/'} matches the document`, async t => {
    const stage = await open(t, await TestExchange.open(t, { startingBalance: 100_000 }), base)
    await tradeInto(stage)
    await createSeason(stage.call, 90_000)
    await lookAround(stage)
    await callGroups(stage.call, stage.test)
    await callLiquidity(stage.call)
    await callSeasons(stage.call)
    await callWebhooks(stage.call)
    await operate(stage)
  })
}

/** Events of every kind and orders in every state. */
async function tradeInto(stage: Stage): Promise<void> {
  const { test, call } = stage
  await call('createEvent', 201, { body: newEvent })
  const own = { title: 'Will it rain?', payout: 100, tick_size: 0.5, start_date: iso(START + HOUR) }
  await call('createEvent', 201, { body: { ...newEvent, ...own } })
  await call('placeOrder', 201, { body: newOrder })
  await place(stage, { offer_type: 'sell', l1_order_quantity: 4, l1_expected_price: 6.2, userid: 7 })
  await place(stage, { order_type: 'MO', outcome: 'no', userid: 'ravi', l1_order_quantity: 1 })
  await place(stage, { order_type: 'MO', userid: 'ravi' })
  await place(stage, { l1_expected_price: 1.234, l1_order_quantity: 1.234 })
  await place(stage, { l1_expected_price: 99 })
  await place(stage, { event_id: '1000002' })
  await place(stage, {
    expires_at: iso(START + HOUR / 2),
    l1_expected_price: 2,
    client_order_id: 'till then',
  })
  await place(stage, { client_order_id: 'bid-17', l1_expected_price: 1 })
  await call('previewOrder', 200, { body: newOrder })
  await call('replaceQuotes', 200, { body: QUOTES })
  await call('cancelAfter', 200, { body: { timeout_s: 30, events: ['1000002'], userid: 'asha' } })
  await call('getNamedOrder', 200)
  await call('cancelNamedOrder', 200)
  const flags = { post_only: true, time_in_force: 'GTC', valid_until: iso(START + HOUR), outcome: 'no' }
  await place(stage, { ...flags, l1_expected_price: 1 })
  const headers = { Prefer: 'wait', 'Idempotency-Key': 'once' }
  await call('placeOrder', 201, { body: order({ l1_expected_price: 3 }), with: headers })
  const batch = [order({ userid: 'lena', l1_expected_price: 4 }), order({ event_id: '7' }), 5]
  await call('batchOrders', 200, { body: { orders: batch } })
  test.now = START + HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
}

async function lookAround(stage: Stage): Promise<void> {
  const { call } = stage
  // The example of a comment's number is 7.
  for (let number = 1; number <= 7; number++) await call('postComment', 201, { body: newComment })
  const found = await call('listOrders', 200, { with: { userid: 'asha' } })
  const { orders } = found.additional as { orders: { id: string; state: string }[] }
  const states = [...new Set(orders.map(({ state }) => state))].sort()
  t.same(states, ['cancelled', 'expired', 'partially_filled', 'rejected', 'resting'])
  for (const { id } of orders) await call('getOrder', 200, { with: { id } })
  const open = orders.filter(({ state }) => state === 'resting').map(({ id }) => id)
  await call('amendOrder', 200, { with: { id: open[0] }, body: { quantity: 3 } })
  await call('amendOrder', 200, { with: { id: open[0] }, body: { price: 1.5, quantity: 8 } })
  await call('cancelOrder', 200, { with: { id: open[1] } })
  await call('batchOrders', 200, { body: { cancels: [open[0], 'x', open[2], 7] } })
  await call('cancelOrders', 200, { with: { userid: 'lena' } })
  await call('getTradeSummary', 200)
  await call('getEvent', 200)
  await call('listCategories', 200)
  await call('getOrderBook', 200, { with: { depth: 1 } })
  await call('listCandles', 200, { with: { interval: '15m', from: iso(START), to: iso(START + HOUR) } })
  const pages = [
    'listUsers',
    'listTrades',
    'listFills',
    'listStatement',
    'listSettlements',
    'listEvents',
    'listOrders',
  ]
  for (const id of pages)
    await call(id, 200, { with: { limit: 1, ...(id !== 'listOrders' ? {} : { userid: 7 }) } })
  for (const { operationId, parameters = [], requestBody } of Array.from(
    api.places.values(),
    ({ operation }) => operation,
  )) {
    const query = parameters.filter(parameter => parameter.in === 'query')
    const examples = Object.fromEntries(query.map(({ name, example }) => [name, String(example)]))
    // There is no group yet.
    if (operationId === 'previewGroupSettlement') continue
    if (query.length > 0 && requestBody === undefined) await call(operationId, 200, { with: examples })
  }
  await call('getBalance', 200)
  await call('saveSettings', 200, {
    body: { settings: { theme: 'dark', sounds: false, last_quantity: 2.5 } },
  })
  await call('addToWatchlist', 200)
  const { additional: made } = await call('postComment', 201, { body: newComment })
  const number = String((made as { id: number }).id)
  await call('listComments', 200)
  await call('listMentions', 200)
  await call('listAllComments', 200)
  await call('getLeaderboard', 200, { with: { season: undefined } })
  await call('getLeaderboard', 200)
  await call('getProfile', 200)
  await call('getActivity', 200)
  await call('getProfileChoice', 200)
  await call('saveProfileChoice', 200, { body: { is_public: true } })
  for (const id of ['hideComment', 'unhideComment'])
    await call(id, 200, { with: { number }, body: { reason: 'Off topic' } })
  await call('deleteComment', 200, { with: { number } })
  const { additional: bad } = await call('postComment', 201, { body: newComment })
  await call('removeComment', 200, { with: { number: String((bad as { id: number }).id) } })
  const words = { en: 'Trading stops on Sunday.', hi: 'रविवार को ट्रेडिंग बंद।', until: '2099-01-01T00:00:00Z' }
  await call('publishAnnouncement', 200, { body: words })
  for (const id of ['getAnnouncement', 'getDoors', 'removeAnnouncement']) await call(id, 200)
  for (const id of ['getSettings', 'getWatchlist', 'removeFromWatchlist']) await call(id, 200)
  await call('listPositions', 200)
  const plain = ['getDoors', 'getHealth', 'getReadiness', 'getTime', 'getVersion']
  const documents = ['getOpenApi', 'getAsyncApi', 'getDocs', 'getDocsStyle', 'getDocsScript']
  for (const id of [...plain, ...documents]) await call(id, 200)
}

async function operate(stage: Stage): Promise<void> {
  const { test, call } = stage
  await call('deposit', 201, { body: { amount: 10.5, txn_id: 'in' } })
  await call('withdraw', 201, { body: { amount: 1, txn_id: 'out' } })
  await call('editEvent', 200, { body: { description: 'Other words.' } })
  await call('setEventImage', 200, { body: { emoji: '🏏' } })
  await call('removeEventImage', 200)
  await call('saveTemplate', 200, { body: TEMPLATE })
  await call('saveSchedule', 200, { with: { number: '1' }, body: { repeat: 'daily' } })
  await call('listTemplates', 200)
  await call('removeSchedule', 200, { with: { number: '1' } })
  await call('deleteTemplate', 200, { with: { number: '1' } })
  await call('previewSettlement', 200, { with: { outcome: 'void', limit: 1 } })
  for (const id of ['haltEvent', 'resumeEvent', 'closeEvent', 'closeEvent']) await call(id, 200)
  const resolution = { outcome: 'yes', source_url: 'https://example.org/result', note: 'Final' }
  await call('resolveEvent', 200, { body: resolution })
  await call('resolveEvent', 200, { body: { outcome: 'void' }, with: { code: '1000002' } })
  await test.exchange.drain()
  await call('getEvent', 200)
  await call('listSettlements', 200)
  await call('getPerformance', 200)
  await call('listStatement', 200)
  await call('listPositions', 200)
  await call('listActions', 200, { with: { limit: 2 } })
  await call('setUserLimits', 200, { body: { suspended: true, order_value_max: 500 } })
  await call('getUserLimits', 200)
  await call('setUserLimits', 200, { body: { suspended: false, order_value_max: null } })
  const { additional: backup } = await call('makeBackup', 201)
  await call('promote', 200)
  await call('verifyBackup', 200, { with: { backup: (backup as { name: string }).name } })
  await call('listBackups', 200)
  await call('getAdminHealth', 200)
  await call('getDoctor', 200)
  await call('getHealthHistory', 200)
  test.jump(2 * HOUR)
  await call('confirmClock', 200)
  await call('getMetrics', 200)
  await call('verifyLedger', 200)
  test.tamper('UPDATE accounts SET cash = cash + 1 WHERE number = 4')
  const { additional } = await call('verifyLedger', 200)
  t.match(additional, { ok: false })
}

t.test('every refusal matches the document', async t => {
  const stage = await open(t, await TestExchange.open(t))
  await refuseAll(t, stage)
})

async function refuseAll(t: Test, stage: Stage): Promise<void> {
  const { call } = stage
  await call('createEvent', 201, { body: newEvent })
  const id = await place(stage)
  await place(stage, { offer_type: 'sell', userid: 'ravi', l1_order_quantity: 10 })
  const rest = await place(stage, { l1_expected_price: 2 })
  const of = (id: string) => ({ with: { id } })
  const rows: readonly (readonly [id: string, status: number, call?: Call])[] = [
    ['createEvent', 409, { body: newEvent }],
    ['createEvent', 422, { body: {} }],
    ['createEvent', 422, { body: { ...newEvent, min_bet: '1' } }],
    ['createEvent', 422, { body: { ...newEvent, end_date: newEvent.start_date } }],
    ['createEvent', 422, { body: [] }],
    ['getTradeSummary', 404, { with: { eventId: '7' } }],
    ['getTradeSummary', 422, { with: { eventId: undefined } }],
    ['listEvents', 422, { with: { limit: 0 } }],
    ['listEvents', 422, { with: { cursor: 'x' } }],
    ['listEvents', 422, { with: { q: 'x'.repeat(201) } }],
    ['getEvent', 404, { with: { code: '7' } }],
    ['getOrderBook', 404, { with: { code: '7' } }],
    ['getOrderBook', 409, { with: { 'X-Min-Sequence': 1_000_000 } }],
    ['getOrderBook', 422, { with: { depth: 0 } }],
    ['listTrades', 404, { with: { code: '7' } }],
    ['listTrades', 422, { with: { cursor: 'x' } }],
    ['listTrades', 422, { with: { from: 'today' } }],
    ['listOrders', 422, { with: { to: iso(START), from: iso(START) } }],
    ['listCandles', 404, { with: { code: '7' } }],
    ['listCandles', 422, { with: { interval: '2m' } }],
    ['listCandles', 422, { with: { from: 'today' } }],
    ['listCandles', 422, { with: { from: iso(START), to: iso(START) } }],
    ['listCandles', 422, { with: { from: iso(0) } }],
    ['placeOrder', 404, { body: order({ event_id: '7' }) }],
    ['placeOrder', 422, { body: order({ l1_expected_price: 0 }) }],
    ['placeOrder', 422, { body: order({ l1_order_quantity: 0 }) }],
    ['placeOrder', 422, { body: order({ offer_type: 'hold' }) }],
    ['placeOrder', 422, { body: order({ userid: undefined }) }],
    ['placeOrder', 422, { body: order({ time_in_force: 'GTD' }) }],
    ['placeOrder', 422, { body: [] }],
    ['getOrder', 404, of('x')],
    ['getNamedOrder', 404, { with: { key: 'nothing' } }],
    ['getNamedOrder', 422, { with: { userid: undefined } }],
    ['cancelNamedOrder', 404, { with: { key: 'nothing' } }],
    ['cancelNamedOrder', 422, { with: { userid: undefined } }],
    ['listOrders', 404, { with: { userid: 'nobody' } }],
    ['listOrders', 404, { with: { event_id: '7' } }],
    ['listOrders', 422, { with: { userid: undefined } }],
    ['cancelOrder', 404, of('x')],
    ['cancelOrders', 404, { with: { event_id: '7' } }],
    ['cancelOrders', 422, { with: { userid: undefined } }],
    ['amendOrder', 404, { ...of('1000001-99-x'), body: { quantity: 1 } }],
    ['amendOrder', 409, { ...of(id), body: { quantity: 1 } }],
    ['amendOrder', 409, { ...of(rest), body: { price: 2.001 } }],
    ['amendOrder', 422, { ...of(rest), body: {} }],
    ['amendOrder', 422, { ...of(rest), body: { quantity: 0 } }],
    ['batchOrders', 422, { body: { orders: [] } }],
    ['batchOrders', 422, { body: { orders: [newOrder], cancels: [id] } }],
    ...['getBalance', 'listPositions', 'getPerformance', 'listFills', 'listStatement', 'listSettlements'].map(
      id => [id, 404, { with: { userid: 'nobody' } }] as const,
    ),
    ['getPerformance', 422, { with: { points: 1 } }],
    ...['listFills', 'listStatement', 'listSettlements'].map(
      id => [id, 422, { with: { cursor: 'x' } }] as const,
    ),
    ['saveSettings', 422, { body: {} }],
    ['addToWatchlist', 404, { with: { code: '7' } }],
    ['getLeaderboard', 422, { with: { by: 'luck', season: undefined } }],
    ['getProfile', 404, { with: { userid: 'nobody' } }],
    ['getActivity', 404, { with: { event_id: '1999999' } }],
    ['saveProfileChoice', 422, { body: {} }],
    ['listComments', 404, { with: { code: '7' } }],
    ['listComments', 422, { with: { cursor: 'x' } }],
    ['listAllComments', 422, { with: { cursor: 'x' } }],
    ['postComment', 404, { with: { code: '7' }, body: newComment }],
    ['postComment', 422, { body: { userid: 'asha', text: ' ' } }],
    ['deleteComment', 404],
    ['removeComment', 404],
    ['deleteComment', 422, { with: { userid: undefined } }],
    ['hideComment', 404, { body: { reason: 'Off topic' } }],
    ['hideComment', 422, { body: { reason: '' } }],
    ['unhideComment', 404],
    ['publishAnnouncement', 422, { body: { en: ' ' } }],
    ['publishAnnouncement', 422, { body: { en: 'Late', until: '2001-01-01T00:00:00Z' } }],
    ['deposit', 422, { body: { amount: 0.001, txn_id: 't' } }],
    ['deposit', 422, { body: { amount: 1 } }],
    ['withdraw', 404, { with: { userid: 'nobody' }, body: { amount: 1, txn_id: 't' } }],
    ['withdraw', 422, { body: { amount: 1 } }],
    ['getHealthHistory', 422, { with: { range: 'week' } }],
    ['getUserLimits', 404, { with: { userid: 'nobody' } }],
    ['setUserLimits', 404, { with: { userid: 'nobody' }, body: {} }],
    ['setUserLimits', 422, { body: { order_value_max: 0 } }],
    ['listUsers', 422, { with: { cursor: 'x' } }],
    ['listActions', 422, { with: { cursor: 'x' } }],
    ['previewSettlement', 404, { with: { code: '7' } }],
    ['previewSettlement', 409, { with: { outcome: 'yes' } }],
    ['previewSettlement', 422, { with: { outcome: undefined } }],
    ['setEventImage', 404, { with: { code: '7' }, body: { emoji: '🏏' } }],
    ['setEventImage', 422, { body: { emoji: 'ab' } }],
    ['setEventImage', 422, { body: { picture: 'AAAA' } }],
    ['removeEventImage', 404, { with: { code: '7' } }],
    ['editEvent', 404, { with: { code: '7' }, body: { sot: 'sky' } }],
    ['editEvent', 422, { body: {} }],
    ['editEvent', 422, { body: { payout: 5 } }],
    ['editEvent', 422, { body: { end_date: '2001-01-01T00:00:00Z' } }],
    ['previewOrder', 404, { body: order({ event_id: '9999999' }) }],
    ['previewOrder', 422, { body: order({ l1_expected_price: 0 }) }],
    ['getQueue', 404, { with: { event_id: '9999999' } }],
    ['cancelAfter', 404, { body: { timeout_s: 30, events: ['9999999'], userid: 'asha' } }],
    ['replaceQuotes', 404, { body: { ...QUOTES, event_id: '9999999' } }],
    ['replaceQuotes', 422, { body: { ...QUOTES, quote_set: '' } }],
    ['cancelAfter', 422, { body: { timeout_s: 1, userid: 'asha' } }],
    ['openWebSocket', 426],
    ['getVersion', 422, { surprise: 'surprise' }],
    ['verifyBackup', 404],
    ['confirmClock', 409],
    ['resolveEvent', 409, { body: { outcome: 'yes' } }],
    ['saveTemplate', 422, { body: { ...TEMPLATE, name: undefined } }],
    ['saveTemplate', 422, { body: { ...TEMPLATE, closes_at: '09:00' } }],
    ['saveSchedule', 404, { body: { repeat: 'daily' } }],
    ['saveSchedule', 422, { body: { repeat: 'weekly' } }],
    ['removeSchedule', 404],
    ['resolveEvent', 422, { body: {} }],
    ['resolveEvent', 422, { body: { outcome: 'yes', source_url: 'ftp://x' } }],
    ...['haltEvent', 'resumeEvent', 'closeEvent', 'resolveEvent'].map(
      id => [id, 404, { with: { code: '7' }, body: { outcome: 'yes' } }] as const,
    ),
  ]
  for (const [id, status, call] of rows) await refuse(stage, t, id, status, call)
  const refused = (id: string, status: number, call?: Call) => refuse(stage, t, id, status, call)
  await refuseGroups(call, refused)
  await refuseLiquidity(call, refused)
  await refuseSeasons(stage, refused)
  await refuseWebhooks(call, refused)
}

t.test('malformed requests are refused as documented', async t => {
  const stage = await open(t, await TestExchange.open(t))
  await stage.call('createEvent', 201, { body: newEvent })
  for (const [id, { operation }] of api.places) {
    if (operation.requestBody === undefined) continue
    await refuse(stage, t, id, 400, { body: '{' })
    await refuse(stage, t, id, 413, { body: `"${'x'.repeat(id === 'setEventImage' ? 3_000_000 : 200_000)}"` })
  }
})

t.test('conflicting requests are refused as documented', async t => {
  const stage = await open(t, await TestExchange.open(t))
  const { call, test, site } = stage
  await call('createEvent', 201, { body: newEvent })
  await call('createEvent', 201, { body: { ...newEvent, title: 'Later', start_date: iso(START + HOUR) } })
  await call('placeOrder', 201, { body: order({ client_order_id: 'one' }) })
  await refuse(stage, t, 'placeOrder', 409, {
    body: order({ client_order_id: 'one', userid: 'asha', l1_order_quantity: 2 }),
  })
  const few = await open(t, await TestExchange.open(t, { openOrdersMax: 1 }))
  await few.call('createEvent', 201, { body: newEvent })
  await place(few)
  await refuse(few, t, 'previewOrder', 409, { body: newOrder })
  await refuse(few, t, 'replaceQuotes', 409, { body: { ...QUOTES, userid: newOrder.userid } })
  const batch = { with: { 'Idempotency-Key': 'one' } }
  await call('batchOrders', 200, { ...batch, body: { orders: [newOrder] } })
  await refuse(stage, t, 'batchOrders', 409, { ...batch, body: { orders: [newOrder, newOrder] } })
  for (let code = MARKET + 1; site.watchlists.add('asha', code as MarketCode) === undefined; code++);
  await refuse(stage, t, 'addToWatchlist', 409)
  const comment = { market: MARKET, userId: 'asha', body: 'Rain.', showsPosition: false }
  while (typeof site.comments.post(comment) !== 'string');
  await refuse(stage, t, 'postComment', 409, { body: newComment })
  for (let left = 50; left > 0; left--) site.templates.put(`Template ${left}`, {})
  await refuse(stage, t, 'saveTemplate', 409, { body: TEMPLATE })
  const body = { amount: 1, txn_id: 'one' }
  await call('deposit', 201, { body })
  await refuse(stage, t, 'deposit', 409, { body: { ...body, amount: 2 } })
  await refuse(stage, t, 'withdraw', 409, { body })
  const all = 450_000_000_000
  await call('deposit', 201, { body: { amount: all, txn_id: 'all' } })
  await refuse(stage, t, 'deposit', 409, { body: { amount: all, txn_id: 'all again' } })
  await call('withdraw', 201, { body: { amount: all, txn_id: 'back' } })
  await call('withdraw', 409, { body: { amount: 5000, txn_id: 'two' } })
  for (const id of ['haltEvent', 'resumeEvent'])
    await refuse(stage, t, id, 409, { with: { code: '1000002' } })
  await refuse(stage, t, 'editEvent', 409, { body: { title: 'Later' } })
  const [, second] = await Promise.all([call('makeBackup', 201), stage.call('makeBackup', 409)])
  t.ok(api.messagesOf('makeBackup', 409).includes(second.message))
  await call('closeEvent', 200)
  await call('resolveEvent', 200, { body: { outcome: 'yes' } })
  await test.exchange.drain()
  for (const id of ['haltEvent', 'resumeEvent', 'closeEvent']) await refuse(stage, t, id, 409)
})

t.test('callers who may not call an operation are refused as documented', async t => {
  const anonymous = await open(t, await TestExchange.open(t), '', accessFor({ mode: 'jwt' }))
  const finder = FINDER
  const access = accessFor({ mode: 'accounts', finder, openCreation: false, publicReads: false })
  const stage = await open(t, await TestExchange.open(t), '', access)
  for (const [id, { operation }] of api.places) {
    const [{ value: body } = { value: undefined }] = Object.values(
      operation.requestBody?.content['application/json']?.examples ?? {},
    )
    const from = (token: string) => ({ body, headers: { Authorization: `Bearer ${token}` } })
    const [needed = [], refused = []] = [401, 403].map(code => api.messagesOf(id, code))
    if (needed.includes(REFUSED.tokenMissing)) await refuse(anonymous, t, id, 401, { body })
    if (needed.length === 0) {
      const { status } = await stage.call(id, 200, from('rk_forged'))
      t.equal(status, 200, `${id} ignores a token`)
    } else await refuse(stage, t, id, 401, from('rk_forged'))
    if (refused.includes(REFUSED.otherUser)) await refuse(stage, t, id, 403, from('rk_other'))
    if (refused.some(message => message.includes('scope'))) {
      const isOperators = refused.includes(REFUSED.operatorOnly)
      if (isOperators) await refuse(stage, t, id, 403, from('rk_other'))
      await refuse(stage, t, id, 403, from(isOperators ? 'rk_idle_operator' : 'rk_none'))
    }
  }
})

t.test('the security of an operation is what its refusals say', t => {
  for (const [id, { operation }] of api.places) {
    const needed = api.messagesOf(id, 401)
    const isAlwaysNeeded = api.messagesOf(id, 403).includes(REFUSED.operatorOnly) && !CREATING.includes(id)
    const ways = [...(isAlwaysNeeded ? [] : [{}]), { bearer: [] }, { session: [] }]
    t.same(operation.security, needed.length === 0 ? [] : ways, id)
  }
  t.end()
})

t.test('requests beyond a limit are refused as documented', async t => {
  const before = await open(t, await TestExchange.open(t))
  await before.call('createEvent', 201, { body: newEvent })
  const id = await place(before, { client_order_id: 'bid-17' })
  const group = await createForRoom(before.call)
  const quoted = await quoteForRoom(before.call)
  const season = await createSeason(before.call)
  await before.test.close()
  const test = await TestExchange.open(t, { file: before.test.file, queueLengthMax: 0 })
  const stage = await open(t, test)
  await refuse(stage, t, 'createEvent', 503, { body: { ...newEvent, title: 'Another' } })
  await refuse(stage, t, 'placeOrder', 503, { body: newOrder })
  await refuse(stage, t, 'cancelOrder', 503, { with: { id } })
  await refuse(stage, t, 'cancelOrders', 503)
  await refuse(stage, t, 'replaceQuotes', 503, { body: QUOTES })
  await refuse(stage, t, 'cancelAfter', 503, { body: { timeout_s: 30, userid: 'asha' } })
  await refuse(stage, t, 'amendOrder', 503, { with: { id }, body: { quantity: 1 } })
  await refuse(stage, t, 'editEvent', 503, { body: { sot: 'sky' } })
  await refuse(stage, t, 'deposit', 503, { body: { amount: 1, txn_id: 't' } })
  await refuse(stage, t, 'withdraw', 503, { body: { amount: 1, txn_id: 't' } })
  await stage.call('batchOrders', 200, { body: { orders: [newOrder] } })
  await refuse(stage, t, 'batchOrders', 503, {
    body: { orders: [newOrder] },
    with: { 'Idempotency-Key': 'b' },
  })
  await refuse(stage, t, 'cancelNamedOrder', 503, { with: { key: 'bid-17' } })
  const refused = (id: string, status: number, call?: Call) => refuse(stage, t, id, status, call)
  await refuseGroupsForRoom(refused, group)
  await refuseLiquidityForRoom(refused, quoted)
  await refuseSeasonsForRoom(refused, season)
})

t.test('reads beyond capacity are refused as documented', async t => {
  const before = await open(t, await TestExchange.open(t))
  await before.call('createEvent', 201, { body: newEvent })
  const id = await place(before)
  const group = await createForRoom(before.call)
  await before.call('cancelOrder', 200, { with: { id } })
  await place(before)
  await place(before, { offer_type: 'sell', userid: 'ravi' })
  await place(before, { l1_expected_price: 1 })
  await before.test.exchange.drain()
  await before.test.close()
  const test = await TestExchange.open(t, { file: before.test.file, threads: true })
  const stage = await open(t, test)
  const { archive } = test.exchange
  // The reader runs in another thread: the lanes stay full until this one yields. One event alone fills half.
  const reads = Array.from({ length: 1500 }, (_, event) => [
    archive.trades((MARKET + event) as MarketCode, {}, undefined, 1),
    archive.adminActions({}, undefined, 1),
  ])
  const lookups = Array.from({ length: 9000 }, () => test.exchange.findOrder(id))
  const places = Array.from({ length: 300 }, () => test.exchange.previews.queueOf('asha', MARKET))
  const of = { with: { id } }
  const ofUser = { with: { userid: newOrder.userid } }
  await Promise.all([
    ...[
      ...['listTrades', 'listCandles', 'listUsers', 'verifyLedger', 'previewSettlement', 'listActions'],
      'listFees',
    ].map(id => refuse(stage, t, id, 503)),
    ...['listOrders', 'listPositions', 'getPerformance', 'listFills', 'listStatement', 'listSettlements'].map(
      id => refuse(stage, t, id, 503, ofUser),
    ),
    refuse(stage, t, 'previewGroupSettlement', 503, { with: { code: group, winner: 'void' } }),
    refuse(stage, t, 'getLeaderboard', 503),
    refuse(stage, t, 'getProfile', 503, ofUser),
    refuse(stage, t, 'listEvents', 503, { with: { q: 'rain' } }),
    ...['getOrder', 'cancelOrder'].map(id => refuse(stage, t, id, 503, of)),
    refuse(stage, t, 'getNamedOrder', 503, { with: { key: 'bid-17', ...ofUser.with } }),
    refuse(stage, t, 'previewOrder', 503, { body: newOrder }),
    refuse(stage, t, 'getQueue', 503, ofUser),
  ])
  await Promise.all([...reads.flat(), ...lookups, ...places])
})

t.test('the exchange refuses every query that the document rules out', async t => {
  const stage = await open(t, await TestExchange.open(t))
  await stage.call('createEvent', 201, { body: newEvent })
  await stage.call('placeOrder', 201, { body: newOrder })
  let count = 0
  for (const [id, { operation }] of api.places) {
    for (const { name, in: place, required, schema } of operation.parameters ?? []) {
      if (place !== 'query') continue
      const wrong = ['~', '', '-1', '1.5', 'x'.repeat(300)].filter(
        value => api.faultsOf(schema, asSent(value, schema)).length > 0,
      )
      for (const value of [...wrong, ...(required ? [undefined] : [])]) {
        const { message } = await stage.call(id, 422, { with: { [name]: value } })
        t.ok(message.startsWith(`${name}: `), `${id} ${name}=${value}: ${message}`)
        count++
      }
    }
  }
  t.ok(count > 50, `${count} wrong values`)
})

/** Converts query texts to numbers where the document has a number. */
function asSent(value: string, { type }: Json): string | number {
  return type === 'integer' && /^-?[\d.]+$/.test(value) ? Number(value) : value
}

t.test('detects a response that differs from the document', async t => {
  const fetched = { ...samples.order, queue: null }
  const text = (additional: object) =>
    JSON.stringify({ status: true, code: 200, message: 'Order fetched successfully', additional })
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
  const faults = (status: number, text: string, more = headers) => {
    return api.faultsIn('getOrder', { status, headers: more, text })
  }
  t.same(faults(200, text(fetched)), [])
  t.match(faults(200, text({ ...fetched, secret: 1 })), [/additional properties.*secret/])
  const { reason: _, ...less } = fetched
  t.match(faults(200, text(less)), [/required property 'reason'/])
  t.match(faults(200, text({ ...fetched, state: 'lost' })), [/allowed values/])
  t.match(faults(200, text({ ...fetched, price: '6.5' })), [/must be number/])
  t.match(api.faultsIn('placeOrder', { status: 201, headers, text: JSON.stringify(PLACED) }), [
    'the header X-Order-Id is missing',
    'the header Location is missing',
  ])
  t.match(faults(418, '{}'), [/418 is not documented/])
  t.match(faults(200, text(fetched), new Headers({ ...Object.fromEntries(headers), 'x-new': '1' })), [
    'the header x-new is not documented',
  ])
})

t.test('every documented response has been seen', async t => {
  t.same(
    api.unseen().filter(name => !NOT_CAUSED.includes(name)),
    ON_SOCKETS,
  )
})
