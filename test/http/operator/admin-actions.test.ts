import t from 'tap'
import { verifyFile } from '../../../src/verify/verify-file.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'
import { wrong } from '../../fixtures/wrong.js'

const TOKEN = 'a-token-of-the-operator'
const EVENT = {
  title: 'Rain',
  description: 'Does it rain?',
  start_date: '2020-01-01T00:00:00Z',
  end_date: '2040-01-01T00:00:00Z',
  min_bet: 0,
  max_bet: 100,
  sot: 'weather',
  quantity: 1000,
}

interface Shown {
  readonly id: string
  readonly createdAt: string
  readonly who: string
  readonly address: string
  readonly action: string
  readonly event_id: string | null
  readonly userid: string | null
  readonly fields: unknown
}

interface Sent {
  readonly code: number
  readonly message: string
  readonly additional?: { readonly actions?: readonly Shown[]; readonly next_cursor?: string | null }
}

/** Sends a request from an address, with a token if there is one. */
async function send(
  { app }: TestApp,
  path: string,
  body?: object,
  { from = '127.0.0.1', token }: { readonly from?: string; readonly token?: string } = {},
): Promise<Sent> {
  const headers = { Host: 'localhost', ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await app.request(path, init, peer(from))
  return (await response.json()) as Sent
}

const actions = async (app: TestApp, query = '', token?: string) =>
  (await send(app, `/admin/actions${query}`, undefined, token === undefined ? {} : { token })).additional

/** Returns the audit log, newest first: `resolve 1000001 token 127.0.0.1`. */
async function told(app: TestApp, token?: string): Promise<string[]> {
  const lines = (await actions(app, '', token))?.actions ?? []
  return lines.map(({ action, event_id, userid, who, address }) =>
    [action, event_id ?? userid, who, address].join(' '),
  )
}

t.test('changes are logged with who, what and where, newest first', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  t.same(await actions(app), { actions: [], next_cursor: null })
  await send(app, '/events/create', EVENT, { from: '203.0.113.9' })
  test.now += 1000
  await send(app, `/events/${MARKET}/halt`, {})
  await send(app, `/events/${MARKET}/resume`, {}, { from: '::ffff:127.0.0.1' })
  await send(app, '/portfolio/asha/deposit', { amount: 5.5, txn_id: 'd1' })
  await send(app, '/portfolio/asha/withdraw', { amount: 0.5, txn_id: 'w1' })
  await send(app, `/events/${MARKET}/close`, {})
  await send(app, `/events/${MARKET}/resolve`, { outcome: 'yes', note: 'Seen.' })
  await test.exchange.drain()
  await send(app, '/events/create', { ...EVENT, title: 'Snow' })
  await send(app, `/events/${MARKET + 1}/resolve`, { outcome: 'void' })
  t.same(await told(app), [
    'void 1000002 token 127.0.0.1',
    'create 1000002 token 127.0.0.1',
    'resolve 1000001 token 127.0.0.1',
    'close 1000001 token 127.0.0.1',
    'withdraw asha token 127.0.0.1',
    'deposit asha token 127.0.0.1',
    'resume 1000001 token 127.0.0.1',
    'halt 1000001 token 127.0.0.1',
    'create 1000001 token 203.0.113.9',
  ])
  const shown = (await actions(app))?.actions ?? []
  t.same(shown.at(-1), {
    id: '1-0',
    createdAt: new Date(START).toISOString(),
    who: 'token',
    address: '203.0.113.9',
    action: 'create',
    event_id: '1000001',
    userid: null,
    fields: { ...EVENT, payout: 10, tick_size: 0.01 },
    before: {},
  })
  t.same(shown[2]?.fields, { outcome: 'yes', note: 'Seen.' })
  t.same(shown[5]?.fields, { amount: 5.5, txn_id: 'd1' })
  t.equal(shown[5]?.createdAt, new Date(START + 1000).toISOString())
  t.same(shown[6]?.fields, {})

  const paged: Shown[] = []
  let cursor: string | null | undefined = ''
  while (cursor !== null && cursor !== undefined) {
    const page: Sent['additional'] = await actions(app, `?limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...(page?.actions ?? []))
    cursor = page?.next_cursor
  }
  t.same(paged, shown, 'pages are the whole')

  await test.restart()
  t.same((await actions(appOn(test)))?.actions, shown, 'it is kept')
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('requests without effect and the clock add no log entry', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await send(app, '/events/create', { ...EVENT, end_date: new Date(START + 5000).toISOString() })
  await send(app, '/portfolio/asha/deposit', { amount: 5, txn_id: 'd1' })
  await send(app, `/events/${MARKET}/halt`, {})
  const before = await told(app)
  t.equal(before.length, 3)

  const refused = [
    ['/events/create', EVENT, 409],
    ['/events/create', { ...EVENT, title: 7 }, 422],
    ['/portfolio/asha/deposit', { amount: 5, txn_id: 'd1' }, 201],
    ['/portfolio/asha/deposit', { amount: 6, txn_id: 'd1' }, 409],
    ['/portfolio/asha/withdraw', { amount: 5_000_000, txn_id: 'w1' }, 409],
    [`/events/${MARKET}/halt`, {}, 200],
    [`/events/${MARKET}/resolve`, { outcome: 'yes' }, 409],
  ] as const
  for (const [path, body, code] of refused) t.equal((await send(app, path, body)).code, code, path)
  t.equal((await send(app, `/events/${MARKET}/resume`, {}, { token: 'another' })).code, 401)
  t.same(await told(app), before)

  test.now += 6000
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal((await send(app, `/events/${MARKET}/close`, {})).code, 200, 'it is closed already')
  t.same(await told(app), before, 'the clock is nobody')
  await Promise.all(
    Array.from({ length: 9 }, () => send(app, `/events/${MARKET}/resolve`, { outcome: 'no' })),
  )
  t.equal((await told(app)).length, before.length + 1, 'of nine at once one has told it')
})

t.test('an action is logged as made with the token, or as an open creation without it', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test, TOKEN)
  await send(app, '/events/create', EVENT, { token: 'another' })
  await send(app, '/events/create', { ...EVENT, title: 'Snow' }, { token: TOKEN, from: '192.0.2.7' })
  await send(app, `/events/${MARKET}/halt`, {}, { token: TOKEN, from: '192.0.2.7' })
  t.same(await told(app, TOKEN), [
    'halt 1000001 token 192.0.2.7',
    'create 1000002 token 192.0.2.7',
    'create 1000001 open 127.0.0.1',
  ])
  t.equal((await send(app, '/admin/actions')).code, 401, 'nobody else reads it')
  t.notOk(JSON.stringify(test.journalled()).includes(TOKEN), 'the token itself is nowhere')
})

t.test('an edit says what each field was, and only of the fields that it changed', async t => {
  const test = await TestExchange.open(t)
  const on = appOn(test)
  await send(on, '/events/create', EVENT)
  const edit = { title: 'Snow', min_bet: 5, start_date: '2020-01-01T00:00:00.000Z', sot: 'weather' }
  const headers = { Host: 'localhost' }
  const init = { method: 'PATCH', headers, body: JSON.stringify(edit) }
  t.equal((await on.app.request(`/events/${MARKET}`, init, peer('127.0.0.1'))).status, 200)
  const [line] = (await actions(on))?.actions ?? []
  t.same(line, { ...line, fields: edit, before: { title: 'Rain', min_bet: 0 } })
})

t.test(
  'the log is searched by who, action, event, user, time and words, and never without a bound',
  async t => {
    const test = await TestExchange.open(t)
    const on = appOn(test)
    await send(on, '/events/create', EVENT)
    await send(on, '/events/create', { ...EVENT, title: 'Snow' })
    test.now += 60_000
    await send(on, '/portfolio/asha/deposit', { amount: 5.5, txn_id: 'Prize-7' })
    await send(on, '/portfolio/ben/deposit', { amount: 6, txn_id: 'МОСКВА-2' }, { from: '203.0.113.9' })
    await send(on, `/events/${MARKET}/halt`, {})
    await test.exchange.drain()
    const found = async (query: string) => {
      const { actions: lines = [] } = (await actions(on, `?${query}`)) ?? {}
      return lines.map(({ action, event_id, userid }) => `${action} ${event_id ?? userid}`)
    }
    t.same(await found('action=deposit'), ['deposit ben', 'deposit asha'])
    t.same(await found('userid=asha'), ['deposit asha'])
    t.same(await found(`event_id=${MARKET}`), [`halt ${MARKET}`, `create ${MARKET}`])
    t.same(await found('q=prize'), ['deposit asha'])
    t.same(await found('q=203.0'), ['deposit ben'])
    t.same(await found(`q=${encodeURIComponent('москва')}`), ['deposit ben'], 'capitals of any script')
    t.same(await found('who=TOKEN&action=halt'), [`halt ${MARKET}`])
    t.same(await found('who=priya'), [])
    t.same(await found('q=%25'), [], 'a sign is no pattern')
    t.same(await found(`to=${START + 1}`), [`create ${MARKET + 1}`, `create ${MARKET}`])
    t.same(await found(`from=${START + 1}&limit=1`), [`halt ${MARKET}`])
    t.same(await found('userid=nobody'), [])
    for (const query of ['action=fly', 'event_id=12', 'from=soon', `q=${'x'.repeat(201)}`, 'by=me']) {
      t.equal((await send(on, `/admin/actions?${query}`)).code, 422, query)
    }
    t.ok(test.exchange.moneyIsAllThere())
  },
)
