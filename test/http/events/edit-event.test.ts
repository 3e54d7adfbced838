import t from 'tap'
import type { MarketCode } from '../../../src/core/units.js'
import { lots } from '../../../src/core/units.js'
import { verifyFile } from '../../../src/verify/verify-file.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { Operator } from '../../fixtures/operator.js'
import { HOUR, MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'
import { wrong } from '../../fixtures/wrong.js'

const OTHER = (MARKET + 1) as MarketCode
const FIELDS =
  'title, description, start_date, end_date, min_bet, max_bet, sot, quantity, category, source_url, ' +
  'fee_taker_bp, fee_maker_bp'

interface Answer {
  readonly code: number
  readonly message: string
  readonly additional?: Record<string, unknown>
}

const iso = (time: number) => new Date(time).toISOString()

async function patch({ app }: TestApp, body: unknown, code: number = MARKET): Promise<Answer> {
  const init = { method: 'PATCH', headers: { Host: 'localhost' }, body: JSON.stringify(body) }
  return (await (await app.request(`/events/${code}`, init, peer('127.0.0.1'))).json()) as Answer
}

/** Edits the event; returns `200 Event edited successfully`, or the refusal. */
const told = async (app: TestApp, body: unknown, code?: number) => {
  const { code: status, message } = await patch(app, body, code)
  return `${status} ${message}`
}

async function get({ app }: TestApp, path: string): Promise<Record<string, unknown>> {
  const answer = (await (await app.request(path)).json()) as { additional: Record<string, unknown> }
  return answer.additional
}

async function found(app: TestApp, q: string): Promise<unknown[]> {
  const { events } = await get(app, `/events?q=${encodeURIComponent(q)}`)
  return (events as { event_id: string }[]).map(({ event_id }) => event_id)
}

const edits = (test: TestExchange) => test.journalled().filter(({ type }) => type === 'EDIT_MARKET').length
const DONE = '200 Event edited successfully'

t.test('every editable field changes, is shown, and survives a restart', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  const body = {
    title: 'Will it snow in Delhi?',
    description: 'In the city.',
    start_date: iso(START + 3 * HOUR),
    end_date: iso(START + 4 * HOUR),
    min_bet: 1.5,
    max_bet: 50,
    sot: 'sky',
    quantity: 77.5,
    category: 'Weather',
    source_url: 'https://example.org/snow',
  }
  const { code, additional } = await patch(app, body)
  t.equal(code, 200)
  const wanted = { ...body, slug: 'will-it-snow-in-delhi', status: 'scheduled', payout: 10, traders: 0 }
  t.match(additional, wanted)
  t.match(await get(app, `/events/${MARKET}`), wanted)
  t.same([await found(app, 'rain'), await found(app, 'snow del')], [[], ['1000001']])
  await test.restart()
  t.match(await get(appOn(test), `/events/${MARKET}`), wanted)
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('an invalid edit is refused with its field, and none of it is applied', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ title: 'Rain', slug: 'rain', minBet: 1, maxBet: 100, endAt: START + HOUR })
  await test.create({ title: 'Snow', slug: 'snow' })
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  const before = await get(app, `/events/${MARKET}`)
  const rows: readonly (readonly [unknown, string])[] = [
    [{}, `422 body: Expected one of ${FIELDS}`],
    [[], '422 body: Expected object, received array'],
    [{ payout: 5 }, `422 payout: Cannot change; what can is ${FIELDS}`],
    [{ sot: 'sky', tick_size: 0.1 }, `422 tick_size: Cannot change; what can is ${FIELDS}`],
    [{ slug: 'x' }, `422 slug: Cannot change; what can is ${FIELDS}`],
    [{ title: '?!' }, '422 title: Expected at least one letter or digit'],
    [{ title: 5, description: 5 }, '422 title: Expected string, received number'],
    [{ min_bet: '1' }, '422 min_bet: Expected number, received string'],
    [{ min_bet: 100.0001 }, '422 min_bet: Expected max_bet or less'],
    [{ max_bet: 0.5 }, '422 max_bet: Expected min_bet or more'],
    [{ min_bet: 9, max_bet: 8 }, '422 max_bet: Expected min_bet or more'],
    [{ category: 'a'.repeat(41) }, '422 category: Expected at most 40 characters'],
    [{ source_url: 'javascript:alert(1)' }, '422 source_url: Expected an http or https address'],
    [{ quantity: 0 }, '422 quantity: Expected more than 0'],
    [{ quantity: 9.99 }, '422 quantity: Expected 10 or more, the open interest'],
    [{ end_date: iso(START) }, '422 end_date: Expected a time after start_date'],
    [{ end_date: 'soon' }, '422 end_date: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z'],
    [{ start_date: iso(START - 1) }, '409 Event is open: its start_date can no longer change'],
    [{ sot: 'sky', title: 'Snow!' }, '409 Event already exists'],
  ]
  for (const [body, wanted] of rows) t.equal(await told(app, body), wanted)
  t.equal(await told(app, { sot: 'sky' }, 1_000_009), '404 Event not found')
  const create = await app.app.request(
    '/events/create',
    { method: 'PATCH', body: '{}', headers: { Host: 'localhost' } },
    peer('127.0.0.1'),
  )
  t.match(await create.json(), { code: 405, message: 'This path does not take PATCH: use POST' })
  t.strictSame(await get(app, `/events/${MARKET}`), before)
  t.equal(edits(test), 0)
  t.equal(await told(app, { quantity: 10 }), DONE, 'exactly what is open is enough')
})

t.test('which fields can be edited depends on the state of the event', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const operator = new Operator(test)
  await test.create()
  t.equal(
    await told(app, { start_date: iso(START - HOUR) }),
    '409 Event is open: its start_date can no longer change',
  )
  await operator.move('halt')
  t.equal(await told(app, { max_bet: 40, end_date: iso(START + 30 * HOUR), quantity: 9 }), DONE)
  await operator.move('close')
  for (const [field, value] of [
    ['end_date', iso(START + 40 * HOUR)],
    ['min_bet', 2],
    ['max_bet', 50],
    ['quantity', 10],
  ] as const) {
    const wanted = `409 Event is closed: its ${field} can no longer change`
    t.equal(await told(app, { sot: 'sky', [field]: value }), wanted)
  }
  t.equal(await told(app, { title: 'Rain again', description: 'More.', sot: 'sky' }), DONE)
  await operator.resolve('yes')
  await test.exchange.drain()
  t.equal(
    await told(app, { description: 'Other.' }),
    '409 Event is settled: its description can no longer change',
  )
  t.match(await get(app, `/events/${MARKET}`), { sot: 'sky', description: 'More.' })
})

t.test('the clock follows the new dates', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const status = async (code = MARKET) => (await get(app, `/events/${code}`)).status
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  t.equal(await told(app, { start_date: iso(START + 3 * HOUR), end_date: iso(START + 5 * HOUR) }), DONE)
  test.now = START + 2 * HOUR + 1
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(await status(), 'scheduled', 'the dates before no longer count')
  t.equal((await patch(app, { start_date: iso(START) })).additional?.status, 'open', 'one that is past opens')
  await test.playAll(['asha buy 3 @ 4', 'ben sell 1 @ 4'])
  const closed = await patch(app, { end_date: iso(START + 1) })
  t.equal(closed.additional?.status, 'closed', 'one that is past closes at once')
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 996 held 0 available 996', 'the holds went back')
  t.equal(await test.playAll(['asha buy 3 @ 4']), 'rejected 0 market_closed')
  const moves = test.journalled().flatMap(command => (command.type === 'MOVE_MARKET' ? [command] : []))
  t.same(
    moves.map(({ to, by }) => [to, by]),
    [
      ['open', undefined],
      ['closed', undefined],
    ],
  )
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an end postponed just as it arrives does not close the event', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ endAt: START + HOUR })
  test.now = START + HOUR - 1
  const edited = told(app, { end_date: iso(START + 2 * HOUR) })
  await new Promise<void>(resolve => setImmediate(resolve))
  test.now = START + HOUR + 1
  test.exchange.advanceClock()
  t.equal(await edited, DONE)
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.match(await get(app, `/events/${MARKET}`), { status: 'open' })
})

t.test('an order in flight is judged by the rules in force when it arrives', async t => {
  const test = await TestExchange.open(t)
  await test.create({ maxBet: 100 })
  await test.playAll(['ben sell 20 @ 5', 'ben sell 20 @ 5', 'asha buy 1 @ 5'])
  const market = test.exchange.market(MARKET)
  if (market === undefined) throw new Error('the market is there')
  const edit = (terms: object) => test.exchange.editMarket(market, { terms, listing: {} })
  const cut = edit({ maxBet: 400_000 })
  const limit = test.place('asha buy 10 @ 5')
  const small = test.place('asha buy 4 @ 5')
  const whole = test.place('asha buy 10 market')
  t.equal(await cut, undefined)
  t.equal(test.endOf(await limit), 'rejected 0 bet_above_max')
  t.equal(test.endOf(await small), 'filled 4')
  t.equal(test.endOf(await whole), 'cancelled 8 bet_above_max')
  t.equal(test.money('asha'), 'cash 935 held 0 available 935', 'what it could not use is free again')
  const low = edit({ minBet: 150_000 })
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'rejected 0 bet_below_min')
  t.equal(await low, undefined)
  t.ok(test.exchange.moneyIsAllThere())
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('the shard refuses a quantity that earlier orders have used up', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 0.5', 'ben sell 10 @ 5'])
  const market = test.exchange.market(MARKET)
  if (market === undefined) throw new Error('the market is there')
  const order = test.place('asha buy 10 @ 5')
  const edit = { terms: { capacity: lots(500) }, listing: { sot: 'sky' } }
  const refused = test.exchange.editMarket(market, { ...edit, by: { who: 'open', address: '', fields: {} } })
  t.same(await refused, { reason: 'capacity_used', contracts: 1000 })
  t.equal(test.endOf(await order), 'filled 10')
  t.same([market.terms.capacity, market.listing.sot], [10_000_000, 'weather'], 'nothing of it was done')
  t.same(test.rows('SELECT * FROM admin_actions'), [], 'and nothing of it is logged')
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('a larger quantity and the trades that need it may share a batch', async t => {
  const test = await TestExchange.open(t)
  await test.create({ capacity: lots(500) })
  await test.playAll(['ben sell 5 @ 5', 'asha buy 5 @ 5', 'ben sell 20 @ 5'])
  const market = test.exchange.market(MARKET)
  if (market === undefined) throw new Error('the market is there')
  const edited = test.exchange.editMarket(market, { terms: { capacity: lots(2000) }, listing: {} })
  const order = test.place('asha buy 20 @ 5')
  t.equal(await edited, undefined)
  t.equal(test.endOf(await order), 'cancelled 15 event_capacity')
  t.equal(market.progress.openPairs, 2000)
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('no two events ever share a slug, whatever is edited and created at once', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ title: 'Rain', slug: 'rain' })
  await test.create({ title: 'Snow', slug: 'snow' })
  const answers = await Promise.all([
    told(app, { title: 'Fog' }),
    told(app, { title: 'Fog?' }, OTHER),
    told(app, { title: 'FOG!' }, OTHER),
  ])
  t.same(answers.sort(), [DONE, '409 Event already exists', '409 Event already exists'])
  const free = await get(app, `/events/${MARKET}`)
  const taken = free.slug === 'fog' ? 'Rain' : 'Snow'
  const other = free.slug === 'fog' ? OTHER : MARKET
  t.equal(await told(app, { title: taken }, other), DONE, 'a slug that was given up is free')
  t.equal(await told(app, { title: 'Fog' }, other), '409 Event already exists')
  const again = edits(test)
  t.equal(await told(app, { title: taken }, other), DONE)
  t.equal(edits(test), again, 'what is so already is not written again')
  const rows = test.rows<{ slug: string }>('SELECT slug FROM markets ORDER BY slug')
  t.same(
    rows.map(({ slug }) => slug),
    ['fog', taken.toLowerCase()],
  )
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('an edit is logged with what was requested and what it replaced', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await patch(app, { title: 'Fog', max_bet: 40 })
  await patch(app, { title: 'Fog' })
  const before = '"before_title":"Rain","before_max_bet":100000'
  t.same(test.rows('SELECT who, action, market, fields FROM admin_actions'), [
    { who: 'token', action: 'edit', market: MARKET, fields: `{"title":"Fog","max_bet":40,${before}}` },
  ])
})

t.test('a category and a source link can be removed, and come back as null', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ category: 'Weather', sourceUrl: 'https://example.org' })
  await test.create({ sot: 'sky' })
  t.equal(await told(app, { category: '', source_url: null }), DONE)
  t.equal(await told(app, { category: null, source_url: '' }), DONE)
  t.equal(await told(app, { category: null }, OTHER), DONE)
  t.equal(edits(test), 1, 'what is absent already changes nothing')
  await test.restart()
  const [event, other] = [
    await get(appOn(test), `/events/${MARKET}`),
    await get(appOn(test), `/events/${OTHER}`),
  ]
  t.match(
    [event, other],
    [
      { category: null, source_url: null },
      { category: null, source_url: null },
    ],
  )
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('a source link stays beside that of the resolution, which is shown once there is one', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ sourceUrl: 'https://example.org/live', category: 'Weather' })
  await test.create({ sourceUrl: 'https://example.org/live' })
  await new Operator(test).settle('yes')
  t.match(await get(app, `/events/${MARKET}`), { source_url: 'https://example.org/live', status: 'settled' })
  t.equal(await told(app, { category: 'Sky' }), '409 Event is settled: its category can no longer change')
  t.equal(await told(app, { source_url: '' }), '409 Event is settled: its source_url can no longer change')
  await test.exchange.moveMarket(test.exchange.market(OTHER) as never, 'close', undefined as never)
  await test.exchange.resolveMarket(test.exchange.market(OTHER) as never, {
    ...{ outcome: 'no', sourceUrl: 'https://example.org/final' },
  })
  const shown = await get(app, `/events/${OTHER}`)
  t.equal(shown.source_url, 'https://example.org/final')
  await test.restart()
  t.equal((await get(appOn(test), `/events/${OTHER}`)).source_url, 'https://example.org/final')
  t.same(wrong(verifyFile(test.file)), [])
})
