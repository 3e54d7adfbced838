import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import { HOUR, MARKET, TestExchange } from '../fixtures/test-exchange.js'

/** Orders that rest, each with something that others do not have. */
const KINDS: readonly Partial<OrderRequest>[] = [
  {},
  { side: 'no', outcome: 'no', yesPrice: 7 },
  { outcome: 'no' },
  { selfTrade: 'maker' },
  { selfTrade: 'taker' },
  { postOnly: true },
  { timeInForce: 'GTD', expiresAt: 2_000_000_000_000 as TimeMs },
  { key: { name: 'a "quoted", name', fingerprint: 'one' } },
]

t.test('each open order is after a start what it was before, whatever it has', async t => {
  const test = await TestExchange.open(t)
  await test.create({ endAt: test.now + 24 * HOUR })
  const usual = { market: MARKET, userId: 'asha', side: 'yes', orderType: 'LO', selfTrade: 'off' } as const
  const terms = { outcome: 'yes', yesPrice: 3, askedPrice: 3, quantity: 2 } as const
  for (const kind of KINDS) {
    test.now += 1000
    const order = await test.exchange.placeOrder({ ...usual, ...terms, ...kind })
    t.match(order, { state: 'resting' })
  }
  // One that is filled in part, one that sells what its user has, and one that was reduced.
  await test.playAll(['asha buy 4 @ 6', 'ben sell 1 @ 6', 'ben buy 1 no @ 1', 'asha sell 1 @ 8'])
  const reduced = await test.place('cora buy 5 @ 2')
  test.now += 1000
  await test.exchange.amendOrder(`${MARKET}-${reduced.number}-${reduced.suffix}`, { quantity: 3 })
  const open = () =>
    Array.from(test.exchange.market(MARKET)?.openOrders.values() ?? [], order => ({
      ...order,
      arrival: 0,
    })).sort((a, b) => a.number - b.number)
  await test.exchange.drain()
  const before = open()
  const hashes = await test.exchange.stateHashes()
  t.ok(before.length >= KINDS.length + 3)
  t.ok(before.some(({ filled }) => filled > 0))
  t.ok(before.some(({ covered }) => covered > 0))
  t.ok(before.some(({ createdAt, updatedAt }) => createdAt < updatedAt))
  await test.restart()
  t.same(open(), before)
  t.same(await test.exchange.stateHashes(), hashes)
})
