import t from 'tap'
import type { MarketCode } from '../../src/core/units.js'
import { amount, ticks, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { HouseRows } from '../../src/store/rows/house-rows.js'
import { appOn } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const DAY = 24 * HOUR
const LATER = { endAt: START + 300 * DAY }

async function forget(test: TestExchange): Promise<void> {
  test.now += 3 * DAY
  await tick(test)
}

async function tick(test: TestExchange): Promise<void> {
  test.exchange.advanceClock()
  await test.exchange.drain()
}

t.test(
  'a start reads the house quotes of events in memory, and of others when they are asked for',
  async t => {
    const test = await TestExchange.open(t)
    const { app } = appOn(test)
    const quotes = async (code: number) => {
      const answer = await app.request(`/events/${code}/liquidity`)
      return (await answer.json()) as unknown
    }
    const codes: MarketCode[] = []
    for (const outcome of ['yes', 'void'] as const) {
      const market = await test.create({ slug: outcome })
      const { code } = market.terms
      const request = {
        market,
        budget: amount(100 * UNITS_PER_RUPEE),
        startPrice: ticks(500),
        step: ticks(10),
      }
      t.equal(await test.exchange.house.funding.fund([request]), undefined)
      await test.playAll(['asha buy 2 @ 5.5', 'asha sell 1 @ 4'], code)
      await new Operator(test).settle(outcome, code)
      codes.push(code)
    }
    const live = await test.create({ slug: 'live', ...LATER })
    const request = {
      market: live,
      budget: amount(100 * UNITS_PER_RUPEE),
      startPrice: ticks(500),
      step: ticks(10),
    }
    await test.exchange.house.funding.fund([request])
    await test.playAll(['asha buy 2 @ 5.5'], live.terms.code)
    const before = await Promise.all([...codes, live.terms.code].map(quotes))
    t.match(before, [
      { additional: { status: 'returned' } },
      { additional: {} },
      { additional: { status: 'running' } },
    ])
    const all = [...codes, live.terms.code]
    await forget(test)
    for (const code of codes) t.equal(test.exchange.directory.inMemory(code), undefined)
    t.same(await Promise.all(all.map(quotes)), before)
    const [order] = test.rows<{ id: string }>(
      `SELECT market || '-' || orders.number || '-' || suffix AS id FROM orders JOIN accounts ON accounts.number = account
     WHERE owner = 'maker:${codes[0]}'`,
    )
    const isHidden = async () => (await app.request(`/order/${order?.id}`)).status
    t.equal(await isHidden(), 404)
    const { of } = HouseRows.prototype
    const read: number[] = []
    t.teardown(() => {
      HouseRows.prototype.of = of
    })
    HouseRows.prototype.of = function (market) {
      read.push(market)
      return of.call(this, market)
    }
    await test.restart()
    t.same(
      read.filter(code => codes.includes(code as MarketCode)),
      [],
      'a start reads none of events that are forgotten',
    )
    const again = appOn(test).app
    for (const [index, code] of all.entries()) {
      t.same(await (await again.request(`/events/${code}/liquidity`)).json(), before[index])
    }
    t.equal((await again.request(`/order/${order?.id}`)).status, 404)
    t.match(
      await test.place('ben buy 1 @ 5.6', live.terms.code),
      { filled: 100 },
      'those of a live one go on',
    )
    for (const code of codes) t.match(await test.place('ben buy 1 @ 5.6', code), { state: 'rejected' })
    t.ok(test.exchange.moneyIsAllThere())
    await tick(test)
    for (const code of codes) t.equal(test.exchange.directory.inMemory(code), undefined)
  },
)
