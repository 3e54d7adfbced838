import type { Test } from 'tap'
import t from 'tap'
import { orderView } from '../../src/api/orders/order-view.js'
import { orderId } from '../../src/core/order-record.js'
import { lots, ticks, times } from '../../src/core/units.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const BATCH_LENGTH_MAX = 512

async function openMarket(
  t: Test,
  options: Parameters<typeof TestExchange.open>[1] = {},
): Promise<TestExchange> {
  const test = await TestExchange.open(t, options)
  await test.create()
  return test
}

/** The behaviour, the end of the last order, Asha's cash and hold (she began with ₹1,000), the orders. */
const ENDS = `
  at its limit    | filled 5                      | 975 0    | ben sell 5 @ 5, asha buy 5 @ 5
  at a better one | filled 5                      | 975 0    | ben sell 5 @ 5, asha buy 5 @ 7
  partly better   | partially_filled 2            | 990 14   | ben sell 2 @ 5, asha buy 4 @ 7
  NO at a better  | filled 5                      | 975 0    | ben buy 5 @ 5, asha sell 5 @ 3
  at the market   | filled 5                      | 975 0    | ben sell 5 @ 5, asha buy 5 market
  no liquidity    | cancelled 2 no_liquidity      | 990 0    | ben sell 2 @ 5, asha buy 5 market
  an empty book   | cancelled 0 no_liquidity      | 1000 0   | asha buy 5 market
  a self-trade    | cancelled 1 self_trade        | 995 8    | ben sell 1 @ 5, asha sell 2 @ 6, asha buy 5 @ 6
  the capacity    | cancelled 5 event_capacity    | 975 0    | ben sell 9 @ 5, asha buy 8 @ 6
  out of range    | rejected 0 price_out_of_range | 1000 0   | asha buy 5 @ 9.91
  off the tick    | rejected 0 price_off_tick     | 1000 0   | asha buy 5 @ 5.005
  off the step    | rejected 0 quantity_off_step  | 1000 0   | asha buy 5.001 @ 5
  too large       | rejected 0 quantity_too_large | 1000 0   | asha buy 1000000001 @ 5
  below min bet   | rejected 0 bet_below_min      | 1000 0   | asha buy 1 @ 1.99
  above max bet   | rejected 0 bet_above_max      | 1000 0   | asha buy 193 @ 5
  no funds        | rejected 0 funds_insufficient | 1000 960 | asha buy 120 @ 8, asha buy 60 @ 8
`

t.test('the hold is released however an order ends', async t => {
  const test = await TestExchange.open(t)
  const rows = ENDS.trim().split('\n')
  for (const [index, row] of rows.entries()) {
    const [name = '', end, money = '', orders = ''] = row.split('|').map(cell => cell.trim())
    const { terms } = await test.create({ minBet: 2, maxBet: 960, capacity: lots(500) })
    const own = orders.split(', ').map(order => `${index}${order}`)
    t.equal(await test.playAll(own, terms.code), end, name)
    const [cash = 0, held = 0] = money.split(' ').map(Number)
    t.match(test.money(`${index}asha`), `cash ${cash} held ${held} available`, name)
  }
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('cancelling releases the remaining hold, once', async t => {
  const test = await openMarket(t)
  const order = await test.place('asha buy 10 @ 6')
  await test.place('ben sell 4 @ 6')
  t.equal(test.money('asha'), 'cash 976 held 36 available 940')
  const id = orderId(order)
  const cancels = await Promise.all(Array.from({ length: 20 }, () => test.exchange.cancelOrder(id)))
  for (const cancelled of cancels)
    t.match(cancelled, { state: 'cancelled', reason: 'user_cancelled', filled: 400 })
  t.equal(test.money('asha'), 'cash 976 held 0 available 976')
  t.match(
    await test.exchange.cancelOrder(id),
    { state: 'cancelled', reason: 'user_cancelled' },
    'and later again',
  )
  t.equal(test.money('asha'), 'cash 976 held 0 available 976')
  t.equal(test.book(), '- | -')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('cancelling an ended or unknown order changes nothing', async t => {
  const test = await openMarket(t)
  const resting = await test.place('asha buy 10 @ 6')
  const filled = await test.place('ben sell 10 @ 6')
  const refused = await test.place('ben sell 1 @ 9.99')
  t.match(await test.exchange.cancelOrder(orderId(filled)), { state: 'filled' })
  t.match(await test.exchange.cancelOrder(orderId(resting)), { state: 'filled' })
  t.match(await test.exchange.cancelOrder(orderId(refused)), { state: 'rejected' })
  t.notOk(
    test.journalled().some(({ type }) => type === 'CANCEL_ORDER'),
    'nothing is queued for them',
  )

  const open = await test.place('asha buy 1 @ 5')
  const guesses = [
    { ...open, suffix: 'tail' },
    { ...open, suffix: filled.suffix },
    { ...open, number: filled.number },
  ]
  for (const guess of guesses) {
    t.equal(await test.exchange.findOrder(orderId(guess)), undefined)
    t.equal(await test.exchange.cancelOrder(orderId(guess)), undefined)
  }
  for (const id of ['', '1000001', '1000009-1-tail1', '1000001-99-tail1'])
    t.equal(await test.exchange.cancelOrder(id), undefined)
  t.equal(open.state, 'resting')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('owned contracts are sold first, and only the excess is paid for', async t => {
  const test = await openMarket(t)
  await test.playAll(['asha buy 10 @ 5', 'ben sell 10 @ 5'])
  await test.playAll(['asha sell 4 @ 6'])
  t.equal(test.contracts('asha'), 'yes 10 no 0 locked 4 0')
  t.equal(test.money('asha'), 'cash 950 held 0 available 950')
  await test.playAll(['asha sell 15 @ 7'])
  t.equal(test.contracts('asha'), 'yes 10 no 0 locked 10 0', 'locked contracts are not sold twice')
  t.equal(test.money('asha'), 'cash 950 held 27 available 923')
  await test.playAll(['cora buy 4 @ 6', 'cora buy 8 @ 7'])
  t.equal(test.contracts('asha'), 'yes 0 no 2')
  t.equal(test.money('asha'), 'cash 1010 held 21 available 989')
  t.equal(test.contracts('cora'), 'yes 12 no 0')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('pairs of both outcomes are merged for the payout as soon as both are free', async t => {
  const test = await openMarket(t)
  await test.playAll(['asha buy 10 @ 5', 'ben sell 10 @ 5'])
  const sale = await test.place('asha sell 10 @ 9')
  await test.playAll(['asha sell 6 @ 6', 'cora buy 6 @ 6'])
  t.equal(test.contracts('asha'), 'yes 10 no 6 locked 10 0', 'contracts being sold are not free')
  t.equal(test.money('asha'), 'cash 926 held 0 available 926')
  t.equal(test.exchange.market(sale.market)?.progress.openPairs, 1600)
  await test.exchange.cancelOrder(orderId(sale))
  await test.exchange.drain()
  t.equal(test.contracts('asha'), 'yes 4 no 0')
  t.equal(test.money('asha'), 'cash 986 held 0 available 986')
  t.equal(test.exchange.market(sale.market)?.progress.openPairs, 1000)
  t.equal(test.journalled().filter(({ type }) => type === 'MERGE_PAIRS').length, 1)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('pairs are merged, too, once an order that was to sell a part of them is refused', async t => {
  const test = await openMarket(t)
  const market = test.exchange.market(MARKET)
  if (market === undefined) return
  await test.playAll(['asha buy 10 no @ 4', 'asha buy 10 @ 5', 'ben sell 10 @ 5', 'dev buy 0.1 @ 1'])
  // More than fit into one batch: asha's NO come in the first one, her sale is refused in the next.
  const orders = ['dev buy 10 @ 6', ...Array<string>(BATCH_LENGTH_MAX).fill('ben buy 0.1 @ 1')]
  const placed = orders.map(order => test.place(order))
  const edited = test.exchange.editMarket(market, {
    terms: { maxBet: times(ticks(100), lots(100)) },
    listing: {},
  })
  const sale = await test.place('asha sell 10 @ 7')
  await Promise.all([...placed, edited])
  await test.exchange.drain()
  t.equal(test.endOf(sale), 'rejected 0 bet_above_max')
  t.equal(test.contracts('asha'), 'nothing')
  t.equal(test.money('asha'), 'cash 1010 held 0 available 1010')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('each of the four offers holds its maximum cost, or locks the contracts it sells', async t => {
  const test = await TestExchange.open(t)
  const rows: readonly (readonly [string, string, string])[] = [
    ['asha buy 10 @ 4', 'cash 1000 held 40 available 960', '10@4 | -'],
    ['asha sell 10 @ 4', 'cash 1000 held 60 available 940', '- | 10@4'],
    ['asha buy 10 no @ 4', 'cash 1000 held 40 available 960', '- | 10@6'],
    ['asha sell 10 no @ 4', 'cash 1000 held 60 available 940', '10@6 | -'],
  ]
  for (const [index, [order, money, book]] of rows.entries()) {
    const { terms } = await test.create()
    await test.playAll([`${index}${order}`], terms.code)
    t.equal(test.money(`${index}asha`), money, order)
    t.equal(test.book(terms.code), book, order)
  }
  const { terms } = await test.create()
  await test.playAll(
    ['cora buy 10 no @ 4', 'dev sell 10 no @ 4', 'cora sell 10 no @ 8', 'dev sell 10 @ 9'],
    terms.code,
  )
  t.equal(test.contracts('cora', terms.code), 'yes 0 no 10 locked 0 10')
  t.equal(test.contracts('dev', terms.code), 'yes 10 no 0 locked 10 0')
  t.equal(test.money('cora'), 'cash 960 held 0 available 960')
  t.equal(test.money('dev'), 'cash 940 held 0 available 940')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a hold counts from the moment the order is accepted', async t => {
  const test = await openMarket(t)
  await test.place('asha buy 1 @ 1')
  const orders = [
    test.place('asha buy 100 @ 6'),
    test.place('asha buy 100 @ 6'),
    test.place('asha buy 66 @ 6'),
  ]
  t.equal(test.money('asha'), 'cash 1000 held 1 available 3', 'before anything is on disk')
  t.same(
    (await Promise.all(orders)).map(order => test.endOf(order)),
    ['resting 0', 'rejected 0 funds_insufficient', 'resting 0'],
  )
  t.equal(test.money('asha'), 'cash 1000 held 997 available 3')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('money from a sale can be spent only once the sale is on disk', async t => {
  const test = await openMarket(t)
  await test.playAll(['asha buy 200 @ 5', 'ben sell 200 @ 5', 'cora buy 200 @ 5'])
  const sale = test.place('asha sell 200 @ 5')
  const early = test.place('asha buy 1 @ 1')
  t.equal(test.endOf(await early), 'rejected 0 funds_insufficient')
  t.equal(test.endOf(await sale), 'filled 200')
  t.equal(test.endOf(await test.place('asha buy 1 @ 1')), 'resting 0')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a full queue refuses orders and holds nothing', async t => {
  const test = await openMarket(t, { queueLengthMax: 3 })
  await test.place('asha buy 1 @ 1')
  const before = test.journalled().length
  const answers = await Promise.all(Array.from({ length: 10 }, () => test.tryPlace('asha buy 1 @ 2')))
  t.equal(answers.filter(answer => answer === 'queue_full').length, 7)
  t.equal(test.journalled().length - before, 3)
  t.equal(test.money('asha'), 'cash 1000 held 7 available 993')
  t.equal(test.book(), '3@2 1@1 | -')
  t.equal((await test.place('asha buy 1 @ 1')).number, 5, 'a refused order takes no number')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('new users refused by a full queue get neither an order nor an account', async t => {
  const test = await openMarket(t, { queueLengthMax: 3 })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, user) => test.tryPlace(`user${user} buy 1 @ 2`)),
  )
  t.equal(answers.filter(answer => answer === 'queue_full').length, 8)
  t.equal(test.journalled().filter(({ type }) => type === 'OPEN_ACCOUNT').length, 2)
  t.equal(test.money('user9'), 'no account')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('orders of a new user wait behind the account opening only while the queue has room', async t => {
  const test = await openMarket(t, { queueLengthMax: 3 })
  const answers = await Promise.all(Array.from({ length: 10 }, () => test.tryPlace('asha buy 1 @ 2')))
  t.equal(answers.filter(answer => answer === 'queue_full').length, 8)
  t.equal(test.money('asha'), 'cash 1000 held 4 available 996')
})

t.test('50 first orders of one user open one account, even across markets', async t => {
  const test = await openMarket(t)
  const other = await test.create()
  const places = Array.from({ length: 50 }, (_, index) =>
    test.place(`asha buy 1 @ ${(100 + index) / 100}`, index % 2 === 0 ? undefined : other.terms.code),
  )
  const orders = await Promise.all(places)
  t.equal(test.journalled().filter(({ type }) => type === 'OPEN_ACCOUNT').length, 1)
  t.same(
    orders.map(({ number }) => number),
    Array.from({ length: 50 }, (_, index) => Math.floor(index / 2) + 1),
  )
  t.ok(orders.every(({ state }) => state === 'resting'))
  t.equal(test.rows("SELECT * FROM accounts WHERE owner = 'user:asha'").length, 1)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('no account is opened that would overflow exact integers', async t => {
  const test = await openMarket(t, { startingBalance: 300_000_000_000 })
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'resting 0')
  const before = test.journalled().length
  const answers = await Promise.all([test.tryPlace('ben buy 1 @ 5'), test.tryPlace('cora buy 1 @ 5')])
  t.same(answers, ['accounts_full', 'accounts_full'])
  t.equal(test.journalled().length, before)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test(
  'a market order with an off-tick price reports its remainder, on the channel and in the response',
  async t => {
    const test = await openMarket(t)
    const told: unknown[] = []
    test.exchange.onPublication(({ messages }) => {
      for (const message of messages)
        if (message.type === 'ORDER_CANCELLED') told.push(message.remainingContracts)
    })
    await test.place('ben sell 2 @ 5')
    const order = await test.exchange.placeOrder({
      market: MARKET,
      userId: 'asha',
      side: 'yes',
      orderType: 'MO',
      selfTrade: 'taker',
      outcome: 'yes',
      yesPrice: 5.555,
      askedPrice: 5.555,
      quantity: 5,
    })
    t.same(told, [3], 'the channel')
    if (typeof order === 'string') throw new Error(`the desk is busy: ${order}`)
    const shown = { price: 5.555, quantity: 5, filled_quantity: 2, remaining_quantity: 3 }
    t.match(orderView(order, ticks(1000)), shown, 'the answer')
    t.ok(test.exchange.moneyIsAllThere())
  },
)
