import t from 'tap'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { readPage } from '../../fixtures/paging.js'
import { MARKET, TestExchange } from '../../fixtures/test-exchange.js'

const EVENT = {
  title: 'Will X reach $100k by 2026?',
  description: 'Settles by the closing price.',
  start_date: '2027-01-10T00:00:00.000Z',
  end_date: '2027-12-31T23:59:59.000Z',
  min_bet: 1,
  max_bet: 1000,
  sot: 'crypto',
  quantity: 100_000,
}
const TEXTS = ['title', 'description', 'start_date', 'end_date', 'sot']
const NUMBERS = ['min_bet', 'max_bet', 'quantity']
const FIELDS = ['title', 'description', 'start_date', 'end_date', 'min_bet', 'max_bet', 'sot', 'quantity']
const NO_DATE = 'Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z'

const created = (code: number) => ({
  status: true,
  code: 201,
  message: 'Event created successfully',
  additional: String(code),
})

/** A change to the event above, and the message that it must be refused with. */
function refused([name, change, message]: readonly [string, object, string]): Scenario {
  const body = { ...EVENT, ...change }
  return { name, path: '/events/create', body, status: 422, answer: refusal(422, message) }
}

/** Creates the event above with a change, and reads it back. */
async function createdWith({ app }: TestApp, change: object): Promise<unknown> {
  const body = JSON.stringify({ ...EVENT, ...change })
  const answer = await app.request('/events/create', { method: 'POST', body })
  const { additional } = (await answer.json()) as { readonly additional: string }
  return (await app.request(`/events/${additional}`)).json()
}

function without(...fields: string[]): object {
  return Object.fromEntries(fields.map(field => [field, undefined]))
}

t.test('the first missing field in specification order is named', async t => {
  const app = appOn(await TestExchange.open(t))
  const rows: (readonly [string, object, string])[] = []
  for (const [index, field] of FIELDS.entries()) {
    rows.push([`no ${field}`, without(field), `${field}: Required`])
    const rest = FIELDS.slice(index)
    rows.push([`no ${rest.join(', ')}`, without(...rest), `${field}: Required`])
    rows.push([
      `no ${rest.join(', ')}, and a bad payout`,
      { ...without(...rest), payout: 0 },
      `${field}: Required`,
    ])
  }
  await checkScenarios(t, app, rows.map(refused))
})

t.test('the order of the fields does not matter', async t => {
  const app = appOn(await TestExchange.open(t))
  const body = { quantity: 'x', sot: 1, max_bet: 'x', min_bet: 'x', end_date: 'x', start_date: 'x' }
  const answer = refusal(422, 'title: Required')
  await checkScenarios(t, app, [{ name: 'reversed', path: '/events/create', body, status: 422, answer }])
})

t.test('a field of the wrong type is refused with the expected and actual types', async t => {
  const app = appOn(await TestExchange.open(t))
  const values: readonly (readonly [unknown, string])[] = [
    [true, 'boolean'],
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
  ]
  const rows: (readonly [string, object, string])[] = []
  for (const field of TEXTS) {
    for (const [value, kind] of [...values, [5, 'number'] as const])
      rows.push([`${field} ${kind}`, { [field]: value }, `${field}: Expected string, received ${kind}`])
  }
  for (const field of [...NUMBERS, 'payout']) {
    for (const [value, kind] of [
      ...values,
      ['5', 'string'],
      ['<1e999>', 'infinity'],
      ['', 'string'],
    ] as const)
      rows.push([`${field} ${kind}`, { [field]: value }, `${field}: Expected number, received ${kind}`])
  }
  await checkScenarios(t, app, rows.map(refused))
})

t.test('an invalid date is refused', async t => {
  const app = appOn(await TestExchange.open(t))
  const dates = [
    ...[
      '',
      'tomorrow',
      '2027-01-10',
      '2027-13-01T00:00:00Z',
      '2027-02-30T00:00:00Z',
      '2027-02-29T00:00:00.000Z',
    ],
    ...['2027-01-10T24:00:00Z', '2027-01-10T23:60:00Z', '2027-01-10T23:59:60Z', '2027-01-10T00:00:00'],
    ...[
      '2027-01-10T00:00:00+5:30',
      '1800000000000',
      '2027-01-10 00:00:00Z',
      '10/01/2027',
      '2027-W02-1T00:00:00Z',
    ],
  ]
  const rows = dates.flatMap(date => [
    [`start ${date}`, { start_date: date }, `start_date: ${NO_DATE}`] as const,
    [`end ${date}`, { end_date: date }, `end_date: ${NO_DATE}`] as const,
  ])
  await checkScenarios(t, app, rows.map(refused))
})

t.test('numbers and texts out of bounds are refused', async t => {
  const app = appOn(await TestExchange.open(t))
  const noText = 'Expected text without lone surrogates or NUL'
  const crumbs = 'Expected rupees with at most 4 decimals, below 900 billion'
  const tick = (value: unknown) =>
    `tick_size: Invalid enum value. Expected '0.01' | '0.05' | '0.1' | '0.5', received '${value}'`
  const rows: readonly (readonly [string, object, string])[] = [
    ['min_bet below zero', { min_bet: -0.01 }, 'min_bet: Expected 0 or more'],
    ['min_bet finer than money', { min_bet: 0.00001 }, `min_bet: ${crumbs}`],
    ['max_bet below zero', { max_bet: -1 }, 'max_bet: Expected 0 or more'],
    ['max_bet beyond counting', { max_bet: 1e12 }, `max_bet: ${crumbs}`],
    ['max_bet just below min_bet', { min_bet: 10, max_bet: 9.99 }, 'max_bet: Expected min_bet or more'],
    ['quantity 0', { quantity: 0 }, 'quantity: Expected more than 0'],
    ['quantity below zero', { quantity: -1 }, 'quantity: Expected more than 0'],
    ['quantity finer than a lot', { quantity: 0.005 }, 'quantity: Expected a multiple of 0.01'],
    ['quantity beyond counting', { quantity: 1e9 + 1 }, 'quantity: Expected at most 1000000000'],
    ['payout below zero', { payout: -1 }, 'payout: Expected 1 to 100'],
    ['payout 0', { payout: 0 }, 'payout: Expected 1 to 100'],
    ['payout 101', { payout: 101 }, 'payout: Expected 1 to 100'],
    ['payout with paise', { payout: 10.5 }, 'payout: Expected whole rupees'],
    ['tick of 2 paise', { tick_size: 0.02 }, tick('0.02')],
    ['tick as text', { tick_size: '0.01' }, tick('0.01')],
    ['tick null', { tick_size: null }, tick('null')],
    ...['title', 'description', 'sot'].flatMap(field =>
      ['a\ud800', '\udfff b', 'a\u0000'].map(
        text => [`${field} that is no text`, { [field]: text }, `${field}: ${noText}`] as const,
      ),
    ),
    ['title too long', { title: 'x'.repeat(301) }, 'title: Expected at most 300 characters'],
    ['sot too long', { sot: 'x'.repeat(101) }, 'sot: Expected at most 100 characters'],
    [
      'description too long',
      { description: 'x'.repeat(10_001) },
      'description: Expected at most 10000 characters',
    ],
  ]
  await checkScenarios(t, app, rows.map(refused))
})

t.test('an end not after the start is refused, in its place among other faults', async t => {
  const app = appOn(await TestExchange.open(t))
  const early = { end_date: EVENT.start_date }
  const message = 'end_date: Expected a time after start_date'
  await checkScenarios(t, app, [
    ...(
      [
        ['end = start', early, message],
        ['end = start in another zone', { end_date: '2027-01-10T05:30:00+05:30' }, message],
        ['end 1 ms before', { end_date: '2027-01-09T23:59:59.999Z' }, message],
        ['and min_bet missing', { ...early, ...without('min_bet') }, message],
        ['and everything after it missing', { ...early, ...without(...FIELDS.slice(4)) }, message],
        ['and max_bet below min_bet', { ...early, min_bet: 2000 }, message],
        ['but the title first', { ...early, title: '?' }, 'title: Expected at least one letter or digit'],
        ['but the start first', { ...early, start_date: 'x' }, `start_date: ${NO_DATE}`],
        [
          'max_bet < min_bet and no sot',
          { min_bet: 2000, ...without('sot') },
          'max_bet: Expected min_bet or more',
        ],
        ['max_bet < min_bet and a bad end', { min_bet: 2000, end_date: 'x' }, `end_date: ${NO_DATE}`],
        ['too many contracts and no sot', { quantity: 1e10, ...without('sot') }, 'sot: Required'],
      ] as const
    ).map(refused),
  ])
})

t.test('an event just inside every bound is created', async t => {
  const app = appOn(await TestExchange.open(t))
  const changes: readonly (readonly [string, object])[] = [
    ['no money at all', { min_bet: 0, max_bet: 0 }],
    ['minus nothing', { min_bet: '<-0>', max_bet: '<-0.0>' }],
    ['equal bets', { min_bet: 10, max_bet: 10 }],
    ['one lot', { quantity: 0.01 }],
    ['the most contracts', { quantity: 1e9 }],
    ['the smallest payout', { payout: 1 }],
    ['the largest payout', { payout: 100, quantity: 1e9 }],
    ['a tick of 5 paise', { tick_size: 0.05 }],
    ['a tick of 10 paise', { tick_size: 0.1 }],
    ['a tick of 50 paise', { tick_size: 0.5 }],
    ['the longest title', { title: 'y'.repeat(300) }],
    ['empty texts', { description: '', sot: '' }],
    ['long past', { start_date: '1990-01-01T00:00:00Z', end_date: '1990-01-01T00:00:00.001Z' }],
    ['far away', { start_date: '9999-12-31T23:59:59.998Z', end_date: '9999-12-31T23:59:59.999Z' }],
    ['unknown fields', { slug: 'mine', id: 'mine', createdAt: 1, traders: 99, status: 'settled' }],
  ]
  const scenarios = changes.map(([name, change], index) => ({
    name,
    path: '/events/create',
    body: { ...EVENT, title: `Bound ${index}`, ...change },
    status: 201,
    answer: created(1_000_001 + index),
    writes: 'CREATE_MARKET',
  }))
  await checkScenarios(t, app, scenarios)
  const slugs = Array.from(app.test.exchange.directory.all(), ({ listing }) => listing.slug)
  t.notOk(slugs.includes('mine'), 'the slug never comes from the client')
})

t.test('a slug is derived from the title, in any script', async t => {
  const app = appOn(await TestExchange.open(t))
  const slugs: readonly (readonly [string, string])[] = [
    ['Will X reach $100k by 2026?', 'will-x-reach-100k-by-2026'],
    ['क्या भारत विश्व कप जीतेगा?', 'क्या-भारत-विश्व-कप-जीतेगा'],
    ['  Leading and trailing  ', 'leading-and-trailing'],
    ['under_score -- hyphen', 'under-score-hyphen'],
    ['Ｆｕｌｌ Ｗｉｄｔｈ', 'full-width'],
    ['ﬁnal ①', 'final-1'],
    ['ÉCOLE Ünder', 'école-ünder'],
    ['世界杯 2026', '世界杯-2026'],
    ['🎉 party 🎉', 'party'],
    ['7', '7'],
    ["O'Neil & co.", 'oneil-co'],
  ]
  for (const [title, slug] of slugs) {
    t.match(
      await createdWith(app, { title }),
      { additional: { title: title.normalize('NFC').trim(), slug } },
      title,
    )
  }
  const nothing = ['', ' ', '???', '$$$', '🎉', '- _ -', '…']
  const message = 'title: Expected at least one letter or digit'
  await checkScenarios(
    t,
    app,
    nothing.map(title => refused([`"${title}"`, { title }, message])),
  )
})

t.test('only the first of several equal slugs creates an event', async t => {
  const app = appOn(await TestExchange.open(t))
  const post = (title: string, status: number, answer: unknown, writes = '') => ({
    ...{ name: title, path: '/events/create', body: { ...EVENT, title }, status, answer, writes },
  })
  const conflict = refusal(409, 'Event already exists')
  await checkScenarios(t, app, [
    post('Will it rain?', 201, created(1_000_001), 'CREATE_MARKET'),
    post('Will it rain?', 409, conflict),
    post('WILL IT RAIN', 409, conflict),
    post('will_it-rain!!!', 409, conflict),
    post('Ｗｉｌｌ it rain', 409, conflict),
    post('Will it rain today?', 201, created(1_000_002), 'CREATE_MARKET'),
  ])
  await app.test.restart()
  await checkScenarios(t, appOn(app.test), [
    post('Will it rain, after a restart?', 201, created(1_000_003), 'CREATE_MARKET'),
  ])
  await checkScenarios(t, appOn(app.test), [post('Will it rain?', 409, conflict)])
})

t.test('100 simultaneous creations with one title create one event and refuse 99', async t => {
  const { app, test } = appOn(await TestExchange.open(t))
  const body = JSON.stringify(EVENT)
  const request = () => app.request('/events/create', { method: 'POST', body })
  const answers = await Promise.all(Array.from({ length: 100 }, request))
  const bodies = await Promise.all(answers.map(answer => answer.json()))
  t.equal(answers.filter(({ status }) => status === 201).length, 1)
  t.equal(answers.filter(({ status }) => status === 409).length, 99)
  t.same(
    bodies.filter(found => (found as { code: number }).code === 409)[98],
    refusal(409, 'Event already exists'),
  )
  t.equal([...test.exchange.directory.all()].length, 1)
  t.equal(test.journalled().length, 1)
})

t.test('dates keep their milliseconds, whatever time zone they were written in', async t => {
  const app = appOn(await TestExchange.open(t))
  const rows: readonly (readonly [string, string])[] = [
    ['2027-01-10T00:00:00.000Z', '2027-01-10T00:00:00.000Z'],
    ['2027-01-10T00:00:00Z', '2027-01-10T00:00:00.000Z'],
    ['2027-01-10T05:30:00.123+05:30', '2027-01-10T00:00:00.123Z'],
    ['2027-01-09T16:00:00-08:00', '2027-01-10T00:00:00.000Z'],
    ['2027-01-10T00:00:00.123456Z', '2027-01-10T00:00:00.123Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ]
  for (const [index, [written, kept]] of rows.entries()) {
    const change = { title: `Date ${index}`, start_date: written, end_date: '2030-01-01T00:00:00Z' }
    const dates = { start_date: kept, end_date: '2030-01-01T00:00:00.000Z' }
    t.match(await createdWith(app, change), { additional: dates }, written)
  }
})

t.test('events beyond the unsettled limit are refused, and settling one makes room', async t => {
  const test = await TestExchange.open(t, { eventsMax: () => 3 })
  const create = (title: string) =>
    appOn(test).app.request('/events/create', {
      method: 'POST',
      headers: { Host: 'localhost', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...EVENT, title }),
    })
  const statuses = async (titles: readonly string[]) =>
    (await Promise.all(titles.map(create))).map(({ status }) => status).sort()
  t.same(await statuses(['a', 'b', 'c', 'd', 'e']), [201, 201, 201, 503, 503], 'together, too')
  const refused = await create('f')
  t.equal(refused.headers.get('retry-after'), '1')
  t.match(await refused.json(), { message: 'No more events can be created: settle or void some first' })
  await test.restart()
  t.equal((await create('g')).status, 503, 'after a restart, too')

  const market = test.exchange.market(MARKET)
  if (market !== undefined) await test.exchange.resolveMarket(market, { outcome: 'void' })
  await test.exchange.drain()
  t.same(await statuses(['h', 'i']), [201, 503])
  await test.restart()
  t.equal((await create('j')).status, 503)
})

t.test('a category is stored trimmed and composed, and a source link as it is', async t => {
  const app = appOn(await TestExchange.open(t))
  const source_url = 'HTTPS://example.org/रन?a=1#b'
  const event = await createdWith(app, { title: 'A?', category: '  Cafe\u0301   news ', source_url })
  t.match(event, { additional: { category: 'Café news', source_url } })
  for (const written of ['Cafe\u0301 news', ' café  NEWS ', 'Café\u00a0news']) {
    const { rows } = await readPage(app, `/events?category=${encodeURIComponent(written)}`)
    t.equal(rows.length, 1, 'the filter is cleaned in the same way')
  }
  for (const [title, empty] of [
    ['B?', ''],
    ['C?', '  '],
    ['D?', null],
    ['E?', undefined],
  ] as const) {
    const change = { title, category: empty, ...(empty !== '  ' && { source_url: empty }) }
    t.match(await createdWith(app, change), { additional: { category: null, source_url: null } }, title)
  }
  const address = 'source_url: Expected an http or https address'
  await checkScenarios(
    t,
    app,
    (
      [
        ['long', { category: 'अ'.repeat(41) }, 'category: Expected at most 40 characters'],
        ['hidden', { category: 'a\u200bb' }, 'category: Expected no U+200B, which cannot be seen'],
        ['number', { category: 5 }, 'category: Expected string, received number'],
        ['NUL', { category: 'a\0' }, 'category: Expected text without lone surrogates or NUL'],
        ['script', { source_url: 'javascript:alert(1)' }, address],
        ['data', { source_url: 'data:text/html,x' }, address],
        ['no host', { source_url: 'https://' }, address],
        ['space', { source_url: 'https://a.b/ c' }, address],
        [
          'long link',
          { source_url: `https://a.b/${'a'.repeat(489)}` },
          'source_url: Expected at most 500 characters',
        ],
      ] as const
    ).map(refused),
  )
})

t.test('a category keeps the spelling used first, and there are never more than 100', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  t.match(await createdWith(app, { title: 'A?', category: 'IPL' }), { additional: { category: 'IPL' } })
  t.match(await createdWith(app, { title: 'B?', category: 'ipl' }), { additional: { category: 'IPL' } })
  for (let n = 2; n <= 100; n++) await test.create({ category: `Sport ${n}` })
  const full = 'category: Expected one of the 100 in use'
  await checkScenarios(t, app, [refused(['one more', { title: 'C?', category: 'Chess' }, full])])
  t.match(await createdWith(app, { title: 'D?', category: 'SPORT 7' }), {
    additional: { category: 'Sport 7' },
  })
  await test.restart()
  const restarted = appOn(test)
  await checkScenarios(t, restarted, [refused(['after a restart', { title: 'C?', category: 'Chess' }, full])])
  const patch = async (category: string) => {
    const body = JSON.stringify({ category })
    return (await restarted.app.request('/events/1000003', { method: 'PATCH', body })).json()
  }
  t.match(await patch('Chess'), { code: 422, message: full })
  t.match(await patch('ipl'), { additional: { category: 'IPL' } })
  t.match(await createdWith(restarted, { title: 'E?', category: 'Chess' }), {
    additional: { category: 'Chess' },
  })
})
