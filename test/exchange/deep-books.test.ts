import { join } from 'node:path'
import t from 'tap'
import { MAKERS_MAX } from '../../src/core/order.js'
import type { MarketCode } from '../../src/core/units.js'
import { LOOKS_MAX } from '../../src/exchange/orders/bulk-cancels.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { CROWDED, Population, QUIET } from '../bench/populate.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** More items than V8 passes to one call on a stack of usual size. */
const DEEP = 140_000

t.test('an older journal in which one order filled a whole deep book starts, and verifies', async t => {
  const file = join(t.testdir(), 'raay.db')
  const population = new Population(file, START)
  await population.begin()
  await population.deep(DEEP)
  await population.sweep('other', DEEP)
  await population.close()
  const test = await TestExchange.open(t, { file, threads: true })
  const { openOrders, progress } = test.exchange.market(CROWDED) ?? {}
  t.equal(openOrders?.size, 1, 'only the rest of the order that met all others rests')
  t.equal(progress?.trades, DEEP)
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()
  t.same(wrong(verifyFile(file)), [])
})

t.test('no order fills or cancels more resting orders than the bound', async t => {
  const file = join(t.testdir(), 'raay.db')
  const population = new Population(file, START)
  await population.begin()
  for (const market of [CROWDED, QUIET]) await population.deep(MAKERS_MAX + 50, market)
  await population.close()
  const test = await TestExchange.open(t, { file, startingBalance: 100_000 })
  const whole = (MAKERS_MAX + 50) / 10
  for (const [market, order, end] of [
    [CROWDED, `asha buy ${whole} @ 5`, `cancelled ${MAKERS_MAX / 10} match_limit`],
    [CROWDED, 'asha buy 9 @ 5', 'partially_filled 5'],
    [QUIET, `hub buy ${whole} market self maker`, 'cancelled 0 match_limit'],
    [QUIET, 'hub buy 9 market self maker', 'cancelled 0 no_liquidity'],
  ] as const) {
    t.equal(await test.playAll([order], market), end, order)
  }
  t.equal(test.exchange.market(QUIET)?.openOrders.size, 0)
  await test.restart()
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()
  t.same(wrong(verifyFile(file)), [])
})

t.test('a cancel of all orders looks at a bounded number in a turn, and covers those before it', async t => {
  const file = join(t.testdir(), 'raay.db')
  const population = new Population(file, START)
  await population.begin()
  await population.manyOrders('asha', 6 * LOOKS_MAX, 100)
  await population.close()
  const test = await TestExchange.open(t, { file })
  let [looks, longest, isOver] = [0, 0, false]
  const turn = () => {
    longest = Math.max(longest, looks)
    looks = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const cancelAll = (market?: MarketCode) =>
    test.exchange.cancelOrders('asha', undefined, order => {
      looks++
      return market === undefined || order.market === market
    })
  /** Without the hub's order. */
  const openIn = (market: MarketCode) => (test.exchange.market(market)?.openOrders.size ?? 0) - 1
  const [inOne, inOther] = [openIn(QUIET), openIn(CROWDED)]

  const queued = test.place('asha buy 1 @ 0.1', QUIET)
  const cancelled = cancelAll(QUIET)
  const later = test.place('asha buy 1 @ 0.1', QUIET)
  t.match(await cancelled, { ended: { length: inOne + 1 }, openCount: 0 })
  t.equal(test.endOf(await queued), 'cancelled 0 user_cancelled')
  t.equal((await later).state, 'resting')
  t.same([openIn(QUIET), openIn(CROWDED)], [1, inOther])

  const all = cancelAll()
  const last = test.place('asha buy 1 @ 0.1', CROWDED)
  t.match(await all, { ended: { length: 3 * LOOKS_MAX - inOne + 1 }, openCount: 0 })
  t.equal((await last).state, 'resting')
  isOver = true
  t.ok(longest <= LOOKS_MAX && longest > LOOKS_MAX / 2, `${longest} orders in one turn`)
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()
  t.same(wrong(verifyFile(file)), [])
})
