import type { Test } from 'tap'
import t from 'tap'
import { oppositeSide } from '../../src/core/order.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { OrderNumber } from '../../src/core/units.js'
import type { ReplacedQuotes } from '../../src/exchange/orders/order-quotes.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

async function openMarket(t: Test, options = {}, changes = {}): Promise<TestExchange> {
  const test = await TestExchange.open(t, options)
  await test.create(changes)
  return test
}

/** Replaces quotes of Asha by `buy 5 @ 4`, `sell 5 @ 6`: contracts and the YES price. */
function replace(test: TestExchange, quotes: string, set = 'main', userId = 'asha') {
  const requests = quotes === '' ? [] : quotes.split(', ').map(text => requestOf(text, set, userId))
  return test.exchange.quotes.replace({ market: MARKET, userId, set, quotes: requests })
}

function requestOf(text: string, set: string, userId: string): OrderRequest {
  const [deal, quantity, , price] = text.split(' ')
  const side = deal === 'buy' ? 'yes' : oppositeSide('yes')
  const fixed = { market: MARKET, userId, orderType: 'LO', selfTrade: 'taker', outcome: 'yes' } as const
  const prices = { yesPrice: Number(price), askedPrice: Number(price), quantity: Number(quantity) }
  return { ...fixed, side, ...prices, postOnly: true, quoteSet: set }
}

async function replaced(...args: Parameters<typeof replace>): Promise<ReplacedQuotes> {
  const answer = await replace(...args)
  if (typeof answer === 'string') throw new Error(`not replaced: ${answer}`)
  return answer
}

const textOf = (test: TestExchange, { quotes, ended }: ReplacedQuotes) =>
  [...quotes.map(({ result, order }) => `${result} ${test.endOf(order)}`), `${ended.length} ended`].join(', ')

t.test('unchanged and smaller quotes keep their place; others are replaced in one step', async t => {
  const test = await openMarket(t)
  const first = await replaced(test, 'buy 10 @ 5, buy 10 @ 4, buy 10 @ 3, sell 10 @ 7')
  t.equal(textOf(test, first), `${'placed resting 0, '.repeat(4)}0 ended`)
  t.equal(test.money('asha'), 'cash 1000 held 150 available 850')
  await test.playAll(['ben buy 1 @ 5', 'ben buy 1 @ 4', 'ben sell 1 @ 7'])
  const next = await replaced(test, 'sell 10 @ 7, buy 6 @ 5, buy 11 @ 4')
  t.equal(textOf(test, next), 'kept resting 0, reduced resting 0, placed resting 0, 2 ended')
  t.equal(next.quotes[0]?.order, first.quotes[3]?.order)
  t.equal(next.quotes[1]?.order, first.quotes[0]?.order)
  for (const index of [1, 2]) {
    t.equal(test.endOf(first.quotes[index]?.order as OrderRecord), 'cancelled 0 quotes_replaced')
  }
  t.equal(test.money('asha'), 'cash 1000 held 104 available 896')
  await test.place('cora sell 6 @ 5')
  t.equal(test.endOf(next.quotes[1]?.order as OrderRecord), 'filled 6', 'before the later order')
  await test.place('cora sell 2 @ 4')
  t.equal(test.endOf(next.quotes[2]?.order as OrderRecord), 'resting 0', 'one that grew is behind it')
  t.equal(textOf(test, await replaced(test, '')), '2 ended', 'an empty list ends the set')
  t.equal(test.money('asha'), 'cash 970 held 0 available 970')
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('holds no more than the new quotes need beyond what the old ones hold', async t => {
  const test = await openMarket(t)
  await replaced(test, 'buy 190 @ 5')
  t.equal(test.money('asha'), 'cash 1000 held 950 available 50')
  const moving = replace(test, 'buy 200 @ 5')
  t.equal(test.money('asha'), 'cash 1000 held 950 available 0', 'the extra is held at once')
  await moving
  t.equal(test.money('asha'), 'cash 1000 held 1000 available 0')
  const over = await replaced(test, 'buy 100 @ 4, buy 150 @ 3, buy 100 @ 2')
  t.equal(
    textOf(test, over),
    'placed resting 0, placed resting 0, placed rejected 0 funds_insufficient, 1 ended',
    'each quote is judged alone, in order',
  )
  t.equal(test.money('asha'), 'cash 1000 held 850 available 150')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('contracts that the old quotes were to sell are sold by the new ones', async t => {
  const test = await openMarket(t)
  await test.playAll(['ben sell 10 @ 5', 'asha buy 10 @ 5'])
  await replaced(test, 'sell 10 @ 7')
  t.equal(test.contracts('asha'), 'yes 10 no 0 locked 10 0')
  t.equal(
    textOf(test, await replaced(test, 'sell 6 @ 8, sell 6 @ 9')),
    `${'placed resting 0, '.repeat(2)}1 ended`,
  )
  t.equal(test.contracts('asha'), 'yes 10 no 0 locked 10 0')
  t.equal(test.money('asha'), 'cash 950 held 2 available 948', 'two more are paid for')
  await replaced(test, 'sell 3 @ 9')
  t.equal(test.contracts('asha'), 'yes 10 no 0 locked 3 0')
  t.equal(test.money('asha'), 'cash 950 held 0 available 950')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a fill in between leaves each new quote what was really released, never more', async t => {
  const test = await openMarket(t)
  const first = await replaced(test, 'buy 100 @ 9')
  const fill = test.place('ben sell 60 @ 9')
  const next = replaced(test, 'buy 80 @ 8.5, buy 40 @ 8')
  await fill
  t.equal(
    textOf(test, await next),
    'placed rejected 0 funds_insufficient, placed resting 0, 1 ended',
    '360 were released and 100 held beyond: enough for the second alone',
  )
  t.equal(test.endOf(first.quotes[0]?.order as OrderRecord), 'cancelled 60 quotes_replaced')
  t.equal(test.money('asha'), 'cash 460 held 320 available 140')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('of quotes that stay, what fills meanwhile counts', async t => {
  const test = await openMarket(t)
  const first = await replaced(test, 'buy 10 @ 5, buy 10 @ 4')
  const fill = test.place('ben sell 14 @ 4')
  const next = replaced(test, 'buy 4 @ 5, buy 7 @ 4')
  await fill
  t.equal(textOf(test, await next), 'reduced filled 10, reduced partially_filled 4, 0 ended')
  t.equal(test.book(), '3@4 | -')
  t.equal(first.quotes[1]?.order.quantity, 700)
  t.equal(textOf(test, await replaced(test, 'buy 3 @ 4')), 'kept partially_filled 4, 0 ended')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a quote that would cross is refused alone, also by a quote of its own set', async t => {
  const test = await openMarket(t)
  await test.place('ben sell 5 @ 6')
  const answer = await replaced(test, 'buy 5 @ 6, buy 5 @ 5, sell 5 @ 5, sell 5 @ 5.005')
  t.equal(
    textOf(test, answer),
    'placed rejected 0 order_would_take, placed resting 0, placed rejected 0 order_would_take, ' +
      'placed rejected 0 price_off_tick, 0 ended',
  )
  t.equal(test.money('asha'), 'cash 1000 held 25 available 975', 'what was held for them is released')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('requests on their way build on each other', async t => {
  const test = await openMarket(t)
  const answers = await Promise.all([
    replaced(test, 'buy 100 @ 9'),
    replaced(test, 'buy 100 @ 9.5'),
    replaced(test, 'buy 60 @ 9.5'),
    replaced(test, 'buy 60 @ 9.5, sell 10 @ 9.8'),
  ])
  t.same(
    answers.map(answer => textOf(test, answer)),
    [
      'placed cancelled 0 quotes_replaced, 0 ended',
      'placed resting 0, 1 ended',
      'reduced resting 0, 0 ended',
      'kept resting 0, placed resting 0, 0 ended',
    ],
  )
  t.equal(test.book(), '60@9.5 | 10@9.8')
  t.equal(test.money('asha'), 'cash 1000 held 572 available 428')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a quote that is being cancelled or amended does not stay', async t => {
  const test = await openMarket(t)
  const { quotes } = await replaced(test, 'buy 10 @ 5, buy 10 @ 4')
  const [one, two] = quotes.map(({ order }) => orderId(order))
  const cancel = test.exchange.cancelOrder(one ?? '')
  const amended = test.exchange.amendOrder(two ?? '', { price: 4.5 })
  const answer = await replaced(test, 'buy 10 @ 5, buy 10 @ 4')
  t.match(await cancel, { state: 'cancelled', reason: 'user_cancelled' })
  t.match(await amended, { state: 'cancelled', reason: 'quotes_replaced' })
  t.equal(textOf(test, answer), 'placed resting 0, placed resting 0, 2 ended')
  t.equal(test.book(), '10@5 10@4 | -')
  const reducing = test.exchange.amendOrder(orderId(answer.quotes[0]?.order as OrderRecord), { quantity: 7 })
  t.equal(textOf(test, await replaced(test, 'buy 7 @ 5')), 'kept resting 0, 1 ended')
  await reducing
  t.equal(test.money('asha'), 'cash 1000 held 35 available 965')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('sets, users and orders that are not quotes do not touch each other', async t => {
  const test = await openMarket(t)
  const plain = await test.place('asha buy 5 @ 5')
  await replaced(test, 'buy 5 @ 4', 'near')
  await replaced(test, 'buy 5 @ 3', 'far')
  await replaced(test, 'buy 5 @ 4', 'near', 'ben')
  t.equal(textOf(test, await replaced(test, '', 'near')), '1 ended')
  t.equal(textOf(test, await replaced(test, '', 'nothing')), '0 ended')
  t.same(await replace(test, '', 'near', 'nobody'), { quotes: [], ended: [] })
  t.equal(test.endOf(plain), 'resting 0')
  t.equal(test.book(), '5@5 5@4 5@3 | -')
})

t.test('sets are the same after a restart', async t => {
  const test = await openMarket(t)
  const { quotes } = await replaced(test, 'buy 10 @ 5, buy 10 @ 4')
  await test.exchange.amendOrder(orderId(quotes[1]?.order as OrderRecord), { price: 4.5 })
  await test.restart()
  const answer = await replaced(test, 'buy 10 @ 5, sell 1 @ 8')
  t.equal(textOf(test, answer), 'kept resting 0, placed resting 0, 1 ended', 'an amended quote is in its set')
  t.equal(answer.quotes[0]?.order.number, quotes[0]?.order.number)
  t.equal(test.money('asha'), 'cash 1000 held 52 available 948')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('the most open orders of a user bounds quotes, counted as they will be', async t => {
  const test = await openMarket(t, { openOrdersMax: 3 })
  await test.place('asha buy 1 @ 2')
  t.equal(await replace(test, 'buy 1 @ 3, buy 1 @ 4, buy 1 @ 5'), 'open_orders_full')
  t.equal(test.book(), '1@2 | -', 'nothing happened')
  t.equal(
    textOf(test, await replaced(test, 'buy 1 @ 3, buy 1 @ 4')),
    `${'placed resting 0, '.repeat(2)}0 ended`,
  )
  const [moved, order] = await Promise.all([
    replaced(test, 'buy 2 @ 3, buy 2 @ 4'),
    test.exchange.placeOrder(requestOf('buy 1 @ 1', 'other', 'asha')),
  ])
  t.equal(textOf(test, moved), `${'placed resting 0, '.repeat(2)}2 ended`)
  t.equal(order, 'open_orders_full', 'while quotes are being replaced, too')
})

t.test('quotes are refused in an event whose numbers are used up, unless they need none', async t => {
  const test = await openMarket(t)
  await replaced(test, 'buy 2 @ 5, buy 2 @ 4')
  test.exchange.market(MARKET)?.noteNumber((2 ** 31 - 1 - 1_000_000) as OrderNumber)
  t.equal(await replace(test, 'buy 3 @ 5, buy 2 @ 4'), 'numbers_used_up')
  const preview = await test.exchange.previews.preview(requestOf('buy 1 @ 3', 'other', 'ben'))
  t.equal(preview, 'numbers_used_up')
  t.equal(test.book(), '2@5 2@4 | -', 'nothing happened')
  t.equal(textOf(test, await replaced(test, 'buy 1 @ 5')), 'reduced resting 0, 1 ended')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('quotes below min_bet are refused and make no smaller quote', async t => {
  const test = await openMarket(t, {}, { minBet: 20 })
  await replaced(test, 'buy 10 @ 5')
  const answer = await replaced(test, 'buy 3 @ 5')
  t.equal(textOf(test, answer), 'placed rejected 0 bet_below_min, 1 ended')
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
})

t.test('a halted market ends quotes and takes no new ones', async t => {
  const test = await openMarket(t)
  await replaced(test, 'buy 10 @ 5, buy 10 @ 4')
  const market = test.exchange.market(MARKET)
  if (market !== undefined) await test.exchange.moveMarket(market, 'halt')
  const answer = await replaced(test, 'buy 10 @ 5, buy 10 @ 4.5')
  t.equal(textOf(test, answer), 'kept resting 0, placed rejected 0 market_halted, 1 ended')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('quotes spend no money of other users', async t => {
  const test = await openMarket(t, { startingBalance: 100 })
  await replaced(test, 'buy 10 @ 5')
  t.equal(
    textOf(test, await replaced(test, 'buy 15 @ 5, buy 10 @ 4', 'main', 'ben')),
    ['placed resting 0', 'placed rejected 0 funds_insufficient', '0 ended'].join(', '),
  )
  t.equal(test.money('asha'), 'cash 100 held 50 available 50')
  t.ok(test.exchange.moneyIsAllThere())
})
