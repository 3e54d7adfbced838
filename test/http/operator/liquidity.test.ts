import type { Test } from 'tap'
import t from 'tap'
import { verifyFile } from '../../../src/verify/verify-file.js'
import { fund as fundAt } from '../../fixtures/house-exchange.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'
import { wrong } from '../../fixtures/wrong.js'

type Fields = Record<string, unknown>

const EVENT = '/events/1000001/liquidity'
const GROUP = '/groups/1000001/liquidity'
const FUNDS = { budget: 1000, start_price: 5, step: 0.5 }
const CUP = {
  ...{ title: 'Cup', kind: 'exclusive', description: 'The winner.', sot: 'cricket', quantity: 1000 },
  ...{ min_bet: 0, max_bet: 10_000, tick_size: 0.5 },
  start_date: new Date(START).toISOString(),
  end_date: new Date(START + 24 * HOUR).toISOString(),
  outcomes: ['India', 'Australia', 'Kenya', 'Nepal'].map(title => ({ title })),
}

async function open(t: Test, options = {}) {
  const test = await TestExchange.open(t, { startingBalance: 100_000, ...options })
  const { app } = appOn(test)
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = {
      method,
      headers: { Host: 'localhost' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await app.request(path, init, peer('127.0.0.1'))
    const answer = (await response.json()) as { code: number; message: string; additional: Fields }
    return { ...answer, reason: response.headers.get('Raay-Reason') }
  }
  const told = async (...request: Parameters<typeof ask>) => {
    const { code, message } = await ask(...request)
    return `${code} ${message}`
  }
  const get = async (path: string) => (await ask('GET', path)).additional
  return { test, ask, told, get }
}

t.test('funds, shows and stops the quotes of an event', async t => {
  const { test, ask, told, get } = await open(t)
  await test.create()
  t.equal(await get(EVENT), null, 'it has never been funded')
  t.equal(await told('DELETE', EVENT), '404 House quotes not found: none have been funded here')
  const preview = await ask('POST', `${EVENT}?preview=true`, FUNDS)
  t.same([preview.code, preview.message], [200, 'House quotes previewed successfully'])
  t.match(preview.additional, { status: 'preview', fundedAt: null, result_if_yes: 0, worst_case: -1000 })
  t.equal(test.book(), '- | -', 'nothing has changed')
  const { code, message, additional } = await ask('POST', EVENT, FUNDS)
  t.same([code, message], [201, 'House quotes funded successfully'])
  t.same(
    { ...preview.additional, status: 'running', fundedAt: null },
    { ...additional, fundedAt: null },
    'as in the preview, and its orders rest',
  )
  t.match(additional, { budget: 1000, start_price: 5, step: 0.5, cash: 1000, yes: 0, no: 0 })
  t.match(additional, { asks_only: false, stoppedAt: null, fundedAt: new Date(START).toISOString() })
  t.ok(Number(additional.max_loss) <= 1000)
  const rungs = additional.rungs as { side: string; price: number }[]
  t.same(rungs[0], { side: 'yes', price: 4.5, quantity: 35.1 })
  t.same(
    rungs.map(({ price }) => price),
    [4.5, 4, 3.5, 3, 5.5, 6, 6.5, 7],
    'of each side the best first',
  )
  const shown = await get('/events/1000001')
  t.same(shown.house_quotes, { max_loss: additional.max_loss, rungs }, 'as everybody sees it')
  const listed = ((await get('/events?limit=1')).events as Fields[])[0]
  t.notOk(listed && 'house_quotes' in listed, 'but not in lists')
  t.equal(await told('POST', EVENT, FUNDS), '409 House quotes are running already: stop them first')
  t.equal((await ask('POST', `${EVENT}?preview=true`, FUNDS)).reason, 'quotes_running')

  await test.playAll(['asha buy 10 @ 5.5'])
  await test.exchange.drain()
  t.match(await get(EVENT), { result_if_yes: -45, result_if_no: 55, yes: 0, no: 10, status: 'running' })
  const refunds = await get('/events/1000001/settlement?outcome=void')
  t.match(refunds, { totals: { users: 1, yes: 10, no: 10 } }, 'the house is no user')
  const stopped = await ask('DELETE', EVENT)
  t.same([stopped.code, stopped.message], [200, 'House quotes stopped successfully'])
  await test.exchange.drain()
  t.notOk('house_quotes' in (await get('/events/1000001')))
  t.match(await get(EVENT), { status: 'stopped', returned: 955, rungs: [], worst_case: -45, cash: 0 })
  t.match((await ask('DELETE', EVENT)).additional, { status: 'stopped' }, 'again')
  t.equal((await ask('POST', EVENT, FUNDS)).code, 201, 'and funds again')
  t.ok('house_quotes' in (await get('/events/1000001')))
  await test.exchange.moveMarket(test.exchange.market(1_000_001 as never) as never, 'close')
  t.notOk('house_quotes' in (await get('/events/1000001')), 'closed: it quotes no more')
  await test.exchange.resolveMarket(test.exchange.market(1_000_001 as never) as never, { outcome: 'no' })
  await test.exchange.drain()
  t.match(await get(EVENT), { status: 'returned', max_loss: null, worst_case: 0, returned: 1000 })
  t.equal(await told('POST', EVENT, FUNDS), '409 Event is settled: it can no longer be quoted')
  const actions = test.rows<{ action: string }>(
    "SELECT action FROM admin_actions WHERE action LIKE '%quotes'",
  )
  t.same(
    actions.map(({ action }) => action),
    ['fund_quotes', 'stop_quotes', 'fund_quotes'],
  )
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('splits the budget of a group evenly, and shows each bound and the sums', async t => {
  const { test, ask, told, get } = await open(t)
  await ask('POST', '/groups/create', CUP)
  t.equal(await get(GROUP), null)
  t.equal(await told('DELETE', GROUP), '404 House quotes not found: none have been funded here')
  t.match((await ask('POST', `${GROUP}?preview=true`, { budget: 1000 })).additional, { budget: 1000 })
  const { code, additional } = await ask('POST', GROUP, { budget: 1000 })
  t.equal(code, 201)
  const outcomes = additional.outcomes as Fields[]
  t.match(
    outcomes,
    ['India', 'Australia', 'Kenya', 'Nepal'].map((label, index) => ({
      ...{ label, event_id: String(1_000_002 + index), status: 'running', budget: 250, start_price: 2.5 },
      ...{ step: 0.5, asks_only: false },
    })),
  )
  const sum = (field: string) =>
    outcomes.reduce((total, outcome) => total + Number(outcome[field]) * 1e4, 0) / 1e4
  t.match(additional, {
    code: '1000001',
    budget: 1000,
    max_loss: sum('max_loss'),
    worst_case: sum('worst_case'),
  })
  const shown = () => get('/groups/1000001')
  t.match(await shown(), { house_quotes: { max_loss: sum('max_loss') } }, 'everybody sees what it may lose')
  t.match(await told('POST', GROUP, { budget: 1000 }), /^409 House quotes are running already/)
  t.match(await told('POST', '/events/1000003/liquidity', FUNDS), /^409/)
  t.equal((await ask('DELETE', '/events/1000003/liquidity')).code, 200)
  t.match(await told('POST', GROUP, { budget: 1000 }), /^409/, 'all or none')
  t.equal((await ask('DELETE', GROUP)).code, 200)
  await test.exchange.drain()
  t.notOk('house_quotes' in (await shown()), 'nor that it quotes nothing any more')
  t.match(await get(GROUP), { returned: 1000, worst_case: 0 })
  t.equal((await ask('POST', GROUP, { budget: 100.01, start_price: 0.5 })).code, 201)
  t.match((await get(GROUP)).outcomes, [{ asks_only: true, start_price: 0.5, budget: 25.0025 }])
  const [first] = (await get(GROUP)).outcomes as { rungs: { side: string }[] }[]
  t.same(new Set(first?.rungs.map(({ side }) => side)), new Set(['no']), 'nothing is bid')
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('says which field is wrong, and what to give', async t => {
  const { test, ask, told } = await open(t, { house: { budgetMax: 1500 * 10_000 } })
  await test.create({ tickSize: 50 } as never)
  const refused: readonly (readonly [Fields, string])[] = [
    [{ start_price: 5 }, '422 budget: Required'],
    [{ budget: 1000 }, '422 start_price: Required'],
    [{ ...FUNDS, budget: 0 }, '422 budget: Expected more than 0'],
    [{ ...FUNDS, budget: 0.001 }, '422 budget: Expected whole paise, at most 2 decimals'],
    [{ ...FUNDS, budget: 0.1 }, '422 budget: Expected at least ₹0.25'],
    [
      { ...FUNDS, budget: 1500.01 },
      '422 budget: Expected at most ₹1500: all house quotes together may be given ₹1500',
    ],
    [
      { ...FUNDS, start_price: 5.05 },
      '422 start_price: Expected a price of the event: ₹0.50 to ₹9.50, in steps of ₹0.50',
    ],
    [
      { ...FUNDS, start_price: 10 },
      '422 start_price: Expected a price of the event: ₹0.50 to ₹9.50, in steps of ₹0.50',
    ],
    [{ ...FUNDS, step: 0.05 }, '422 step: Expected a multiple of ₹0.50'],
    [{ ...FUNDS, step: 5 }, '422 step: Expected at most ₹4.50'],
    [{ ...FUNDS, size: 1 }, '422 size: Unknown field, known are budget, start_price, step'],
  ]
  for (const [body, message] of refused) {
    t.equal(await told('POST', EVENT, body), message)
    t.equal(await told('POST', `${EVENT}?preview=true`, body), message)
  }
  t.match(await told('POST', `${EVENT}?preview=1`, FUNDS), /^422 preview: /)
  t.match(await told('POST', '/events/1000009/liquidity', FUNDS), /^404 Event not found/)
  t.match(await told('POST', '/groups/1000009/liquidity', FUNDS), /^404 Group not found/)
  t.equal((await ask('POST', EVENT, { budget: 0.25, start_price: 5 })).code, 201, 'the least is enough')
})

t.test('quotes whatever the payout and the tick are', async t => {
  const { test, ask, told } = await open(t)
  for (const [code, payout, tickSize, start_price] of [
    [1_000_001, 100, 1, 0.5],
    [1_000_002, 10_000, 1, 50],
    [1_000_003, 100, 50, 0.5],
    [1_000_004, 1000, 10, 9.9],
  ] as const) {
    await test.create({ payout, tickSize } as never)
    const path = `/events/${code}/liquidity`
    if (code === 1_000_003) {
      const message = '422 start_price: The event has no other price, so it cannot be quoted'
      t.equal(await told('POST', path, { budget: 1000, start_price }), message)
      continue
    }
    const { code: status, additional } = await ask('POST', path, { budget: 1000, start_price })
    t.equal(status, 201)
    t.equal(additional.step, Math.max(payout / 100, tickSize) / 100, 'about a hundredth of the payout')
    t.ok(Number(additional.max_loss) <= 1000)
    t.ok(Number(additional.max_loss) > 980, `${additional.max_loss} of 1000`)
  }
  const fine = { budget: 1000, start_price: 50, step: 0.05 }
  await test.create({ payout: 10_000, tickSize: 1 } as never)
  t.equal(await told('POST', '/events/1000005/liquidity', fine), '422 step: Expected at least ₹0.10')
  t.equal((await ask('POST', '/events/1000005/liquidity', { ...fine, step: 0.1 })).code, 201)
  await test.exchange.drain()
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('gives each new event or group the budget of the settings, as long as it lasts', async t => {
  const told: string[] = []
  const house = {
    ofNew: 1000 * 10_000,
    budgetMax: 2500 * 10_000,
    onRefused: ({ refusal }: Fields) => told.push(String(refusal)),
  }
  const { test, ask, get } = await open(t, { house })
  await ask('POST', '/groups/create', CUP)
  t.match(await get(GROUP), { budget: 1000 })
  await test.create()
  t.match(await get('/events/1000006/liquidity'), { budget: 1000, start_price: 5, status: 'running' })
  t.same(told, [])
  await test.create()
  t.equal(await get('/events/1000007/liquidity'), null, 'it was created without')
  t.same(told, ['above_ceiling'])
  const unquoted = () => test.exchange.house.funding.unquoted.map(({ terms }) => terms.code)
  t.same(unquoted(), [1_000_007], 'operators can see which')
  await fundAt(test, { budget: 500 }, 1_000_007 as never)
  t.same(unquoted(), [])
  const commands = test.journalled()
  t.ok(commands.filter(({ type }) => type === 'FUND_QUOTES').length === 6)
  t.same(wrong(verifyFile(test.file)), [])
})
