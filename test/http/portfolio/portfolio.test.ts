import t from 'tap'
import type { Identity } from '../../../src/access/identity.js'
import { SCOPES_OF } from '../../../src/access/scopes.js'
import { Dice } from '../../fixtures/dice.js'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { accessFor, appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { readAll, readPage } from '../../fixtures/paging.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'
import { NaivePortfolio } from './naive-portfolio.js'

const TRADER: Identity = {
  kind: 'api_key',
  userId: 'new',
  role: 'trader',
  scopes: SCOPES_OF.trader,
  credential: 'key:1',
  expiresAt: undefined,
}

interface Fill {
  readonly tradeId: string
  readonly event_id: string
  readonly order_id: string
  readonly side: 'yes' | 'no'
  readonly outcome: 'yes' | 'no'
  readonly price: number
  readonly qty: number
  readonly role: 'taker' | 'maker'
  readonly amount: number
}

interface Entry {
  readonly type: string
  readonly amount: number
  readonly trade_id: string | null
}

interface Position {
  readonly event_id: string
  readonly yes: number
  readonly no: number
  readonly average_price: number
  readonly realised: number
  readonly unrealised: number
}

const iso = (ms: number) => new Date(ms).toISOString()
const USERS = ['asha', 'ben', 'cora', 'dev'] as const
const units = (rupees: number) => Math.round(rupees * 10_000)
const keyOf = (fill: Fill) => `${fill.tradeId} ${fill.order_id}`

t.test('fills are listed newest first, priced as the order named its price', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  const bid = await test.place('asha buy 10 @ 6.25')
  const offer = await test.place('ben buy 4 no @ 3.75')
  test.now = START + HOUR
  const other = await test.place('dev sell 1 @ 5', 1_000_002 as never)
  await test.playAll(['asha buy 1 @ 5'], 1_000_002 as never)
  const named = { tradeId: '1000001-1', event_id: '1000001', qty: 4, ts: iso(START) }
  const first = { ...named, order_id: `1000001-1-${bid.suffix}`, side: 'yes', outcome: 'yes', price: 6.25 }
  const last = { tradeId: '1000002-1', event_id: '1000002', outcome: 'yes', price: 5, qty: 1 }
  const ts = iso(START + HOUR)
  const orderId = (await readPage<Fill>(appOn(test), '/portfolio/asha/fills?limit=1')).rows[0]?.order_id
  const shown = (user: string, fills: object[], base = ''): Scenario => {
    const additional = { fills, next_cursor: null }
    const answer = { status: true, code: 200, message: 'Fills fetched successfully', additional }
    return { name: user, path: `${base}/portfolio/${user}/fills`, status: 200, answer }
  }
  const of = (fill: object, rest: object) => {
    const { tradeId, event_id, order_id, side, outcome, price, qty, role, ts, amount } = {
      ...(fill as Record<string, unknown>),
      ...(rest as Record<string, unknown>),
    } as Record<string, unknown>
    const ts_ms = Date.parse(String(ts))
    return { tradeId, event_id, order_id, side, outcome, price, qty, role, ts, ts_ms, amount }
  }
  const ashas = [
    of(last, { order_id: orderId, side: 'yes', role: 'taker', ts, amount: -5 }),
    of(first, { role: 'maker', amount: -25 }),
  ]
  await checkScenarios(t, appOn(test), [
    shown('asha', ashas),
    shown('asha', ashas, '/api/v1'),
    shown('ben', [
      of(named, {
        ...{ order_id: `1000001-2-${offer.suffix}`, side: 'no', outcome: 'no', price: 3.75 },
        ...{ role: 'taker', amount: -15 },
      }),
    ]),
    shown('dev', [
      of(last, { order_id: `1000002-1-${other.suffix}`, side: 'no', role: 'maker', ts, amount: -5 }),
    ]),
  ])
})

t.test('a fill that sells as much as it buys is a fill, but no statement line', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  // Asha has a NO; her order for two YES sells it for 5 and buys one for 5.
  await test.playAll(['asha sell 1 @ 5', 'ben buy 1 @ 5', 'ben sell 2 @ 5', 'asha buy 2 @ 5'])
  t.equal(test.contracts('asha'), 'yes 1 no 0')
  t.equal(test.money('asha'), 'cash 995 held 0 available 995')
  const fills = await readAll<Fill>(app, '/portfolio/asha/fills', 1)
  t.match(fills, [
    { tradeId: '1000001-2', qty: 2, amount: 0 },
    { tradeId: '1000001-1', qty: 1, amount: -5 },
  ])
  const lines = await readAll<Entry>(app, '/portfolio/asha/statement', 1)
  t.same(
    lines.map(({ type, amount }) => `${type} ${amount}`),
    ['trade -5', 'opening 1000'],
  )
  const { rows } = await readPage<Position>(app, '/portfolio/asha/positions')
  t.match(rows, [{ yes: 1, average_price: 5, realised: 0, unrealised: 0 }])
})

t.test('positions are paged, filtered by event, and returned at once when few', async t => {
  const test = await TestExchange.open(t)
  for (let count = 0; count < 5; count++) {
    const { code } = (await test.create()).terms
    await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'], code)
  }
  const app = appOn(test)
  const codes = (rows: readonly Position[]) => rows.map(({ event_id }) => Number(event_id) - 1_000_000)
  const whole = await readPage<Position>(app, '/portfolio/asha/positions')
  t.same(codes(whole.rows), [1, 2, 3, 4, 5])
  t.equal(whole.next, null)
  for (const limit of [1, 2, 5]) {
    const rows = await readAll<Position>(app, '/portfolio/asha/positions', limit)
    t.same(rows, whole.rows, `by ${limit}`)
  }
  for (const query of ['limit=0', 'limit=1001', 'cursor=x']) {
    t.equal((await app.app.request(`/portfolio/asha/positions?${query}`)).status, 422, query)
  }
})

/** Trades at random in two markets with little money, so that all kinds of fills and merges occur. */
async function trade(test: TestExchange, dice: Dice): Promise<void> {
  const codes = [(await test.create()).terms.code, (await test.create()).terms.code] as const
  for (let step = 0; step < 300; step++) {
    const quantity = dice.percent(50) ? dice.between(1, 4) : dice.between(10, 1000) / 100
    const price = dice.percent(15) ? 'market' : `@ ${dice.oneOf([5, 5, 4.99, dice.between(400, 600) / 100])}`
    const offer = `${dice.oneOf(['buy', 'sell'])} ${quantity} ${dice.oneOf(['yes', 'no'])} ${price}`
    const placed = test.place(
      `${dice.oneOf(USERS)} ${offer} self ${dice.oneOf(['taker', 'off'])}`,
      dice.oneOf(codes),
    )
    if (dice.percent(60)) await placed
  }
  await test.exchange.drain()
}

t.test('each trade is one taker fill and one maker fill, and orders are the sum of their fills', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 300 })
  await trade(test, dice)
  const app = appOn(test)
  const trades = [1, 2].map(index => readAll<Fill>(app, `/events/100000${index}/trades`, 1000))
  const parts: string[] = []
  const filled = new Map<string, number>()
  for (const user of USERS) {
    const fills = await readAll<Fill>(app, `/portfolio/${user}/fills`, 7)
    t.equal(new Set(fills.map(keyOf)).size, fills.length, `${user} has none twice`)
    for (const { tradeId, role, order_id, qty } of fills) {
      parts.push(`${tradeId} ${role}`)
      filled.set(order_id, (filled.get(order_id) ?? 0) + Math.round(qty * 100))
    }
  }
  const expected = (await Promise.all(trades))
    .flat()
    .flatMap(({ tradeId: id }) => [`${id} maker`, `${id} taker`])
  t.ok(expected.length > 100)
  t.same(parts.sort(), expected.sort())
  for (const { id, lots } of test.rows<{ id: string; lots: number }>(
    "SELECT market || '-' || number || '-' || suffix AS id, filled AS lots FROM orders WHERE filled > 0",
  )) {
    if (filled.get(id) !== lots) t.fail(`the fills of ${id}`, { filled: filled.get(id), lots })
    filled.delete(id)
  }
  t.same([...filled], [], 'and no others')
})

t.test('average, realised and unrealised match a queue of purchases', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 300 })
  await trade(test, dice)
  let compared = 0
  for (let round = 0; round < 2; round++) {
    const app = appOn(test)
    for (const user of USERS) {
      const fills = await readAll<Fill>(app, `/portfolio/${user}/fills`, 1000)
      const entries = await readAll<Entry & { readonly id: string; event_id: string }>(
        app,
        `/portfolio/${user}/statement`,
        1000,
      )
      const { rows } = await readPage<Position>(app, `/portfolio/${user}/positions`)
      for (const position of rows) {
        const code = position.event_id
        const last = test.exchange.market(Number(code) as never)?.progress.lastPrice ?? 0
        const own = fills.filter(({ event_id }) => event_id === code).reverse()
        const lines = entries.filter(({ event_id }) => event_id === code)
        const merged = lines
          .filter(({ type }) => type === 'merge')
          .reduce((sum, line) => sum + line.amount, 0)
        const naive = new NaivePortfolio(10)
        for (const fill of own) naive.fill(fill)
        naive.merge(Math.round(merged * 10))
        const { yes, no, cost } = naive.held()
        t.same([position.yes, position.no], [yes / 100, no / 100], `${user} in ${code}`)
        const paid = -lines.reduce((sum, { amount }) => sum + units(amount), 0)
        const value = last * yes + (1000 - last) * no
        t.same(
          [position.average_price, units(position.realised), units(position.unrealised)],
          [Math.round(cost / (yes + no)) / 100, cost - paid, value - cost],
          `${user} in ${code}: paid ${paid}, worth ${value}`,
        )
        compared++
      }
    }
    await test.restart()
  }
  t.ok(compared >= 6)
})

const STORIES: readonly (readonly [string, readonly string[], object])[] = [
  ['bought at two prices', ['asha buy 2 @ 6', 'asha buy 1 @ 3', 'ben sell 3 @ 3'], [5, 0, -6]],
  [
    'sold a part dearer',
    ['asha buy 10 @ 4', 'ben sell 10 @ 4', 'asha sell 5 @ 6', 'cora buy 5 @ 6'],
    [4, 10, 10],
  ],
  [
    'sold a part cheaper',
    ['asha buy 4 @ 6', 'ben sell 4 @ 6', 'asha sell 1 @ 2', 'cora buy 1 @ 2'],
    [6, -4, -12],
  ],
  [
    'what was bought first is sold first',
    ['asha buy 1 @ 2', 'asha buy 1 @ 1', 'ben sell 2 @ 1', 'asha sell 1 @ 5', 'cora buy 1 @ 5'],
    [1, 3, 4],
  ],
  ['an average with crumbs', ['asha buy 1 @ 5', 'asha buy 2 @ 5.01', 'ben sell 3 @ 5'], [5.01, 0, -0.02]],
]

for (const [name, orders, figures] of STORIES) {
  t.test(`the figures of a position: ${name}`, async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(orders)
    const [position] = (await readPage<Position>(appOn(test), '/portfolio/asha/positions')).rows
    t.same([position?.average_price, position?.realised, position?.unrealised], figures)
  })
}

t.test('unavailable figures are not guessed', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6'])
  test.tamper("DELETE FROM entries WHERE kind = 'trade'")
  const [position] = (await readPage<Position>(appOn(test), '/portfolio/asha/positions')).rows
  t.match(position, { yes: 2, average_price: null, realised: null, unrealised: null })
  t.same((await readPage(appOn(test), '/portfolio/asha/fills')).rows, [])
})

t.test('fills and positions show nothing that is not on disk', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 1 @ 5'])
  const onItsWay = test.place('ben sell 1 @ 5')
  t.same(await readPage(app, '/portfolio/asha/fills'), { rows: [], next: null })
  t.same((await readPage(app, '/portfolio/asha/positions')).rows, [])
  await onItsWay
  t.equal((await readPage(app, '/portfolio/asha/fills')).rows.length, 1)
  t.equal((await readPage(app, '/portfolio/asha/positions')).rows.length, 1)
})

t.test('pages of fills neither skip nor repeat while others are made', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100_000 })
  const app = appOn(test)
  await test.create()
  const trade = () => test.playAll(['asha sell 1 @ 5', 'ben buy 1 @ 5', 'asha buy 2 @ 5', 'ben sell 2 @ 5'])
  for (let made = 0; made < 5; made++) await trade()
  const before = (await readAll<Fill>(app, '/portfolio/asha/fills', 1000)).map(keyOf)
  for (const limit of [1, 2, 3, before.length - 1, before.length, before.length + 1]) {
    const read = (await readAll<Fill>(app, '/portfolio/asha/fills', limit, trade)).map(keyOf)
    t.same(read.slice(-before.length), before, `by ${limit}`)
    t.equal(new Set(read).size, read.length)
  }
})

t.test('an invalid user, limit or cursor is refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const row = (path: string, status: number, message: string): Scenario => {
    return { name: path, path: `/portfolio/${path}`, status, answer: refusal(status, message) }
  }
  await checkScenarios(t, appOn(test), [
    ...['', '5', '-', '5-', '-5', '5-5-5', '5-x', '%00'].map(text =>
      row(`asha/fills?cursor=${text}`, 422, 'cursor: Expected the next_cursor of a page before'),
    ),
    ...['0', '1001', 'x'].map(limit => row(`asha/fills?limit=${limit}`, 422, 'limit: Expected 1 to 1000')),
    ...['cora', 'Asha', 'house', 'escrow:1000001', '%00'].map(user =>
      row(`${user}/fills`, 404, 'User not found'),
    ),
  ])
})

t.test('signed-in users who have not traded find nothing of their own, and no other user', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const finder = { find: () => TRADER }
  const { app } = appOn(test, accessFor({ mode: 'accounts', finder }))
  const get = async (path: string) => {
    const response = await app.request(path, { headers: { Authorization: 'Bearer rk_new' } })
    return (await response.json()) as { code: number; additional?: Record<string, unknown> }
  }
  t.match((await get('/portfolio/new/balance')).additional, { userid: 'new', held: 0, user_seq: 0 })
  for (const list of ['positions', 'fills', 'statement', 'settlements']) {
    t.match(await get(`/portfolio/new/${list}`), { code: 200, additional: { next_cursor: null } }, list)
  }
  t.same((await get('/order')).additional, { orders: [], next_cursor: null })
  for (const path of ['balance', 'positions', 'fills']) {
    t.equal((await get(`/portfolio/other/${path}`)).code, 403, path)
  }
  t.same(
    test.journalled().filter(({ type }) => type === 'OPEN_ACCOUNT'),
    [],
    'and no account is opened',
  )
})
