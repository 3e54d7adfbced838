import t from 'tap'
import type { OrderOptions } from '../../src/core/order-options.js'
import { givenOptions } from '../../src/core/order-options.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { TimeMs } from '../../src/core/units.js'
import type { CapacityRefusal } from '../../src/exchange/capacity.js'
import { MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

type Asked = Partial<OrderRequest> & { readonly price: number; readonly quantity: number }

async function openMarket(t: Parameters<typeof TestExchange.open>[0]) {
  const test = await TestExchange.open(t)
  await test.create()
  const ask = async (
    userId: string,
    side: 'yes' | 'no',
    asked: Asked,
  ): Promise<OrderRecord | CapacityRefusal | 'key_used'> => {
    const { price, ...rest } = asked
    return test.exchange.placeOrder({
      market: MARKET,
      userId,
      side,
      orderType: 'LO',
      selfTrade: 'taker',
      outcome: 'yes',
      yesPrice: price,
      askedPrice: price,
      ...rest,
    })
  }
  const place = async (...args: Parameters<typeof ask>): Promise<string> => {
    const order = await ask(...args)
    return typeof order === 'string' ? order : test.endOf(order)
  }
  return { test, ask, place }
}

t.test('an immediate order fills what it can and never rests', async t => {
  const { test, place } = await openMarket(t)
  await test.playAll(['ben sell 3 @ 5', 'ben sell 3 @ 6'])
  const timeInForce = 'IOC'
  t.equal(await place('asha', 'yes', { price: 5, quantity: 10, timeInForce }), 'cancelled 3 no_liquidity')
  t.equal(await place('asha', 'yes', { price: 5, quantity: 1, timeInForce }), 'cancelled 0 no_liquidity')
  t.equal(await place('asha', 'yes', { price: 6, quantity: 3, timeInForce }), 'filled 3')
  t.equal(test.book(), '- | -')
  t.equal(test.money('asha'), 'cash 967 held 0 available 967')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a fill-or-kill order fills completely or does nothing', async t => {
  const { test, place } = await openMarket(t)
  await test.playAll(['ben sell 3 @ 5', 'asha sell 2 @ 5.5', 'cora sell 3 @ 6'])
  const fok = { timeInForce: 'FOK' as const }
  t.equal(await place('dev', 'yes', { ...fok, price: 6, quantity: 8.01 }), 'cancelled 0 fill_or_kill')
  t.equal(await place('dev', 'yes', { ...fok, price: 5.99, quantity: 6 }), 'cancelled 0 fill_or_kill')
  t.equal(
    await place('asha', 'yes', { ...fok, price: 6, quantity: 4 }),
    'cancelled 0 fill_or_kill',
    'meets its own',
  )
  t.equal(test.book(), '- | 3@5 2@5.5 3@6', 'nothing was touched')
  t.equal(test.money('dev'), 'cash 1000 held 0 available 1000')
  const maker = { ...fok, selfTrade: 'maker' as const }
  t.equal(await place('asha', 'yes', { ...maker, price: 6, quantity: 6.01 }), 'cancelled 0 fill_or_kill')
  t.equal(test.book(), '- | 3@5 2@5.5 3@6', 'the own resting order stays when the incoming one is killed')
  t.equal(await place('asha', 'yes', { ...maker, price: 6, quantity: 4 }), 'filled 4')
  t.equal(await place('dev', 'yes', { ...fok, price: 6, quantity: 2 }), 'filled 2')
  t.equal(test.book(), '- | -')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a fill-or-kill order respects the remaining capacity', async t => {
  const test = await TestExchange.open(t)
  await test.create({ capacity: 500 as never })
  await test.playAll(['ben sell 10 @ 5'])
  const order = (quantity: number) =>
    test.exchange.placeOrder({
      market: MARKET,
      userId: 'asha',
      side: 'yes',
      orderType: 'LO',
      selfTrade: 'taker',
      timeInForce: 'FOK',
      outcome: 'yes',
      yesPrice: 5,
      askedPrice: 5,
      quantity,
    })
  t.match(await order(5.01), { reason: 'fill_or_kill' })
  t.match(await order(5), { state: 'filled' })
})

t.test('a post-only order rests or is refused, and never takes', async t => {
  const { test, place } = await openMarket(t)
  await test.playAll(['ben sell 3 @ 5'])
  const postOnly = true as const
  t.equal(await place('asha', 'yes', { price: 5, quantity: 1, postOnly }), 'rejected 0 order_would_take')
  t.equal(await place('asha', 'yes', { price: 4.99, quantity: 1, postOnly }), 'resting 0')
  t.equal(await place('dev', 'no', { price: 4.99, quantity: 1, postOnly }), 'rejected 0 order_would_take')
  t.equal(await place('dev', 'no', { price: 5, quantity: 1, postOnly }), 'resting 0')
  t.equal(test.money('asha'), 'cash 1000 held 4.99 available 995.01')
})

t.test('a reduce-only order sells owned contracts, and never buys', async t => {
  const { test, place } = await openMarket(t)
  await test.playAll(['ben sell 3 @ 5', 'asha buy 3 @ 5'])
  const reduceOnly = true as const
  t.equal(
    await place('asha', 'no', { price: 6, quantity: 3.01, reduceOnly }),
    'rejected 0 position_insufficient',
  )
  t.equal(
    await place('asha', 'yes', { price: 1, quantity: 1, reduceOnly }),
    'rejected 0 position_insufficient',
  )
  t.equal(await place('asha', 'no', { price: 6, quantity: 2, reduceOnly }), 'resting 0')
  t.equal(
    await place('asha', 'no', { price: 6, quantity: 1.01, reduceOnly }),
    'rejected 0 position_insufficient',
  )
  t.equal(await place('asha', 'no', { price: 6, quantity: 1, reduceOnly }), 'resting 0')
  t.equal(test.money('asha'), 'cash 985 held 0 available 985')
})

t.test('an order executed after its valid_until is refused', async t => {
  const { test, ask, place } = await openMarket(t)
  await test.playAll(['asha buy 1 @ 1'])
  const validUntil = (START + 5) as TimeMs
  t.equal(await place('asha', 'yes', { price: 5, quantity: 1, validUntil }), 'resting 0')
  const waiting = ask('asha', 'yes', { price: 5, quantity: 1, validUntil })
  test.now = START + 6
  t.match(await waiting, { state: 'rejected', reason: 'order_expired' })
  t.equal(await place('asha', 'yes', { price: 5, quantity: 1, validUntil }), 'rejected 0 order_expired')
  test.now = START + 5000
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(test.book(), '1@5 1@1 | -', 'what rests already stays')
})

t.test('one key gives one order, however often and whenever it is sent', async t => {
  const { test, ask } = await openMarket(t)
  const asked = { price: 5, quantity: 1, key: { name: 'k1', fingerprint: 'a' } }
  const ids = async (count: number) => {
    const orders = await Promise.all(Array.from({ length: count }, () => ask('asha', 'yes', asked)))
    return [...new Set(orders.map(order => (typeof order === 'string' ? order : orderId(order))))]
  }
  const first = await ids(20)
  t.equal(first.length, 1)
  t.equal(test.book(), '1@5 | -')
  await test.playAll(['ben sell 1 @ 5'])
  t.same(await ids(2), first, 'also when it has ended')
  await test.restart()
  t.same(await ids(3), first)
  t.equal(test.journalled().filter(({ type }) => type === 'CREATE_ORDER').length, 2)
  t.match(
    await ask('ben', 'yes', { ...asked, price: 1 }),
    { state: 'resting' },
    'another user may use the same key',
  )
})

t.test('a used key is refused for any other order', async t => {
  const { test, ask } = await openMarket(t)
  const key = (fingerprint: string) => ({ key: { name: 'k1', fingerprint } })
  const [one, other] = await Promise.all([
    ask('asha', 'yes', { price: 5, quantity: 1, ...key('a') }),
    ask('asha', 'yes', { price: 6, quantity: 1, ...key('b') }),
  ])
  t.match(one, { state: 'resting' })
  t.equal(other, 'key_used')
  const refused = await ask('ben', 'yes', { price: 9.99, quantity: 1, ...key('c') })
  t.match(refused, { state: 'rejected' })
  const again = await ask('ben', 'yes', { price: 9.99, quantity: 1, ...key('c') })
  t.equal(typeof again === 'object' && orderId(again), typeof refused === 'object' && orderId(refused))
  t.equal(test.book(), '1@5 | -')
})

t.test('an order refused by a full queue does not use up its key', async t => {
  const test = await TestExchange.open(t, { queueLengthMax: 1, shardCount: 1 })
  await test.create()
  await test.place('asha buy 1 @ 1')
  const request: OrderRequest = {
    market: MARKET,
    userId: 'asha',
    side: 'yes',
    orderType: 'LO',
    selfTrade: 'taker',
    key: { name: 'k1', fingerprint: 'a' },
    outcome: 'yes',
    yesPrice: 2,
    askedPrice: 2,
    quantity: 1,
  }
  const keyed = [test.exchange.placeOrder(request), test.exchange.placeOrder(request)]
  const inTheQueue = test.create()
  t.same(await Promise.all(keyed), ['queue_full', 'queue_full'])
  await inTheQueue
  t.match(await test.exchange.placeOrder(request), { state: 'resting' })
})

t.test('each option counts, also alone', t => {
  const all: Required<OrderOptions> = {
    timeInForce: 'GTC',
    expiresAt: 0 as TimeMs,
    validUntil: 0 as TimeMs,
    postOnly: true,
    reduceOnly: true,
    quoteSet: 'main',
  }
  for (const [name, value] of Object.entries(all)) t.same(givenOptions({ [name]: value }), { [name]: value })
  t.same(givenOptions(all), all)
  t.same(givenOptions({ timeInForce: undefined }), {})
  t.end()
})
