import { join } from 'node:path'
import t from 'tap'
import { MAKERS_MAX } from '../../src/core/order.js'
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
