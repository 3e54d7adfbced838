import type { Test } from 'tap'
import t from 'tap'
import { ClientAddresses } from '../../../src/access/limits/client-address.js'
import { Limiter } from '../../../src/access/limits/limiter.js'
import { verifyFile } from '../../../src/verify/verify-file.js'
import { accessFor, appOn, peer } from '../../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'
import { wrong } from '../../fixtures/wrong.js'

interface Answer {
  readonly code: number
  readonly message: string
  readonly additional?: unknown
}

const TERMS = {
  description: 'The winner of the final.',
  start_date: new Date(START).toISOString(),
  end_date: new Date(START + 24 * HOUR).toISOString(),
  min_bet: 0,
  max_bet: 10_000,
  sot: 'cricket',
  quantity: 1000,
}
const CUP = {
  ...TERMS,
  title: 'Cup',
  kind: 'exclusive',
  outcomes: [{ title: 'India' }, { title: 'Australia', description: 'The team.' }, { title: 'Kenya' }],
}

async function open(t: Test) {
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const init = {
      method,
      headers: { Host: 'localhost' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await app.request(path, init, peer('127.0.0.1'))
    await test.exchange.drain()
    return (await response.json()) as Answer
  }
  const post = (path: string, body?: unknown) => ask('POST', path, body)
  /** Returns `200 Group closed successfully`, or the refusal. */
  const told = async (...request: Parameters<typeof ask>) => {
    const { code, message } = await ask(...request)
    return `${code} ${message}`
  }
  const get = async (path: string) => (await ask('GET', path)).additional as Record<string, unknown>
  return { test, ask, post, told, get }
}

/** A cup of three in which asha holds 2 NO of India at ₹6 and 2 NO of Australia at ₹7. */
async function traded(t: Test) {
  const stage = await open(t)
  await stage.post('/groups/create', CUP)
  const play = (orders: string[], code: number) => stage.test.playAll(orders, code as never)
  await play(['ben buy 2 @ 4', 'asha sell 2 @ 4'], 1_000_002)
  await play(['cora buy 2 @ 3', 'asha sell 2 @ 3'], 1_000_003)
  return { ...stage, play }
}

t.test('creates a group and an event for each outcome with one command', async t => {
  const { test, post, get, told } = await open(t)
  const { code, message, additional } = await post('/groups/create', { ...CUP, none_of_these: true })
  t.same([code, message, additional], [201, 'Group created successfully', '1000001'])
  t.same(
    test.journalled().map(({ type }) => type),
    ['CREATE_GROUP'],
  )
  t.match(await get('/groups/1000001'), {
    ...{ code: '1000001', title: 'Cup', kind: 'exclusive', payout: 10, none_of_these: true, status: 'open' },
    ...{ winner: null, end_date: TERMS.end_date },
    outcomes: [
      { event_id: '1000002', label: 'India', status: 'open', outcome: null, last_price: null },
      { event_id: '1000003', label: 'Australia' },
      { event_id: '1000004', label: 'Kenya' },
      { event_id: '1000005', label: 'None of these' },
    ],
  })
  t.match(await get('/events/1000003'), {
    ...{ title: 'Cup: Australia', slug: 'cup-australia', description: 'The team.', quantity: 1000 },
    ...{ group: '1000001', label: 'Australia', end_date: TERMS.end_date },
  })
  t.match(await get('/events/1000002'), { description: TERMS.description, title: 'Cup: India' })
  const other = { ...CUP, title: 'League' }
  t.equal(await told('POST', '/groups/create', other), '201 Group created successfully', 'two have an India')
  t.equal(await told('POST', '/groups/create', CUP), '409 outcomes.0.title: Event already exists')
  await test.restart()
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('an event alone is in no group', async t => {
  const { test, get, told } = await open(t)
  await test.create()
  t.notOk('group' in (await get('/events/1000001')))
  t.equal(await told('GET', '/groups/1000001'), '404 Group not found')
  t.equal(
    await told('POST', '/groups/1000001/convert', { userid: 'asha', outcomes: [], quantity: 1 }),
    '404 Group not found',
  )
})

const many = (length: number) => Array.from({ length }, (_, index) => ({ title: `Team ${index}` }))
const REFUSED: readonly (readonly [object, string])[] = [
  [{ outcomes: many(1) }, '422 outcomes: Expected 2 to 100 outcomes'],
  [{ outcomes: many(101) }, '422 outcomes: Expected 2 to 100 outcomes'],
  [{ outcomes: many(100), none_of_these: true }, '422 outcomes: Expected 2 to 100 outcomes'],
  [{ outcomes: undefined }, '422 outcomes: Required'],
  [{ kind: 'other' }, "422 kind: Invalid enum value. Expected 'exclusive' | 'independent', received 'other'"],
  [{ kind: 'independent', none_of_these: true }, '422 none_of_these: Expected only in an exclusive group'],
  [
    { outcomes: [{ title: 'India' }, { title: ' INDIA!' }] },
    '422 outcomes.1.title: Expected another title than the outcomes before',
  ],
  [
    { outcomes: [{ title: 'None of these' }, { title: 'India' }], none_of_these: true },
    '422 none_of_these: Expected another title than the outcomes before',
  ],
  [
    { title: 'Cup '.repeat(60), outcomes: [{ title: 'India' }, { title: 'x'.repeat(80) }] },
    '422 outcomes.1.title: Expected at most 300 characters with the title',
  ],
  [
    { outcomes: [{ title: 'India' }, { title: '?' }] },
    '422 outcomes.1.title: Expected at least one letter or digit',
  ],
  [{ outcomes: [{ title: 'India' }, {}] }, '422 outcomes.1.title: Required'],
  [{ end_date: TERMS.start_date }, '422 end_date: Expected a time after start_date'],
  [{ max_bet: 1, min_bet: 2 }, '422 max_bet: Expected min_bet or more'],
  [{ fee_taker_bp: 1001 }, '422 fee_taker_bp: Expected 0 to 1000'],
  [{ nonsense: 1 }, /^422 nonsense: Unknown field/ as never],
]

t.test('a group that cannot be is refused with its field, and nothing of it is created', async t => {
  const { test, told, get } = await open(t)
  for (const [change, refusal] of REFUSED) {
    t.match(await told('POST', '/groups/create', { ...CUP, ...change }), refusal)
  }
  await test.create({ title: 'Cup: Kenya', slug: 'cup-kenya' })
  t.equal(await told('POST', '/groups/create', CUP), '409 outcomes.2.title: Event already exists')
  t.same(
    test.journalled().map(({ type }) => type),
    ['CREATE_MARKET'],
  )
  t.match(await get('/events'), { events: { length: 1 } })
  for (const length of [2, 100]) {
    const whole = { ...CUP, title: `Cup of ${length}`, outcomes: many(length) }
    t.equal(
      await told('POST', '/groups/create', whole),
      '201 Group created successfully',
      `${length} outcomes`,
    )
  }
})

t.test('groups are listed page by page', async t => {
  const { post, ask, told } = await open(t)
  for (const title of ['One', 'Two', 'Three']) await post('/groups/create', { ...CUP, title })
  const page = async (query: string) => {
    const { groups, next_cursor } = (await ask('GET', `/groups?${query}`)).additional as {
      readonly groups: readonly { readonly title: string }[]
      readonly next_cursor: string | null
    }
    return [groups.map(({ title }) => title), next_cursor]
  }
  t.same(await page('limit=2'), [['One', 'Two'], '1000005'])
  t.same(await page('limit=2&cursor=1000005'), [['Three'], null])
  t.equal(await told('GET', '/groups?cursor=x'), '422 cursor: Expected the next_cursor of a page before')
})

t.test('a page of groups shows about a thousand outcomes, however many groups are asked for', async t => {
  const { post, get } = await open(t)
  const outcomes = Array.from({ length: 99 }, (_, index) => ({ title: `Team ${index}` }))
  for (let cup = 0; cup < 14; cup++) {
    const { code } = await post('/groups/create', { ...CUP, title: `Cup ${cup}`, outcomes })
    t.equal(code, 201)
  }
  type Page = { readonly groups: readonly { readonly code: string }[]; readonly next_cursor: string | null }
  const first = (await get('/groups?limit=1000')) as unknown as Page
  t.ok(first.groups.length > 8 && first.groups.length < 13, `${first.groups.length} groups`)
  const rest = (await get(`/groups?limit=1000&cursor=${first.next_cursor}`)) as unknown as Page
  t.equal(rest.next_cursor, null)
  t.same(
    [...first.groups, ...rest.groups].map(({ code }) => code),
    Array.from({ length: 14 }, (_, cup) => String(1_000_001 + 100 * cup)),
  )
})

t.test('shows what each outcome pays, and releases what all of them pay', async t => {
  const { told, get, post, test } = await traded(t)
  t.same(await get('/groups/1000001/position/asha'), {
    ...{ code: '1000001', userid: 'asha', paid: 26, releasable: 20 },
    outcomes: [
      { event_id: '1000002', label: 'India', yes: 0, no: 2, yes_locked: 0, no_locked: 0, pays: 20 },
      { event_id: '1000003', label: 'Australia', yes: 0, no: 2, yes_locked: 0, no_locked: 0, pays: 20 },
      { event_id: '1000004', label: 'Kenya', yes: 0, no: 0, yes_locked: 0, no_locked: 0, pays: 40 },
    ],
  })
  const body = { userid: 'asha', outcomes: ['1000002', '1000003'], quantity: 1.5 }
  const preview = await post('/groups/1000001/convert?preview=true', body)
  t.match(preview, {
    message: 'Conversion previewed successfully',
    additional: { amount: 15, reason: null, position: { paid: 11 } },
  })
  t.notOk(
    test.journalled().some(({ type }) => type === 'CONVERT'),
    'a preview changes nothing',
  )
  const made = await post('/groups/1000001/convert', { ...body, client_order_id: 'mine' })
  t.match(made, {
    ...{ code: 200, message: 'Contracts converted successfully' },
    additional: {
      ...{ amount: 15, reason: null },
      position: { paid: 11, releasable: 5, outcomes: [{ no: 0.5 }, { no: 0.5 }, { yes: 1.5, pays: 25 }] },
    },
  })
  t.same(await post('/groups/1000001/convert', { ...body, client_order_id: 'mine' }), made, 'once')
  const other = { ...body, quantity: 1, client_order_id: 'mine' }
  t.equal(
    await told('POST', '/groups/1000001/convert', other),
    '409 client_order_id: Used for another conversion',
  )
  const built = await post('/groups/1000001/convert', { ...body, direction: 'build' })
  t.match(built, { code: 200, additional: { amount: -15, position: { paid: 26 } } })
})

t.test('converted contracts have no price of their own', async t => {
  const { told, get, play } = await traded(t)
  await play(['asha buy 1 @ 5', 'ben sell 1 @ 5'], 1_000_004)
  const priced = async (user: string) => {
    const { positions } = (await get(`/portfolio/${user}/positions`)) as {
      readonly positions: readonly Record<string, unknown>[]
    }
    return positions.map(p => [p.event_id, p.average_price, p.unrealised, p.realised])
  }
  t.same(await priced('asha'), [
    ['1000002', 6, 0, null],
    ['1000003', 7, 0, null],
    ['1000004', 5, 0, null],
  ])
  const body = { userid: 'asha', outcomes: ['1000002'], quantity: 1 }
  t.equal(await told('POST', '/groups/1000001/convert', body), '200 Contracts converted successfully')
  for (const [code, ...prices] of await priced('asha')) t.same(prices, [null, null, null], String(code))
  t.same(await priced('cora'), [['1000003', 3, 0, null]], 'others know what theirs cost')
})

t.test('the same name may be used for an order and a conversion', async t => {
  const { test, told } = await traded(t)
  const order = await test.place('asha buy 1 @ 1', 1_000_004 as never)
  t.ok(order)
  const body = { userid: 'asha', outcomes: ['1000002'], quantity: 1, client_order_id: 'mine' }
  t.equal(await told('POST', '/groups/1000001/convert', body), '200 Contracts converted successfully')
})

t.test('a conversion that cannot be is refused with its reason, and changes nothing', async t => {
  const { test, told, get, post, play } = await traded(t)
  const before = await get('/groups/1000001/position/asha')
  const convert = (change: object) =>
    told('POST', '/groups/1000001/convert', { userid: 'asha', outcomes: ['1000002'], quantity: 1, ...change })
  t.equal(
    await convert({ quantity: 3 }),
    '409 Too few free contracts: those that open orders sell are not converted',
  )
  t.equal(
    await convert({ outcomes: [] }),
    '409 Too few free contracts: those that open orders sell are not converted',
  )
  t.equal(
    await convert({ outcomes: [], direction: 'build', quantity: 998 }),
    '409 Too little money available',
  )
  t.equal(
    await convert({ outcomes: [], direction: 'build', quantity: 999 }),
    '409 An outcome would exceed its quantity',
  )
  t.equal(await convert({ userid: 'nobody' }), '404 User not found')
  t.equal(await told('GET', '/groups/1000001/position/nobody'), '404 User not found')
  for (const outcomes of [['1000009'], ['1000002', '1000002'], ['1000001'], ['x']]) {
    t.equal(await convert({ outcomes }), '422 outcomes: Expected events of the group, each once')
  }
  t.equal(await convert({ quantity: 0 }), '422 quantity: Expected more than 0')
  t.equal(await convert({ quantity: 0.001 }), '422 quantity: Expected a multiple of 0.01')
  t.equal(
    await convert({ direction: 'both' }),
    "422 direction: Invalid enum value. Expected 'release' | 'build', received 'both'",
  )
  await play(['asha buy 2 @ 3'], 1_000_002)
  t.match(await convert({}), /^409 Too few free/, 'an order has locked them')
  t.same((await get('/groups/1000001/position/asha')).paid, before.paid)
  await post('/events/1000004/halt')
  t.match(await convert({ outcomes: [], direction: 'build' }), /^409 Group is not open/)
  t.equal(
    await convert({ outcomes: ['1000003'] }),
    '200 Contracts converted successfully',
    'a release goes on',
  )
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('moves all outcomes that can follow', async t => {
  const { told, get } = await traded(t)
  t.equal(await told('POST', '/groups/1000001/resume'), '200 Group resumed successfully', 'it is open')
  t.equal(await told('POST', '/events/1000002/close'), '200 Event closed successfully')
  t.equal(await told('POST', '/groups/1000001/halt'), '200 Group halted successfully')
  const statuses = async () =>
    ((await get('/groups/1000001')).outcomes as { status: string }[]).map(({ status }) => status)
  t.same(await statuses(), ['closed', 'halted', 'halted'])
  t.equal((await get('/groups/1000001')).status, 'halted')
  t.equal(await told('POST', '/groups/1000001/resume'), '200 Group resumed successfully')
  t.equal(await told('POST', '/groups/1000001/close'), '200 Group closed successfully')
  t.equal(await told('POST', '/groups/1000001/close'), '200 Group closed successfully', 'again')
  t.same(await statuses(), ['closed', 'closed', 'closed'])
  t.equal(await told('POST', '/groups/1000001/halt'), '409 Group is closed: it can no longer be halted')
})

t.test('a winner ends an exclusive group, by the group or by its event', async t => {
  for (const path of ['/groups/1000001/resolve', '/events/1000004/resolve']) {
    const { told, get, test } = await traded(t)
    const body = path.startsWith('/groups') ? { winner: '1000004', note: 'Seen.' } : { outcome: 'yes' }
    t.equal(
      await told('POST', path, body),
      `409 ${path.startsWith('/groups') ? 'Event 1000002' : 'Event 1000002'} is open: close it first`,
    )
    await told('POST', '/groups/1000001/close')
    t.match(await told('POST', path, body), /^200 /)
    await told('GET', '/groups')
    const { winner, outcomes } = (await get('/groups/1000001')) as {
      winner: string
      outcomes: { outcome: string }[]
    }
    t.same([winner, outcomes.map(({ outcome }) => outcome)], ['1000004', ['no', 'no', 'yes']])
    t.equal(test.money('asha'), 'cash 1014 held 0 available 1014')
    t.match(await told('POST', path, body), /^200 /, 'the same again succeeds')
    t.equal(
      await told('POST', '/groups/1000001/resolve', { winner: '1000002' }),
      '409 Event 1000002 is resolved as no: its outcome can no longer change',
    )
    t.match(await told('POST', '/groups/1000001/resolve', { winner: 'void' }), /^409 /)
    t.match(
      await told('POST', '/groups/1000001/convert', { userid: 'asha', outcomes: [], quantity: 1 }),
      /^409 Group has a result/,
    )
    t.match(await get('/groups/1000001/position/asha'), { releasable: 0, outcomes: [] })
  }
})

t.test('eliminates an outcome, voids only the whole', async t => {
  const { told, get, test } = await traded(t)
  t.equal(
    await told('POST', '/events/1000002/resolve', { outcome: 'void' }),
    '409 Event is an outcome of an exclusive group: only the whole group can be voided',
  )
  t.equal(
    await told('POST', '/events/1000002/resolve', { outcome: 'no' }),
    '409 Event is open: close it first',
  )
  t.equal(
    await told('GET', '/events/1000002/settlement?outcome=no'),
    '409 Event is an outcome of an exclusive group, which is settled as a whole: it has no preview of its own',
  )
  await told('POST', '/events/1000002/close')
  t.equal(await told('POST', '/events/1000002/resolve', { outcome: 'no' }), '200 Event resolved successfully')
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 994 held 0 available 994')
  t.equal(
    await told('POST', '/groups/1000001/convert', { userid: 'asha', outcomes: ['1000002'], quantity: 1 }),
    '409 An outcome has a result: leave it out, its contracts are no longer converted',
  )
  for (const winner of ['1000009', undefined, '', 'yes']) {
    t.equal(
      await told('POST', '/groups/1000001/resolve', { winner }),
      '422 winner: Expected the code of an event of the group, or void',
    )
  }
  t.equal(
    await told('POST', '/groups/1000001/resolve', { winner: 'void' }),
    '200 Group resolved successfully',
  )
  t.match(await get('/groups/1000001'), { status: 'voided', winner: null })
  for (const user of ['asha', 'ben', 'cora']) t.match(test.money(user), /^cash 1000 held 0/, user)
})

t.test('outcomes of an independent group get results of their own', async t => {
  const { told, get, post } = await open(t)
  await post('/groups/create', { ...CUP, kind: 'independent' })
  const resolve = (outcomes?: object) => told('POST', '/groups/1000001/resolve', { outcomes })
  t.equal(await resolve({ 1000002: 'yes' }), '409 Event 1000002 is open: close it first')
  await post('/groups/1000001/close')
  t.equal(await resolve(), '422 outcomes: Required in an independent group')
  t.equal(await resolve({}), '422 outcomes: Required in an independent group')
  t.equal(await resolve({ 1000001: 'yes' }), '422 outcomes: Expected events of the group, each once')
  t.match(await resolve({ 1000002: 'maybe' }), /^422 outcomes/)
  t.equal(await resolve({ 1000002: 'yes', 1000003: 'void' }), '200 Group resolved successfully')
  t.match(await get('/groups/1000001'), {
    ...{ status: 'closed', winner: null },
    outcomes: [{ outcome: 'yes' }, { outcome: 'void' }, { outcome: null }],
  })
  t.equal(
    await resolve({ 1000002: 'no' }),
    '409 Event 1000002 is resolved as yes: its outcome can no longer change',
  )
  const convert = { userid: 'asha', outcomes: [], quantity: 1 }
  const independent =
    '409 Group is independent: each of its events settles on its own, and no contracts are converted'
  t.equal(await told('POST', '/groups/1000001/convert', convert), independent)
  t.equal(await told('GET', '/groups/1000001/position/asha'), independent)
})

t.test('the words of a group change, its outcomes keep theirs', async t => {
  const { told, get, test } = await traded(t)
  t.equal(await told('PATCH', '/groups/1000001', { title: 'Final' }), '200 Group edited successfully')
  t.match(await get('/groups/1000001'), { title: 'Final', description: TERMS.description })
  t.match(await get('/events/1000002'), { title: 'Cup: India' })
  t.equal(
    await told('PATCH', '/groups/1000001', {}),
    '422 body: Expected one of title, description, start_date, end_date, min_bet, max_bet, sot, quantity, ' +
      'fee_taker_bp, fee_maker_bp',
  )
  t.match(await told('PATCH', '/groups/1000001', { kind: 'independent' }), /^422 kind: Unknown field/)
  t.match(await told('PATCH', '/groups/1000009', { title: 'Final' }), '404 Group not found')
  await test.restart()
  t.match(test.exchange.groups.get(1_000_001 as never)?.listing, { title: 'Final' })
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('the terms of a group are edited in all outcomes that can still be edited so, or in none', async t => {
  const { test, told, get } = await traded(t)
  const edit = (body: object) => told('PATCH', '/groups/1000001', body)
  const ofAll = async (field: string) =>
    Promise.all([1_000_002, 1_000_003, 1_000_004].map(async code => (await get(`/events/${code}`))[field]))
  await told('POST', '/events/1000004/close')
  const before = await ofAll('quantity')
  const terms = { min_bet: 2, max_bet: 3000, quantity: 2000, end_date: '2036-03-01T00:00:00.000Z' }
  t.equal(await edit(terms), '200 Group edited successfully')
  t.same(await ofAll('quantity'), [2000, 2000, before[2]], 'a closed one keeps its terms')
  for (const [field, value] of Object.entries(terms)) t.equal((await ofAll(field))[0], value, field)
  t.equal(await edit({ sot: 'The league' }), '200 Group edited successfully')
  t.same(await ofAll('sot'), ['The league', 'The league', 'The league'], 'until there is a result')
  const journalled = test.journalled().length
  t.match(await edit({ quantity: 0.5 }), /^422 quantity: Expected [\d.]+ or more, the open interest/)
  t.equal(await edit({ min_bet: 4000 }), '422 min_bet: Expected max_bet or less')
  t.equal(await edit({ end_date: '2020-01-01T00:00:00Z' }), '422 end_date: Expected a time after start_date')
  t.match(
    await edit({ start_date: '2030-01-01T00:00:00Z' }),
    /^409 Group is (open|closed): its start_date can/,
  )
  t.equal(test.journalled().length, journalled, 'none of these changed anything')
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('the fee rates of a group are those of all outcomes that take orders', async t => {
  const { told, get } = await traded(t)
  const rates = async () =>
    Promise.all(
      [1_000_002, 1_000_003, 1_000_004].map(async code => (await get(`/events/${code}`)).fee_taker_bp),
    )
  await told('POST', '/events/1000004/close')
  const edit = { title: 'Final', fee_taker_bp: 50, fee_maker_bp: 10 }
  t.equal(await told('PATCH', '/groups/1000001', edit), '200 Group edited successfully')
  t.same(await rates(), [50, 50, undefined], 'a closed one keeps its rates')
  t.match(await get('/groups/1000001'), { title: 'Final' })
  t.match(await get('/events/1000002'), { title: 'Cup: India', fee_maker_bp: 10 })
  t.equal(await told('PATCH', '/groups/1000001', { fee_taker_bp: null }), '200 Group edited successfully')
  t.same(await rates(), [0, 0, undefined], 'those of the exchange')
  t.equal(
    await told('PATCH', '/groups/1000001', { fee_maker_bp: 1001 }),
    '422 fee_maker_bp: Expected 0 to 1000',
  )
  await told('POST', '/groups/1000001/close')
  const late = { title: 'Too late', fee_maker_bp: 0 }
  t.equal(
    await told('PATCH', '/groups/1000001', late),
    '409 Group is closed: its fee_maker_bp can no longer change',
  )
  t.match(await get('/groups/1000001'), { title: 'Final' }, 'nothing else changes')
  await told('POST', '/groups/1000001/resolve', { winner: '1000002' })
  t.match(
    await told('PATCH', '/groups/1000001', late),
    /^409 Group is (?:resolved|settled): its fee_maker_bp/,
  )
})

t.test('operators see what a group holds, pays and has charged, until all is paid', async t => {
  const { told, get, play, test } = await traded(t)
  const money = () => get('/groups/1000001/money')
  t.same(await money(), {
    ...{ code: '1000001', escrow: 40, payout: 40, fees: 0 },
    outcomes: ['1000002', '1000003', '1000004'].map(event_id => ({ event_id, fees: 0 })),
  })
  await told('PATCH', '/groups/1000001', { fee_taker_bp: 100 })
  await play(['ben buy 1 @ 5', 'cora sell 1 @ 5'], 1_000_004)
  t.match(await money(), {
    ...{ escrow: 50.025, payout: 50, fees: 0.025 },
    outcomes: [{ fees: 0 }, { fees: 0 }, { event_id: '1000004', fees: 0.025 }],
  })
  const release = { userid: 'asha', outcomes: ['1000002', '1000003'], quantity: 1 }
  t.match(await told('POST', '/groups/1000001/convert', release), /^200/)
  t.match(await money(), { escrow: 40.025, payout: 40 }, 'what was released has left it')
  await told('POST', '/groups/1000001/close')
  await told('POST', '/groups/1000001/resolve', { winner: '1000002' })
  await test.exchange.drain()
  t.match(await money(), { escrow: 0, payout: 0, fees: 0.025 })
  t.equal(await told('GET', '/groups/1000009/money'), '404 Group not found')

  await told('POST', '/groups/create', { ...CUP, title: 'Rain', kind: 'independent' })
  await play(['ben buy 2 @ 4', 'asha sell 2 @ 4'], 1_000_006)
  await play(['cora buy 2 @ 3', 'asha sell 2 @ 3'], 1_000_007)
  t.match(await get('/groups/1000005/money'), { escrow: 40, payout: 40, fees: 0 }, 'each has an escrow')
})

t.test('costs as many events as it has outcomes', async t => {
  const test = await TestExchange.open(t)
  const limiter = new Limiter(() => 0)
  const { app } = appOn(test, accessFor(), [], { addresses: new ClientAddresses(() => undefined), limiter })
  const address = '203.0.113.7'
  const left = () => limiter.take('reads', { user: undefined, credential: undefined, address }, 0)?.level ?? 0
  const create = async (title: string, path: string, outcomes?: object[]) => {
    const { kind: _, outcomes: __, ...event } = CUP
    const body = JSON.stringify(outcomes === undefined ? { ...event, title } : { ...CUP, title, outcomes })
    const before = left()
    const init = { method: 'POST', headers: { Host: 'localhost' }, body }
    const response = await app.request(path, init, peer(address))
    return [response.status, before - left()]
  }
  const [status, one = 0] = await create('Rain', '/events/create')
  t.equal(status, 201)
  t.same(await create('Cup', '/groups/create', many(12)), [201, 12 * one])
  t.same(await create('None', '/groups/create', many(1)), [422, one], 'one that is not made counts once')
})

t.test('an icon of an outcome becomes the image of its event', async t => {
  const { told, get, test, post } = await open(t)
  const named = (icon: string) => ({ ...CUP, outcomes: [{ title: 'India', icon }, { title: 'Kenya' }] })
  for (const icon of ['', 'IN', '🇮🇳🇰🇪', '<b>']) {
    t.equal(await told('POST', '/groups/create', named(icon)), '422 outcomes.0.icon: Expected one emoji')
  }
  await post('/groups/create', named('🇮🇳'))
  t.match(await get('/groups/1000001'), { outcomes: [{ image: '🇮🇳' }, { image: null }] })
  t.match(await get('/events/1000002'), { image: '🇮🇳' })
  await test.restart()
})
