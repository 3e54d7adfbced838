import t from 'tap'
import { amount } from '../../../src/core/units.js'
import { Dice } from '../../fixtures/dice.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'

interface Point {
  readonly ts: string
  readonly cash: number
  readonly positions_value: number
  readonly paid_in: number
}
interface Performance {
  readonly from: string
  readonly to: string
  readonly complete: boolean
  readonly lines: number
  readonly totals: Readonly<Record<string, number>>
  readonly points: readonly Point[]
}

async function read<T>({ app }: TestApp, path: string): Promise<T> {
  const response = await app.request(path)
  return ((await response.json()) as { additional: T }).additional
}

/** Returns what a user has now, from the answers about now: cash, and contracts at the last prices. */
async function worthNow(app: TestApp, user: string) {
  const { cash } = await read<{ cash: number }>(app, `/portfolio/${user}/balance`)
  const { positions } = await read<{ positions: { event_id: string; yes: number; no: number }[] }>(
    app,
    `/portfolio/${user}/positions?limit=1000`,
  )
  let value = 0
  for (const { event_id, yes, no } of positions) {
    const { last_price, payout } = await read<{ last_price: number; payout: number }>(
      app,
      `/events/${event_id}`,
    )
    value += yes * last_price + no * (payout - last_price)
  }
  return { cash, positions_value: Math.round(value * 10_000) / 10_000 }
}

const STEP_MS = 1000
const USERS = ['asha', 'ben', 'eve']

t.test(
  'each point is what the user had then: through buys, sales, pairs, fees, results, refunds, deposits',
  async t => {
    const dice = Dice.fromEnvironment(t)
    const test = await TestExchange.open(t)
    const app = appOn(test)
    const create = async () => (await test.create()).terms.code
    const codes = [await create(), await create(), await create(), await create()] as const
    const withFees = test.exchange.market(codes[1])
    if (withFees === undefined) throw new Error('the market exists')
    await test.exchange.editMarket(withFees, { terms: { feeTaker: 700, feeMaker: 300 }, listing: {} })
    const seen: { at: number; cash: number; positions_value: number; paidIn: number }[] = []
    let paidIn = 0
    const note = async () => {
      await test.exchange.drain()
      test.now += STEP_MS
      seen.push({ at: test.now, ...(await worthNow(app, 'asha')), paidIn })
    }
    await test.playAll(
      USERS.map(user => `${user} buy 1 @ 1`),
      codes[0],
    )
    await note()
    for (let step = 0; step < 40; step++) {
      const code = dice.oneOf(codes)
      const market = test.exchange.market(code)
      if (step === 12 || step === 22 || step === 30) {
        if (market === undefined) throw new Error('the market exists')
        await test.exchange.moveMarket(market, 'close')
        await test.exchange.resolveMarket(market, { outcome: dice.oneOf(['yes', 'no', 'void']) })
      } else if (step % 9 === 5) {
        await test.exchange.transfer({
          userId: 'asha',
          amount: amount(1_000_000),
          direction: 'deposit',
          txnId: `d${step}`,
        })
        paidIn += 100
      } else {
        const price = dice.between(1, 9)
        for (const user of dice.percent(50) ? USERS : USERS.toReversed()) {
          const deal = dice.oneOf(['buy', 'sell'])
          const outcome = dice.oneOf(['yes', 'no'])
          await test.tryPlace(
            `${user} ${deal} ${dice.between(1, 5)} ${outcome} @ ${outcome === 'yes' ? price : 10 - price}`,
            code,
          )
        }
      }
      await note()
    }
    const [first] = seen
    const last = seen.at(-1)
    if (first === undefined || last === undefined) throw new Error('there are moments')
    const query = `from=${first.at}&to=${last.at}&points=${seen.length}`
    const answer = await read<Performance>(app, `/portfolio/asha/performance?${query}`)
    t.same(
      answer.points.map(({ ts, cash, positions_value, paid_in }) => [ts, cash, positions_value, paid_in]),
      seen.map(({ at, cash, positions_value, paidIn }) => [
        new Date(at).toISOString(),
        cash,
        positions_value,
        paidIn,
      ]),
    )
    const { entries } = await read<{ entries: { type: string; amount: number }[] }>(
      app,
      `/portfolio/asha/statement?limit=1000&from=${first.at}&to=${last.at}`,
    )
    t.equal(answer.lines, entries.length)
    t.equal(answer.complete, true)
    for (const [type, sum] of Object.entries(answer.totals)) {
      const lines = entries.filter(entry => entry.type === type)
      t.equal(sum, Math.round(lines.reduce((total, { amount }) => total + amount * 10_000, 0)) / 10_000, type)
    }
    const [begin, ...rest] = answer.points
    const end = rest.at(-1)
    const sum = Object.values(answer.totals).reduce((total, change) => total + change, begin?.cash ?? 0)
    t.equal(
      Math.round(sum * 10_000) / 10_000,
      end?.cash,
      'opening cash and all changes make the closing cash',
    )
    t.ok(test.exchange.moneyIsAllThere())
  },
)

t.test(
  'without a beginning it starts with the first line, and the welcome bonus is paid in, no profit',
  async t => {
    const test = await TestExchange.open(t)
    const app = appOn(test)
    await test.create()
    await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6'])
    await test.exchange.drain()
    test.now += HOUR
    const { from, complete, points, totals } = await read<Performance>(
      app,
      '/portfolio/asha/performance?points=2',
    )
    t.equal(Date.parse(from), START)
    t.equal(complete, true)
    t.match(
      totals,
      { opening: 1000, trade: -12 },
      'the first trade counts, though it is as old as the account',
    )
    t.match(points, [
      { cash: 0, positions_value: 0, paid_in: 0 },
      { cash: 988, positions_value: 12, paid_in: 1000 },
    ])
    const before = await read<Performance>(app, `/portfolio/asha/performance?from=${START - HOUR}&points=2`)
    t.match(before.totals, { opening: 1000, trade: -12, settlement: 0 })
    t.match(before.points, [{ cash: 0, positions_value: 0 }, { paid_in: 1000 }])
  },
)

t.test('nobody else is included, and a range after now ends now', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6', 'ben buy 1 @ 6', 'eve sell 1 @ 6'])
  await test.exchange.drain()
  const { to, points } = await read<Performance>(
    app,
    `/portfolio/asha/performance?to=${START + 1000 * HOUR}&points=2`,
  )
  t.equal(Date.parse(to), START + 1)
  t.match(points.at(-1), { cash: 988, positions_value: 12 })
})

t.test(
  'refuses too many points, ranges that end before they begin, and users without an account',
  async t => {
    const test = await TestExchange.open(t)
    const row = (path: string, code: 404 | 422, message: string) => {
      return { name: path, path: `/portfolio/${path}`, status: code, answer: refusal(code, message) }
    }
    await checkScenarios(t, appOn(test), [
      row('asha/performance?points=401', 422, 'points: Expected 2 to 400'),
      row('asha/performance?points=1', 422, 'points: Expected 2 to 400'),
      row('asha/performance?from=2&to=1', 422, 'to: Expected a time after from'),
      row('cora/performance', 404, 'User not found'),
    ])
  },
)
