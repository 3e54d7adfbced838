import t from 'tap'
import type { Outcome } from '../../../src/core/market.js'
import type { MarketCode } from '../../../src/core/units.js'
import { lots } from '../../../src/core/units.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { Operator } from '../../fixtures/operator.js'
import { HOUR, MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'

interface Part {
  readonly userid: string
  readonly yes: number
  readonly no: number
  readonly paid: number
  readonly payment: number
  readonly result: number
}

interface Preview {
  readonly totals: Readonly<Record<string, number>> | null
  readonly settlements: readonly Part[]
  readonly next_cursor: string | null
}

async function ask({ app }: TestApp, query: string, code: number = MARKET, from = '127.0.0.1') {
  const path = `/events/${code}/settlement${query}`
  const response = await app.request(path, { headers: { Host: 'localhost' } }, peer(from))
  return (await response.json()) as { code: number; message: string; additional?: Preview }
}

async function preview(app: TestApp, outcome: Outcome, code?: number): Promise<Preview> {
  const { additional, message } = await ask(app, `?outcome=${outcome}`, code)
  if (additional === undefined) throw new Error(message)
  return additional
}

const told = async (app: TestApp, query: string, code?: number) => {
  const { code: status, message } = await ask(app, query, code)
  return `${status} ${message}`
}

/** Returns the actual settlement, in the format of the preview. */
function settled(test: TestExchange, code: MarketCode): Part[] {
  const rows = test.rows<{ owner: string; yes: number; no: number; paid: number; payment: number }>(
    `SELECT owner, yes, no, paid, payment FROM settlements JOIN accounts ON number = account
     WHERE market = ${code} ORDER BY account`,
  )
  return rows.map(({ owner, yes, no, paid, payment }) => ({
    userid: owner.slice(5),
    yes: yes / 100,
    no: no / 100,
    paid: paid / 10_000,
    payment: payment / 10_000,
    result: (payment - paid) / 10_000,
  }))
}

/** Trades until asha is ahead and has spent it, ben and cora hold, dev is flat, eve holds both outcomes. */
async function trade(test: TestExchange, code: MarketCode): Promise<void> {
  await test.playAll(
    [
      'ben sell 10 @ 2',
      'asha buy 10 @ 2',
      'cora buy 10 @ 9',
      'asha sell 10 @ 9',
      'dev buy 3 @ 5',
      'ben sell 3 @ 5',
      'dev sell 3 @ 5',
      'cora buy 3 @ 5',
      'eve buy 5 @ 6',
      'ben sell 5 @ 6',
      'eve sell 5 @ 9',
    ],
    code,
  )
}

const FEES = { taker: 300, maker: 100, categories: new Map() }

t.test('the preview of each outcome matches its settlement', async t => {
  const outcomes = ['yes', 'no', 'void'] as const
  for (const [outcome, fees] of outcomes.flatMap(outcome => [[outcome] as const, [outcome, FEES] as const])) {
    const test = await TestExchange.open(t, { startingBalance: 150, ...(fees && { fees }) })
    const app = appOn(test)
    await test.create()
    await trade(test, MARKET)
    const operator = new Operator(test)
    await operator.move('close')
    await test.exchange.drain()
    t.match(await operator.transfer('asha withdrawal 200 as w1'), /^withdrawal/)
    const before = test.journalled().length
    const { totals, settlements } = await preview(app, outcome)
    t.equal(test.journalled().length, before, 'nothing is written')
    t.equal(totals?.sum, 0, 'nothing is left over')
    t.equal((totals?.fees ?? 0) > 0, fees !== undefined && outcome !== 'void')
    t.equal(totals?.users, settlements.length)
    const cash = (userid: string) => test.exchange.balance(userid)?.cash ?? 0
    const was = settlements.map(({ userid }) => cash(userid))

    await operator.resolve(outcome)
    await test.exchange.drain()
    t.strictSame(settlements, settled(test, MARKET), outcome)
    const got = settlements.map(({ userid }, index) => (cash(userid) - (was[index] ?? 0)) / 10_000)
    t.same(
      got,
      settlements.map(({ payment }) => payment),
      'the cash says so too',
    )
    const sum = (pick: (part: Part) => number) => settlements.reduce((all, part) => all + pick(part), 0)
    t.equal(
      totals?.payout,
      sum(({ payment }) => Math.max(0, payment)),
    )
    t.equal(
      totals?.collected,
      sum(({ payment }) => Math.max(0, -payment)),
    )
    const [short] = test.rows<{ sum: number }>(
      "SELECT ifnull(-sum(change), 0) AS sum FROM entries WHERE kind = 'shortfall'",
    )
    t.equal(totals?.shortfall, (short?.sum ?? 0) / 10_000)
    t.equal((totals?.shortfall ?? 0) > 0, outcome === 'void', 'asha owes more than she has')
    t.same([totals?.yes, totals?.no], [18, 18])
  }
})

t.test('the preview of a void counts the money that its own orders release', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100 })
  const app = appOn(test)
  await test.create()
  await test.create()
  await trade(test, MARKET)
  // All of her cash waits in orders: some here, some in another event.
  await test.playAll(['asha buy 20 @ 1', 'asha sell 10 @ 9.5'], MARKET)
  await test.playAll(['asha buy 14 @ 5', 'asha buy 7 @ 9'], (MARKET + 1) as MarketCode)
  const { totals, settlements } = await preview(app, 'void')
  const asha = settlements.find(({ userid }) => userid === 'asha')
  t.same([asha?.paid, (asha?.payment ?? 0) < 0, (asha?.payment ?? 0) > -70], [-70, true, true])
  t.equal(totals?.sum, 0)
  await new Operator(test).resolve('void')
  await test.exchange.drain()
  t.strictSame(settlements, settled(test, MARKET))
})

t.test('pages show each user once, with the totals on the first page', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100 })
  const app = appOn(test)
  await test.create()
  await trade(test, MARKET)
  const whole = await preview(app, 'void')
  const pages: Part[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { additional } = await ask(app, `?outcome=void&limit=2${cursor && `&cursor=${cursor}`}`)
    t.strictSame(additional?.totals, cursor === '' ? whole.totals : null)
    pages.push(...(additional?.settlements ?? []))
    cursor = additional?.next_cursor ?? null
  }
  t.strictSame(pages, whole.settlements)
  t.ok(pages.length >= 4)
})

t.test('an impossible request is refused', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const operator = new Operator(test)
  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR, capacity: lots(100) })
  t.equal(await told(app, '?outcome=yes'), '409 Event is scheduled: close it first')
  t.match((await ask(app, '?outcome=void')).additional, {
    totals: { users: 0, yes: 0, no: 0, escrow: 0, payout: 0, collected: 0, shortfall: 0, sum: 0 },
    settlements: [],
    next_cursor: null,
  })
  t.equal(await told(app, ''), '422 outcome: Required')
  t.equal(
    await told(app, '?outcome=maybe'),
    "422 outcome: Invalid enum value. Expected 'yes' | 'no' | 'void', received 'maybe'",
  )
  t.equal(await told(app, '?outcome=yes&cursor=x'), '422 cursor: Expected the next_cursor of a page before')
  t.equal(await told(app, '?outcome=yes', MARKET + 1), '404 Event not found')
  const stranger = { headers: { Authorization: '' } }
  const path = `/events/${MARKET}/settlement?outcome=void`
  t.equal((await app.app.request(path, stranger)).status, 401, 'only operators see it')
  await operator.move('close')
  t.equal((await ask(app, '?outcome=no')).code, 200)
  await operator.resolve('no')
  for (const outcome of ['yes', 'no', 'void']) {
    t.equal(
      await told(app, `?outcome=${outcome}`),
      '409 Event is resolved as no: its outcome can no longer change',
    )
  }
})
