import type { Test } from 'tap'
import t from 'tap'
import type { MarketCode } from '../../../src/core/units.js'
import { Dice } from '../../fixtures/dice.js'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { START, TestExchange } from '../../fixtures/test-exchange.js'

interface Entry {
  readonly id: string
  readonly type: string
  readonly amount: number
  readonly cash: number
  readonly event_id: string | null
  readonly order_id: string | null
  readonly trade_id: string | null
  readonly txn_id: string | null
}

interface Settlement {
  readonly event_id: string
  readonly paid: number
  readonly payment: number
  readonly result: number
}

/** Reads a page of a user's list. */
async function page<Row>({ app }: TestApp, path: string): Promise<{ rows: Row[]; next: string | null }> {
  const response = await app.request(`/portfolio/${path}`)
  const { additional } = (await response.json()) as { additional: Record<string, unknown> }
  const { next_cursor: next, entries, settlements } = additional
  return { rows: (entries ?? settlements) as Row[], next: next as string | null }
}

/** Reads the whole list, page by page; `between` runs after each. */
async function whole<Row>(
  app: TestApp,
  path: string,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const all: Row[] = []
  let cursor = ''
  for (;;) {
    const { rows, next } = await page<Row>(app, `${path}?limit=${limit}${cursor}`)
    if (rows.length > limit) throw new Error(`a page of ${limit} has ${rows.length} rows`)
    all.push(...rows)
    if (next === null) return all
    cursor = `&cursor=${encodeURIComponent(next)}`
    await between()
  }
}

const units = (rupees: number) => Math.round(rupees * 10_000)
const close = (test: TestExchange, code: MarketCode) => {
  const market = test.exchange.market(code)
  return market && test.exchange.moveMarket(market, 'close')
}
const resolve = (test: TestExchange, code: MarketCode, outcome: 'yes' | 'no' | 'void') => {
  const market = test.exchange.market(code)
  return market && test.exchange.resolveMarket(market, { outcome })
}
const deposit = (test: TestExchange, userId: string, rupees: number, txnId: string) =>
  test.exchange.transfer({ userId, direction: 'deposit', amount: units(rupees) as never, txnId })

t.test('each change of cash is a line with its origin', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const { code } = (await test.create()).terms
  await deposit(test, 'asha', 12.5, 'd1')
  await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6', 'asha buy 1 no @ 4', 'ben buy 1 @ 6'])
  await close(test, code)
  await resolve(test, code, 'yes')
  await test.exchange.drain()
  const lines = (await whole<Entry>(app, 'asha/statement', 100)).map(
    ({ type, amount, cash, event_id, order_id, trade_id, txn_id }) =>
      [type, amount, cash, event_id, order_id?.slice(0, 9) ?? null, trade_id, txn_id] as const,
  )
  const event = String(code)
  t.same(lines, [
    ['settlement', 10, 1016.5, event, null, null, null],
    // Buying NO sold one of her YES.
    ['trade', 6, 1006.5, event, `${event}-3`, `${event}-2`, null],
    ['trade', -12, 1000.5, event, `${event}-1`, `${event}-1`, null],
    ['deposit', 12.5, 1012.5, null, null, null, 'd1'],
    ['opening', 1000, 1000, null, null, null, null],
  ])
  const [line] = await whole<Record<string, unknown>>(app, 'asha/statement', 100)
  const fields = ['id', 'createdAt', 'type', 'amount', 'cash', 'event_id', 'order_id', 'trade_id', 'txn_id']
  t.same(Object.keys(line ?? {}), fields)
  t.equal(line?.createdAt, new Date(START).toISOString())
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('the order named in a line leads to that order', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6'])
  const [trade] = await whole<Entry>(app, 'ben/statement', 1)
  const response = await app.app.request(`/order/${trade?.order_id}`)
  t.match(await response.json(), { code: 200, additional: { userid: 'ben', state: 'filled' } })
})

/** Brings about a line of every kind, whatever the dice; eve and fay keep what they have until the end. */
async function everyKind(test: TestExchange, codes: readonly MarketCode[]): Promise<void> {
  for (const code of codes) await test.playAll(['fay sell 2 @ 5', 'eve buy 2 @ 5'], code)
  const moved = { userId: 'eve', amount: 100 as never }
  await test.exchange.transfer({ ...moved, direction: 'deposit', txnId: 'first in' })
  await test.exchange.transfer({ ...moved, direction: 'withdrawal', txnId: 'first out' })
  // Two purchases under way at the same time make a pair, which is merged.
  const [code] = codes
  await test.playAll(['ben sell 1 @ 6', 'cora sell 1 no @ 6'], code)
  await Promise.all([test.place('asha buy 1 @ 6', code), test.place('asha buy 1 no @ 6', code)])
  await test.exchange.drain()
}

/** Trades at random in two markets, with transfers; both end, the second with `outcome`. */
async function liveALife(t: Test, test: TestExchange, dice: Dice, outcome: 'no' | 'void'): Promise<string[]> {
  const users = ['asha', 'ben', 'cora', 'dev'] as const
  const codes = [(await test.create()).terms.code, (await test.create()).terms.code] as const
  await everyKind(test, codes)
  for (let step = 0; step < 300; step++) {
    const user = dice.oneOf(users)
    if (dice.percent(10)) {
      const direction = dice.percent(50) ? ('deposit' as const) : ('withdrawal' as const)
      const amount = (dice.between(1, 20_000) * 100) as never
      await test.exchange.transfer({ userId: user, direction, amount, txnId: `txn ${step}` })
      continue
    }
    const offer = `${dice.oneOf(['buy', 'sell'])} ${dice.between(10, 2000) / 100} ${dice.oneOf(['yes', 'no'])}`
    const price = dice.percent(15) ? 'market' : `@ ${dice.between(400, 600) / 100}`
    const placed = test.place(
      `${user} ${offer} ${price} self ${dice.oneOf(['taker', 'off'])}`,
      dice.oneOf(codes),
    )
    if (dice.percent(30)) await placed
  }
  await test.exchange.drain()
  const [first, second] = codes
  await close(test, first)
  await Promise.all([resolve(test, first, 'yes'), resolve(test, second, 'void'), close(test, second)])
  await resolve(test, second, outcome)
  await test.exchange.drain()
  t.ok(test.exchange.moneyIsAllThere())
  return [...users, 'eve', 'fay']
}

t.test('the statement adds up to the balance line by line, to the last unit', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 300 })
  const kinds = new Set<string>()
  const users = await liveALife(t, test, dice, 'void')
  for (let round = 0; round < 2; round++) {
    const app = appOn(test)
    for (const user of users) {
      const lines = await whole<Entry>(app, `${user}/statement`, 7)
      let cash = 0
      for (const line of lines.toReversed()) {
        cash += units(line.amount)
        kinds.add(line.type)
        if (units(line.cash) !== cash) t.fail(`${user}: the cash after line ${line.id}`, { line, cash })
        if (line.amount === 0) t.fail(`${user}: a line that changes nothing`, { line })
      }
      t.equal(cash, test.exchange.balance(user)?.cash, `${user}: ${lines.length} lines`)
      t.equal(new Set(lines.map(({ id }) => id)).size, lines.length, 'no line is there twice')
    }
    await test.restart()
  }
  for (const kind of ['opening', 'deposit', 'withdrawal', 'trade', 'merge', 'settlement', 'void']) {
    t.ok(kinds.has(kind), `there were lines of the kind ${kind}`)
  }
})

t.test('the result of each event is the sum of its lines', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 300 })
  const app = appOn(test)
  for (const user of await liveALife(t, test, dice, 'no')) {
    const lines = await whole<Entry>(app, `${user}/statement`, 1000)
    for (const settlement of await whole<Settlement>(app, `${user}/settlements`, 1)) {
      const { event_id, paid, payment, result } = settlement
      const own = lines.filter(line => line.event_id === event_id)
      const sum = own.reduce((total, { amount }) => total + units(amount), 0)
      t.equal(units(result), sum, `${user} in ${event_id}`)
      t.equal(units(result), units(payment) - units(paid))
    }
  }
})

t.test('settlements are listed newest event first, with who won and lost', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  for (const outcome of ['yes', 'no', 'void'] as const) {
    const { code } = (await test.create()).terms
    await test.playAll(['asha buy 10 @ 6.25', 'ben sell 10 @ 6.25'], code)
    await close(test, code)
    await resolve(test, code, outcome)
  }
  await test.exchange.drain()
  const settledAt = new Date(START).toISOString()
  const row = (code: number, outcome: string, yes: number, paid: number, payment: number) => {
    const contracts = { yes, no: 10 - yes }
    return { event_id: String(code), outcome, ...contracts, paid, payment, result: payment - paid, settledAt }
  }
  t.same(await whole(app, 'asha/settlements', 2), [
    row(1_000_003, 'void', 10, 62.5, 62.5),
    row(1_000_002, 'no', 10, 62.5, 0),
    row(1_000_001, 'yes', 10, 62.5, 100),
  ])
  t.same(await whole(app, 'ben/settlements', 1), [
    row(1_000_003, 'void', 0, 37.5, 37.5),
    row(1_000_002, 'no', 0, 37.5, 100),
    row(1_000_001, 'yes', 0, 37.5, 0),
  ])
})

t.test('settlements are listed by when they were paid, whatever the codes of their events', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  for (let index = 0; index < 4; index++) {
    const { code } = (await test.create()).terms
    await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'], code)
    await close(test, code)
  }
  // The third and the second are paid at the same moment.
  for (const [code, after] of [
    [1_000_004, 60_000],
    [1_000_001, 60_000],
    [1_000_003, 60_000],
    [1_000_002, 0],
  ]) {
    test.now += after as number
    await resolve(test, code as MarketCode, 'yes')
    await test.exchange.drain()
  }
  const codes = (rows: readonly Settlement[]) => rows.map(({ event_id }) => Number(event_id) - 1_000_000)
  for (const limit of [1, 2, 3, 1000]) {
    t.same(codes(await whole<Settlement>(app, 'asha/settlements', limit)), [3, 2, 1, 4], `by ${limit}`)
  }
  const found = async (query: string) =>
    codes((await page<Settlement>(app, `asha/settlements?${query}`)).rows)
  t.same(await found(`from=${START + 120_000}`), [3, 2, 1])
  t.same(await found(`from=${START + 120_000}&to=${START + 180_000}`), [1])
  t.same(await found('event_id=1000004&limit=1'), [4], 'one event, however many came later')
  t.same(await found(`event_id=1000004&from=${START + 120_000}`), [])
  t.same(await found(`event_id=1000004&cursor=${START + 60_000}-1000004`), [], 'nothing comes after it')
})

const AHEAD = [
  { left: 1060, paysBack: 60 },
  { left: 20, paysBack: 20 },
  { left: 0, paysBack: 0 },
]

for (const { left, paysBack } of AHEAD) {
  t.test(`who is 60 ahead in a voided event, with ${left} left, pays back ${paysBack}`, async t => {
    const test = await TestExchange.open(t)
    const { code } = (await test.create()).terms
    await test.playAll(['asha buy 10 @ 2', 'ben sell 10 @ 2', 'cora buy 10 @ 8', 'asha sell 10 @ 8'])
    const taken = units(1060 - left) as never
    const out = { userId: 'asha', direction: 'withdrawal', amount: taken, txnId: 'w1' } as const
    if (taken > 0) await test.exchange.transfer(out)
    await resolve(test, code, 'void')
    await test.exchange.drain()
    const app = appOn(test)
    const [settlement] = await whole<Settlement>(app, 'asha/settlements', 10)
    t.match(settlement, { outcome: 'void', paid: -60, payment: -paysBack, result: 60 - paysBack })
    const [line] = await whole<Entry>(app, 'asha/statement', 1)
    const unwound = { type: 'void', amount: -paysBack, cash: left - paysBack }
    t.match(line, paysBack > 0 ? unwound : { type: 'withdrawal', cash: 0 })
    for (const user of ['ben', 'cora']) t.equal(test.money(user), 'cash 1000 held 0 available 1000', user)
    t.same(test.failures, [])
    t.ok(test.exchange.moneyIsAllThere())
  })
}

t.test('pages neither skip nor repeat a line, also while new ones are written', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.create()
  for (let index = 0; index < 12; index++) await deposit(test, 'asha', 1, `d${index}`)
  await test.playAll(['ben sell 1 @ 5', 'ben sell 1 @ 5.1', 'ben sell 1 @ 5.2', 'asha buy 3 market'])
  const before = await whole<Entry>(app, 'asha/statement', 1000)
  t.equal(before.length, 16)
  for (const limit of [1, 2, 3, 15, 16, 17]) {
    let more = 0
    const read = await whole<Entry>(app, 'asha/statement', limit, async () => {
      more++
      await deposit(test, 'asha', 1, `while reading ${limit} ${more}`)
    })
    const known = new Set(before.map(({ id }) => id))
    t.same(
      read.filter(({ id }) => known.has(id)),
      before,
      `by ${limit}`,
    )
    t.equal(new Set(read.map(({ id }) => id)).size, read.length)
  }
  const { rows, next } = await page<Entry>(app, 'ben/statement?limit=4')
  t.same([rows.length, next], [4, null], 'a last page that is full has no next')
})

t.test('an invalid cursor and an unknown user are refused', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.place('asha buy 1 @ 5')
  const cursor = 'cursor: Expected the next_cursor of a page before'
  const row = (path: string, status: number, message: string): Scenario => {
    return { name: path, path: `/portfolio/${path}`, status, answer: refusal(status, message) }
  }
  const odd = ['', '5', '-', '5-', '-5', '5-5-5', '5-x', '1e3-1', '%205-1', '9999999999999999-1', "1-1'--"]
  const codes = ['', '5', '1000001', '-1000001', '5-', '5-10000010', '5-abcdefg', '5-1000001%20', '5--000001']
  const empty = (path: string, message: string, additional: object): Scenario => {
    const answer = { status: true, code: 200, message, additional: { ...additional, next_cursor: null } }
    return { name: path, path: `/portfolio/${path}`, status: 200, answer }
  }
  await checkScenarios(t, appOn(test), [
    ...odd.map(text => row(`asha/statement?cursor=${text}`, 422, cursor)),
    ...codes.map(text => row(`asha/settlements?cursor=${text}`, 422, cursor)),
    ...['0', '1001', 'x'].flatMap(limit => [
      row(`asha/statement?limit=${limit}`, 422, 'limit: Expected 1 to 1000'),
      row(`asha/settlements?limit=${limit}`, 422, 'limit: Expected 1 to 1000'),
    ]),
    row('asha/settlements?event_id=1000009', 404, 'Event not found'),
    ...['cora', 'Asha', 'house', 'external', 'escrow:1000001', '3', '%00'].flatMap(user => [
      row(`${user}/statement`, 404, 'User not found'),
      row(`${user}/settlements`, 404, 'User not found'),
    ]),
    empty('asha/settlements', 'Settlements fetched successfully', { settlements: [] }),
    empty('asha/statement?cursor=0-0', 'Statement fetched successfully', { entries: [] }),
    empty('asha/settlements?cursor=5-1000001', 'Settlements fetched successfully', { settlements: [] }),
  ])
})
