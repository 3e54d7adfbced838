import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import { amount } from '../../src/core/units.js'
import type { CapacityRefusal } from '../../src/exchange/capacity.js'
import type { CancelledAll } from '../../src/exchange/orders/bulk-cancels.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const OTHER = (MARKET + 1) as typeof MARKET

async function openMarkets(t: Parameters<typeof TestExchange.open>[0], options = {}) {
  const test = await TestExchange.open(t, options)
  await test.create()
  await test.create()
  return test
}

/** Amends to `5 @ 4.2`, `5` or `@ 4.2`: contracts in all, and the YES price. */
async function amend(test: TestExchange, order: OrderRecord, text: string): Promise<OrderRecord> {
  const [quantity, price] = text.split('@').map(part => part.trim())
  const amended = await test.exchange.amendOrder(orderId(order), {
    ...(quantity ? { quantity: Number(quantity) } : {}),
    ...(price === undefined ? {} : { price: Number(price) }),
  })
  if (typeof amended !== 'object') throw new Error(`not amended: ${amended}`)
  return 'endedBefore' in amended ? amended.endedBefore : amended
}

function endedOf(cancelled: CancelledAll | CapacityRefusal): string {
  return typeof cancelled === 'string'
    ? cancelled
    : `${cancelled.ended.length} ended, ${cancelled.openCount} open`
}

t.test('reducing the quantity keeps the place in the queue, and releases the excess hold', async t => {
  const test = await openMarkets(t)
  const first = await test.place('asha buy 10 @ 5')
  await test.place('ben buy 10 @ 5')
  t.equal(await amend(test, first, '4'), first, 'it is the same order')
  t.equal(test.money('asha'), 'cash 1000 held 20 available 980')
  t.equal(test.book(), '14@5 | -')
  await test.place('cora sell 5 @ 5')
  t.equal(test.endOf(first), 'filled 4', 'before the other')
  await test.restart()
  t.match(await test.exchange.findOrder(orderId(first)), { quantity: 400 })
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('reducing an order that sells and buys removes the bought part first', async t => {
  const test = await openMarkets(t)
  await test.playAll(['ben sell 4 @ 5', 'asha buy 4 @ 5'])
  const order = await test.place('asha sell 10 @ 6')
  t.equal(test.contracts('asha'), 'yes 4 no 0 locked 4 0')
  t.equal(test.money('asha'), 'cash 980 held 24 available 956')
  await amend(test, order, '7')
  t.equal(test.money('asha'), 'cash 980 held 12 available 968')
  await amend(test, order, '3')
  t.equal(test.contracts('asha'), 'yes 4 no 0 locked 3 0')
  t.equal(test.money('asha'), 'cash 980 held 0 available 980')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a new price or a larger quantity makes a new order at the end of the queue', async t => {
  const test = await openMarkets(t)
  const first = await test.place('asha buy 10 @ 5')
  await test.place('ben buy 10 @ 5')
  const more = await amend(test, first, '12')
  t.not(more.number, first.number)
  t.equal(test.endOf(first), 'cancelled 0 order_replaced')
  t.equal(test.endOf(more), 'resting 0')
  t.equal(test.money('asha'), 'cash 1000 held 60 available 940')
  const cheaper = await amend(test, more, '@ 4')
  t.equal(test.book(), '10@5 12@4 | -')
  t.equal(test.money('asha'), 'cash 1000 held 48 available 952')
  await test.place('cora sell 1 @ 4')
  t.equal(cheaper.state, 'resting', 'the other order was first')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an amendment counts what was filled, and the new order may fill at once', async t => {
  const test = await openMarkets(t)
  const order = await test.place('asha buy 10 @ 5')
  await test.playAll(['ben sell 4 @ 5', 'ben sell 3 @ 6'])
  const amended = await amend(test, order, '8 @ 6')
  t.equal(test.endOf(order), 'cancelled 4 order_replaced')
  t.equal(test.endOf(amended), 'partially_filled 3')
  t.equal(amended.quantity, 400, 'four of the eight were there')
  t.equal(test.contracts('asha'), 'yes 7 no 0')
  const ended = await amend(test, amended, '3 @ 5.5')
  t.equal(test.endOf(ended), 'cancelled 3 user_cancelled', 'three were already filled')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a name leads to the order in force, also after a restart', async t => {
  const test = await openMarkets(t)
  const key = { name: 'bid', fingerprint: 'a' }
  const prices = { outcome: 'yes', yesPrice: 5, askedPrice: 5, quantity: 10 } as const
  const order = { userId: 'asha', side: 'yes', orderType: 'LO', selfTrade: 'taker', ...prices } as const
  const request = { market: MARKET, ...order, key }
  const first = (await test.exchange.placeOrder(request)) as OrderRecord
  const named = async () => (await test.exchange.findOrderNamed('asha', 'bid')) as OrderRecord
  const second = await amend(test, first, '@ 4')
  const third = await amend(test, second, '12')
  t.same([second.number, third.number, third.key], [2, 3, 'bid'])
  t.equal(await named(), third)
  t.equal(await amend(test, third, '11'), third, 'a smaller order stays the same')
  t.match(await amend(test, third, '@ 5.005'), { state: 'rejected', reason: 'price_off_tick' })
  t.equal(await named(), third, 'a refused order does not take the name')
  const changed = test.place('ben sell 1 @ 4')
  t.match(await amend(test, third, '@ 6'), { state: 'rejected', reason: 'order_changed' })
  await changed
  t.equal(await named(), third)
  t.equal(await test.exchange.placeOrder(request), third, 'the same request finds it')
  t.equal(await test.exchange.placeOrder({ ...request, key: { ...key, fingerprint: 'b' } }), 'key_used')
  t.equal(await test.exchange.findOrderNamed('ben', 'bid'), undefined)
  t.same(wrong(verifyFile(test.file)), [])

  await test.restart()
  t.match(await named(), { number: third.number, state: 'partially_filled', filled: 100 })
  const last = await amend(test, await named(), '@ 3')
  await test.cancel(last)
  await test.restart()
  t.match(await named(), { number: last.number, state: 'cancelled', reason: 'user_cancelled' })
  t.match(await test.exchange.placeOrder(request), { number: last.number }, 'no order is placed again')
  t.same(wrong(verifyFile(test.file)), [])
  test.tamper('UPDATE order_keys SET number = 1')
  t.match(wrong(verifyFile(test.file)), [/^order_keys: name bid of an order of account \d+/])
})

t.test('the hold of the old order pays for the new one, within the available funds', async t => {
  const test = await openMarkets(t)
  const order = await test.place('asha buy 100 @ 9')
  t.equal(test.money('asha'), 'cash 1000 held 900 available 100')
  const dearer = await amend(test, order, '@ 9.9')
  t.equal(test.endOf(dearer), 'resting 0')
  t.equal(test.money('asha'), 'cash 1000 held 990 available 10')
  const tooDear = await amend(test, dearer, '102')
  t.equal(test.endOf(tooDear), 'rejected 0 funds_insufficient')
  t.equal(dearer.state, 'resting', 'the old one stays')
  t.equal(test.money('asha'), 'cash 1000 held 990 available 10')
  for (const [text, reason] of [
    ['@ 9.95', 'price_out_of_range'],
    ['@ 5.005', 'price_off_tick'],
    ['10.005', 'quantity_off_step'],
  ] as const) {
    t.equal(test.endOf(await amend(test, dearer, text)), `rejected 0 ${reason}`)
  }
  t.equal(test.book(), '100@9.9 | -')
  await test.place('ben sell 20 @ 9.9')
  const belowFilled = await amend(test, dearer, '10.005')
  t.equal(test.endOf(belowFilled), 'rejected 0 quantity_off_step')
  t.match(belowFilled.asked, { quantity: 10.005 }, 'it shows the quantity that was asked for')
  t.equal(test.endOf(dearer), 'partially_filled 20', 'the old one stays, though more of it is filled')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order that changed since its client last saw it is not replaced', async t => {
  const test = await openMarkets(t)
  const order = await test.place('asha buy 10 @ 5')
  await test.place('ben buy 1 @ 1')
  const fill = test.place('ben sell 3 @ 5')
  const late = amend(test, order, '20')
  const later = amend(test, order, '@ 6')
  await fill
  t.equal(test.endOf(await late), 'rejected 0 order_changed')
  t.equal(test.endOf(await later), 'rejected 0 order_changed')
  t.equal(test.endOf(order), 'partially_filled 3')
  const both = await Promise.all([amend(test, order, '@ 4'), amend(test, order, '@ 3')])
  t.same(both.map(test.endOf), ['resting 0', 'rejected 0 order_changed'])
  t.equal(test.money('asha'), 'cash 985 held 28 available 957')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a reduction racing a fill takes nothing twice', async t => {
  const test = await openMarkets(t)
  const order = await test.place('asha buy 10 @ 5')
  await test.place('ben buy 1 @ 1')
  await Promise.all([test.place('ben sell 8 @ 5'), amend(test, order, '5'), amend(test, order, '4')])
  t.equal(order.filled, 800)
  t.equal(test.endOf(order), 'cancelled 8 user_cancelled')
  t.equal(test.book(), '1@1 | -')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('the same reduction sent twice at once applies once', async t => {
  const test = await openMarkets(t)
  const order = await test.place('asha buy 10 @ 5')
  await test.place('ben buy 10 @ 5')
  const texts = ['4', '4', '3', '3']
  const ends = await Promise.all(
    texts.map(async text => {
      const answer = await amend(test, order, text)
      return `${answer === order} ${answer.quantity} ${test.endOf(answer)}`
    }),
  )
  const smaller = 'true 300 resting 0'
  t.same(ends, [smaller, smaller, smaller, smaller])
  t.equal(test.book(), '13@5 | -')
  t.equal(test.money('asha'), 'cash 1000 held 15 available 985')
  await test.place('cora sell 4 @ 5')
  t.equal(test.endOf(order), 'filled 3', 'it has kept its place')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order is reduced and repriced in one go', async t => {
  const test = await openMarkets(t, { startingBalance: 44 })
  await test.playAll(['ben sell 4 @ 5', 'asha buy 4 @ 5'])
  const order = await test.place('asha sell 10 @ 6')
  t.equal(test.money('asha'), 'cash 24 held 24 available 0')
  const ends = await Promise.all(['7', '3', '@ 6.5'].map(text => amend(test, order, text)))
  t.same(ends.map(test.endOf), [...Array(2).fill('cancelled 0 order_replaced'), 'resting 0'])
  t.equal(test.book(), '- | 3@6.5')
  t.equal(test.contracts('asha'), 'yes 4 no 0 locked 3 0')
  t.equal(test.money('asha'), 'cash 24 held 0 available 24')
  const [amended] = ends.slice(-1) as [OrderRecord]
  const ids = [amended, amended].map(orderId)
  const late = await Promise.all([
    test.exchange.amendOrder(ids[0] as string, { price: 7 }),
    test.exchange.amendOrder(ids[1] as string, { quantity: 2 }),
  ])
  t.match(
    late,
    [{ state: 'resting', quantity: 300 }, { endedBefore: amended }],
    'a reduction too late says so',
  )
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('no amendment makes an order smaller than the minimum, but fills may', async t => {
  const test = await TestExchange.open(t)
  const market = await test.create({ minBet: 20, maxBet: 100 })
  const rows: readonly (readonly [
    order: string,
    fill: string,
    amendment: string,
    end: string,
    book: string,
  ])[] = [
    ['buy 10 @ 5', '', '3.99', 'rejected 0 bet_below_min', '10@5 | -'],
    ['buy 10 @ 5', '', '4', 'resting 0', '4@5 | -'],
    ['buy 10 @ 5', '', '@ 1.99', 'rejected 0 bet_below_min', '10@5 | -'],
    ['buy 10 @ 5', '', '4 @ 4.99', 'rejected 0 bet_below_min', '10@5 | -'],
    ['buy 10 @ 5', '', '4 @ 5.01', 'resting 0', '4@5.01 | -'],
    ['sell 10 @ 5', '', '@ 8.01', 'rejected 0 bet_below_min', '- | 10@5'],
    ['buy 10 @ 5', 'sell 9 @ 5', '9.5', 'partially_filled 9', '0.5@5 | -'],
    ['buy 10 @ 5', 'sell 9 @ 5', '@ 5.01', 'resting 0', '1@5.01 | -'],
    ['buy 10 @ 5', 'sell 4 @ 5', '3', 'cancelled 4 user_cancelled', '- | -'],
  ]
  for (const [order, fill, amendment, end, book] of rows) {
    const placed = await test.place(`asha ${order}`)
    if (fill !== '') await test.place(`ben ${fill}`)
    t.equal(test.endOf(await amend(test, placed, amendment)), end, `${order} ${fill} to ${amendment}`)
    t.equal(test.book(), book)
    await test.exchange.cancelOrders('asha', undefined)
  }

  const left = await test.place('asha buy 10 @ 5')
  await test.place('ben sell 9 @ 5')
  const repriced = await amend(test, left, '@ 4')
  const again = await amend(test, repriced, '@ 3')
  t.equal(test.endOf(again), 'resting 0', 'what fills left may change its price')
  t.equal(test.endOf(await amend(test, again, '0.5')), 'rejected 0 bet_below_min', 'but not get smaller')
  await test.exchange.cancelOrders('asha', undefined)

  await test.place('dev buy 5 @ 5')
  await test.place('ben sell 5 @ 5')
  const selling = await test.place('dev sell 5 @ 6')
  t.equal(test.endOf(await amend(test, selling, '1')), 'resting 0', 'what sells contracts has no minimum')
  await test.exchange.cancelOrders('dev', undefined)
  const edited = await test.place('asha buy 4 @ 5')
  await test.exchange.editMarket(market, { terms: { minBet: amount(300_000) }, listing: {} })
  t.equal(
    test.endOf(await amend(test, edited, '@ 4')),
    'resting 0',
    'an order from before an edit stays as it is',
  )
  t.ok(test.exchange.moneyIsAllThere())
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('a cancel right after amendments ends what replaced the order', async t => {
  const test = await openMarkets(t)
  for (const prices of [[4], [4, 3], [5.005, 4], [5.005]]) {
    const order = await test.place('asha buy 10 @ 5')
    const amended = prices.map(price => test.exchange.amendOrder(orderId(order), { price }))
    const cancelled = (await test.exchange.cancelOrder(orderId(order))) as OrderRecord
    t.equal(test.endOf(cancelled), 'cancelled 0 user_cancelled', `after ${prices}`)
    const ends = (await Promise.all(amended)) as OrderRecord[]
    t.ok([order, ...ends].includes(cancelled))
    t.equal(test.book(), '- | -')
    t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  }
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a cancel by name finds the order that was sent before it, and no later one', async t => {
  const test = await openMarkets(t, { shardCount: 3 })
  await test.place('asha buy 1 @ 1')
  const prices = { outcome: 'yes', yesPrice: 5, askedPrice: 5, quantity: 10 } as const
  const send = (userId: string, name: string) => {
    const order = { userId, side: 'yes', orderType: 'LO', selfTrade: 'taker', ...prices } as const
    return test.exchange.placeOrder({ market: OTHER, ...order, key: { name, fingerprint: 'a' } })
  }
  const cancel = (userId: string, name: string) => test.exchange.cancelOrderNamed(userId, name)
  for (const user of ['asha', 'new']) {
    const placed = send(user, 'bid')
    const ended = await cancel(user, 'bid')
    t.equal(ended, await placed)
    t.match(ended, { state: 'cancelled', reason: 'user_cancelled' })
    t.equal(await cancel(user, 'other'), undefined)
    const tooEarly = cancel(user, 'next')
    const next = send(user, 'next')
    t.equal(await tooEarly, undefined)
    t.match(await next, { state: 'resting' })
    const both = await Promise.all([cancel(user, 'next'), cancel(user, 'next')])
    t.same(
      both.map(order => order === both[0] && typeof order),
      ['object', 'object'],
    )
    t.match(both[0], { state: 'cancelled' })
  }
  t.equal(await cancel('nobody', 'bid'), undefined)
  t.equal(test.book(OTHER), '- | -')
  await test.restart()
  t.match(await cancel('asha', 'bid'), { state: 'cancelled' }, 'also once it has long ended')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a user cancels all orders of one market or of every market, including queued ones', async t => {
  const test = await openMarkets(t)
  for (const market of [MARKET, OTHER]) {
    await test.playAll(['asha buy 1 @ 5', 'asha sell 1 @ 6', 'ben buy 1 @ 4'], market)
  }
  const arriving = test.place('asha buy 1 @ 3', OTHER)
  const some = await test.exchange.cancelOrders('asha', OTHER)
  t.equal(endedOf(some), '3 ended, 0 open')
  t.equal(test.endOf(await arriving), 'cancelled 0 user_cancelled')
  t.equal(test.book(OTHER), '1@4 | -')
  t.equal(test.book(MARKET), '1@5 1@4 | 1@6')
  const rest = await test.exchange.cancelOrders('asha', undefined)
  t.equal(endedOf(rest), '2 ended, 0 open')
  t.equal(endedOf(await test.exchange.cancelOrders('asha', undefined)), '0 ended, 0 open', 'no harm is done')
  t.equal(endedOf(await test.exchange.cancelOrders('nobody', undefined)), '0 ended, 0 open')
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  t.equal(test.money('ben'), 'cash 1000 held 8 available 992')
  await test.restart()
  const ben = await test.exchange.cancelOrders('ben', undefined)
  t.equal(endedOf(ben), '2 ended, 0 open', 'also after a restart')
})

t.test('a queue full of orders still has room for cancels', async t => {
  const test = await openMarkets(t, { queueLengthMax: 4, shardCount: 1 })
  const order = await test.place('asha buy 1 @ 5')
  const orders = Array.from({ length: 6 }, () => test.tryPlace('asha buy 1 @ 1'))
  const cancel = test.exchange.cancelOrder(orderId(order))
  const second = test.exchange.cancelOrder(orderId(order))
  t.same(
    (await Promise.all(orders)).map(end => (typeof end === 'string' ? end : end.state)),
    ['resting', 'resting', 'resting', 'resting', 'queue_full', 'queue_full'],
  )
  t.same(await cancel, order)
  t.equal(order.state, 'cancelled')
  t.ok(await second)
})
