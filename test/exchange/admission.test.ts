import type { Test } from 'tap'
import t from 'tap'
import { lots, ticks } from '../../src/core/units.js'
import { TestExchange } from '../fixtures/test-exchange.js'

type Changes = NonNullable<Parameters<TestExchange['create']>[0]>
/** The behaviour, a market, its orders in sequence, and the end of the last: `state filled reason`. */
type Row = readonly [string, Changes, readonly string[], string]

/** Plays each row in a market of its own with users of its own, who have ₹1,000 each. */
async function checkRows(t: Test, rows: readonly Row[]): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  for (const [index, [name, changes, orders, end]] of rows.entries()) {
    const { terms } = await test.create(changes)
    const own = orders.map(order => `${index}${order}`)
    t.equal(await test.playAll(own, terms.code), end, name)
  }
  t.ok(test.exchange.moneyIsAllThere())
  t.same(test.failures, [])
  return test
}

const rejected = (reason: string) => `rejected 0 ${reason}`
const WHOLE = { payout: ticks(100) }
const HALF = { tickSize: ticks(50) }

t.test('a limit price must leave a margin on both sides of the payout', t =>
  checkRows(t, [
    ['the lowest', {}, ['asha buy 1 @ 0.1'], 'resting 0'],
    ['below the lowest', {}, ['asha buy 1 @ 0.09'], rejected('price_out_of_range')],
    ['the highest', {}, ['asha sell 1 @ 9.9'], 'resting 0'],
    ['above the highest', {}, ['asha sell 1 @ 9.91'], rejected('price_out_of_range')],
    ['between the highest and the next', {}, ['asha buy 1 @ 9.901'], rejected('price_out_of_range')],
    ['the payout', {}, ['asha buy 1 @ 10'], rejected('price_out_of_range')],
    ['far above', {}, ['asha buy 1 @ 1000000000000000000000'], rejected('price_out_of_range')],
    ['the highest of ₹1', WHOLE, ['asha buy 1 @ 0.9'], 'resting 0'],
    ['above the highest of ₹1', WHOLE, ['asha buy 1 @ 0.91'], rejected('price_out_of_range')],
    ['the highest of ₹100', { payout: ticks(10_000) }, ['asha buy 1 @ 99.9'], 'resting 0'],
    [
      'above the highest of ₹100',
      { payout: ticks(10_000) },
      ['asha buy 1 @ 99.91'],
      rejected('price_out_of_range'),
    ],
    ['the lowest of NO', {}, ['asha buy 1 no @ 0.1'], 'resting 0'],
    ['below the lowest of NO', {}, ['asha buy 1 no @ 0.09'], rejected('price_out_of_range')],
    ['the highest of NO', {}, ['asha buy 1 no @ 9.9'], 'resting 0'],
    ['above the highest of NO', {}, ['asha sell 1 no @ 9.91'], rejected('price_out_of_range')],
  ]).then(() => undefined),
)

t.test('a limit price must be on the tick', t =>
  checkRows(t, [
    ['a paisa', {}, ['asha buy 1 @ 5.01'], 'resting 0'],
    ['half a paisa', {}, ['asha buy 1 @ 5.005'], rejected('price_off_tick')],
    ['a crumb', {}, ['asha buy 1 @ 5.000000000000001'], rejected('price_off_tick')],
    ['on 5 paise', { tickSize: ticks(5) }, ['asha buy 1 @ 0.15'], 'resting 0'],
    ['off 5 paise', { tickSize: ticks(5) }, ['asha buy 1 @ 0.14'], rejected('price_off_tick')],
    ['on 10 paise', { tickSize: ticks(10) }, ['asha buy 1 @ 9.9'], 'resting 0'],
    ['off 10 paise', { tickSize: ticks(10) }, ['asha buy 1 @ 9.85'], rejected('price_off_tick')],
    ['on 50 paise', HALF, ['asha sell 1 @ 5.5'], 'resting 0'],
    ['off 50 paise', HALF, ['asha sell 1 @ 5.4'], rejected('price_off_tick')],
    ['the lowest price is off 50 paise', HALF, ['asha buy 1 @ 0.1'], rejected('price_off_tick')],
    ['NO off the tick', {}, ['asha buy 1 no @ 5.005'], rejected('price_off_tick')],
    ['out of range and off the tick', {}, ['asha buy 1 @ 9.999'], rejected('price_out_of_range')],
  ]).then(() => undefined),
)

t.test('a quantity must be a multiple of 0.01, and small enough to count exactly', t =>
  checkRows(t, [
    ['on the step', {}, ['asha buy 0.11 @ 5'], 'resting 0'],
    ['off the step', {}, ['asha buy 0.111 @ 5'], rejected('quantity_off_step')],
    ['half a step', {}, ['asha buy 1.005 @ 5'], rejected('quantity_off_step')],
    ['a market order off the step', {}, ['asha buy 0.111 market'], rejected('quantity_off_step')],
    ['the most', { maxBet: 9e11 }, ['asha buy 1000000000 @ 5'], rejected('funds_insufficient')],
    ['more than the most', { maxBet: 9e11 }, ['asha buy 1000000000.01 @ 5'], rejected('quantity_too_large')],
    ['far more', {}, ['asha buy 1000000000000000000000 market'], rejected('quantity_too_large')],
    ['the price is judged first', {}, ['asha buy 0.111 @ 9.99'], rejected('price_out_of_range')],
  ]).then(() => undefined),
)

t.test('an order is paid for from available cash', t =>
  checkRows(t, [
    ['all there is', {}, ['asha buy 200 @ 5'], 'resting 0'],
    ['a lot more', {}, ['asha buy 200.01 @ 5'], rejected('funds_insufficient')],
    ['all there is, for NO', {}, ['asha sell 125 @ 2'], 'resting 0'],
    ['a lot more, for NO', {}, ['asha sell 125.01 @ 2'], rejected('funds_insufficient')],
    ['what another order left', {}, ['asha buy 100 @ 5', 'asha buy 100 @ 5'], 'resting 0'],
    [
      'what another order holds',
      {},
      ['asha buy 100 @ 5', 'asha buy 100.01 @ 5'],
      rejected('funds_insufficient'),
    ],
    [
      'a market order with nothing',
      {},
      ['asha buy 200 @ 5', 'asha sell 1 market'],
      rejected('funds_insufficient'),
    ],
    ['what a sale brought in', {}, ['ben buy 10 @ 9', 'asha sell 10 @ 9', 'asha buy 99 @ 9.9'], 'resting 0'],
  ]).then(() => undefined),
)

t.test('a market order stops when its funds run out', async t => {
  const asks = ['ben sell 100 @ 5', 'cora sell 100 @ 6', 'dev sell 100 @ 7']
  const test = await checkRows(t, [
    ['it walks the book', {}, [...asks, 'asha buy 150 market'], 'filled 150'],
    ['it stops', {}, [...asks, 'asha buy 300 market'], 'cancelled 183.33 funds_insufficient'],
    ['it ends as it runs out', {}, [...asks, 'asha buy 183.33 market'], 'filled 183.33'],
    ['nothing is there', {}, ['asha buy 1 market'], 'cancelled 0 no_liquidity'],
    ['too little is there', {}, ['ben sell 3 @ 5', 'asha buy 4 market'], 'cancelled 3 no_liquidity'],
    ['its price is no cap', {}, ['ben sell 3 @ 9.9', 'asha buy 3 market'], 'filled 3'],
    ['it sells at any price', {}, ['ben buy 3 @ 0.1', 'asha sell 3 market'], 'filled 3'],
  ])
  t.equal(test.money('1asha'), 'cash 0.02 held 0 available 0.02')
})

t.test('an order must be within the minimum and maximum bet', t => {
  const limits = { minBet: 10, maxBet: 100 }
  const bids = ['ben buy 10 @ 8', 'asha sell 10 @ 8']
  return checkRows(t, [
    ['the smallest', limits, ['asha buy 2 @ 5'], 'resting 0'],
    ['below it', limits, ['asha buy 1.99 @ 5'], rejected('bet_below_min')],
    ['the largest', limits, ['asha buy 20 @ 5'], 'resting 0'],
    ['above it', limits, ['asha buy 20.01 @ 5'], rejected('bet_above_max')],
    ['the smallest for NO', limits, ['asha sell 10 @ 9'], 'resting 0'],
    ['below it for NO', limits, ['asha sell 9.99 @ 9'], rejected('bet_below_min')],
    ['the largest for NO', limits, ['asha sell 100 @ 9'], 'resting 0'],
    ['above it for NO', limits, ['asha sell 100.01 @ 9'], rejected('bet_above_max')],
    ['selling what one holds has no minimum', limits, [...bids, 'asha buy 10 @ 0.5'], 'resting 0'],
    ['selling more than one holds has', limits, [...bids, 'asha buy 10.01 @ 0.5'], rejected('bet_below_min')],
    ['the limit is judged before the funds', limits, ['asha buy 2000 @ 5'], rejected('bet_above_max')],
    ['no bet at all', { maxBet: 0 }, ['asha buy 1 @ 5'], rejected('bet_above_max')],
    ['no bet at all at the market', { maxBet: 0 }, ['asha buy 1 market'], rejected('bet_above_max')],
  ]).then(() => undefined)
})

t.test('a market order stops at the maximum bet', t => {
  const asks = ['ben sell 20 @ 5', 'cora sell 20 @ 5']
  const many = ['ben sell 100 @ 5', 'cora sell 100 @ 5', 'dev sell 100 @ 5']
  const limit = { maxBet: 100 }
  const high = { maxBet: 1000 }
  const held = ['ben buy 20 @ 5', 'asha sell 20 @ 5', 'cora sell 20 @ 5', 'asha buy 20 market']
  return checkRows(t, [
    ['at the limit', limit, [...asks, 'asha buy 20 market'], 'filled 20'],
    ['above it', limit, [...asks, 'asha buy 20.01 market'], 'cancelled 20 bet_above_max'],
    [
      'funds as large as the limit',
      high,
      [...many, 'asha buy 201 market'],
      'cancelled 200 funds_insufficient',
    ],
    [
      'funds just below it',
      high,
      ['asha buy 1 @ 1', ...many, 'asha buy 201 market'],
      'cancelled 199.8 funds_insufficient',
    ],
    [
      'funds above it',
      { maxBet: 999 },
      ['asha buy 0.1 @ 1', ...many, 'asha buy 201 market'],
      'cancelled 199.8 bet_above_max',
    ],
    ['what one holds is no bet', limit, held, 'filled 20'],
  ]).then(() => undefined)
})

t.test('open pairs never exceed the capacity of the event', t => {
  const small = { capacity: lots(500) }
  const full = ['ben sell 10 @ 5', 'asha buy 5 @ 5']
  return checkRows(t, [
    ['up to the cap', small, full, 'filled 5'],
    ['beyond it', small, ['ben sell 10 @ 5', 'asha buy 5.01 @ 5'], 'cancelled 5 event_capacity'],
    ['once it is reached', small, [...full, 'cora buy 0.1 @ 5'], 'cancelled 0 event_capacity'],
    ['at the market', small, [...full, 'cora buy 0.1 market'], 'cancelled 0 event_capacity'],
    ['contracts may still change hands', small, [...full, 'asha sell 5 @ 4', 'cora buy 5 @ 4'], 'filled 5'],
    [
      'and be burnt',
      small,
      ['ben sell 5 @ 5', 'asha buy 5 @ 5', 'ben buy 5 @ 5', 'asha sell 5 @ 5'],
      'filled 5',
    ],
    [
      'a burnt pair makes room',
      small,
      [
        'ben sell 5 @ 5',
        'asha buy 5 @ 5',
        'ben buy 5 @ 5',
        'asha sell 5 @ 5',
        'cora sell 5 @ 5',
        'dev buy 5 @ 5',
      ],
      'filled 5',
    ],
    ['resting needs no room', small, [...full, 'cora buy 50 @ 4'], 'resting 0'],
  ]).then(() => undefined)
})

t.test('users trade with themselves only if they ask to', async t => {
  const test = await checkRows(t, [
    ['the incoming order goes', {}, ['asha sell 5 @ 5', 'asha buy 3 @ 5'], 'cancelled 0 self_trade'],
    [
      'after others were met',
      {},
      ['ben sell 1 @ 5', 'asha sell 5 @ 5', 'asha buy 3 @ 5'],
      'cancelled 1 self_trade',
    ],
    ['at the market too', {}, ['asha sell 5 @ 5', 'asha buy 3 market'], 'cancelled 0 self_trade'],
    ['below it nothing is crossed', {}, ['asha sell 5 @ 5', 'asha buy 3 @ 4.99'], 'resting 0'],
    ['the resting order goes', {}, ['asha sell 5 @ 5', 'asha buy 3 @ 5 self maker'], 'resting 0'],
    [
      'then others are met',
      {},
      ['asha sell 5 @ 5', 'ben sell 1 @ 5', 'asha buy 3 @ 5 self maker'],
      'partially_filled 1',
    ],
    ['who wants to, may', {}, ['asha sell 5 @ 5', 'asha buy 3 @ 5 self off'], 'filled 3'],
  ])
  const code = (row: number) => (1_000_001 + row) as Parameters<typeof test.book>[0]
  t.equal(test.book(code(0)), '- | 5@5')
  t.equal(test.book(code(4)), '3@5 | -')
  t.equal(test.book(code(6)), '- | 2@5')
  t.equal(
    test.contracts('6asha', code(6)),
    'nothing',
    'both sides of a trade with oneself are one pair, merged',
  )
  t.equal(test.money('6asha'), 'cash 1000 held 10 available 990')
})
