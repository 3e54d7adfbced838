import t from 'tap'
import { marketOrderLimit } from '../../src/core/book/matching.js'
import { ticks } from '../../src/core/units.js'
import { plays } from './book-table.js'

t.test('price and time', async t => {
  t.test(
    'fills the best price first, then the oldest order',
    plays(`
      place A1 no  5 @ 55
      place A2 no  5 @ 54
      place A3 no  5 @ 54
      place B1 yes 7 @ 55     fills A2 5 @ 54, A3 2 @ 54
      book  no  3 @ 54, 5 @ 55
      book  yes -
    `),
  )

  t.test(
    'fills bids from the highest, at the price of the bid',
    plays(`
      place A1 yes 5 @ 40
      place A2 yes 5 @ 42
      place A3 yes 5 @ 41
      place B1 no  12 @ 40    fills A2 5 @ 42, A3 5 @ 41, A1 2 @ 40
      book  yes 3 @ 40
    `),
  )

  t.test(
    'never fills beyond the limit, not even by a tick',
    plays(`
      place A1 no  5 @ 55
      place B1 yes 5 @ 54
      place A2 yes 5 @ 50
      place C1 no  9 @ 51     fills B1 5 @ 54
      book  no  4 @ 51, 5 @ 55
      book  yes 5 @ 50
    `),
  )

  t.test(
    'does not let a newer order pass an older one after a partial fill',
    plays(`
      place A1 no  5 @ 55
      place C1 no  5 @ 55
      place B1 yes 2 @ 55     fills A1 2 @ 55
      place B2 yes 4 @ 60     fills A1 3 @ 55, C1 1 @ 55
      queue 55: C1 4
    `),
  )

  t.test(
    'puts a re-entered order behind those already waiting',
    plays(`
      place  A1 no 5 @ 55
      place  C1 no 5 @ 55
      cancel A1
      place  A2 no 5 @ 55
      queue  55: C1 5, A2 5
      place  B1 yes 6 @ 55    fills C1 5 @ 55, A2 1 @ 55
    `),
  )

  t.test(
    'rests the remainder of a limit order at its own price',
    plays(`
      place A1 no  3 @ 50
      place B1 yes 8 @ 53     fills A1 3 @ 50
      book  yes 5 @ 53
      book  no  -
      place A2 no  2 @ 53     fills B1 2 @ 53
      book  yes 3 @ 53
    `),
  )

  t.test(
    'trades at both ends of the price axis',
    plays(`
      place A1 no  1 @ 99
      place A2 yes 1 @ 1
      place B1 yes 1 @ 99     fills A1 1 @ 99
      place B2 no  1 @ 1      fills A2 1 @ 1
      book  yes -
      book  no  -
    `),
  )
})

t.test('market orders', async t => {
  t.test(
    'walk the whole book and never rest',
    plays(`
      place A1 no  3 @ 50
      place A2 no  3 @ 99
      place B1 yes 9 @ market fills A1 3 @ 50, A2 3 @ 99 ends no_liquidity 3
      book  yes -
      book  no  -
    `),
  )

  t.test(
    'end unfilled against an empty book',
    plays(`
      place A1 yes 3 @ 50
      place B1 yes 9 @ market ends no_liquidity 9
      book  yes 3 @ 50
    `),
  )

  t.test(
    'never spend more than their hold',
    plays(`
      place A1 no  3 @ 50
      place A2 no  3 @ 60
      place B1 yes 6 @ market hold 269    fills A1 3 @ 50, A2 1 @ 60 ends funds_insufficient 2
      book  no  2 @ 60
      place B2 yes 2 @ market hold 120    fills A2 2 @ 60
    `),
  )

  t.test(
    'fill nothing when they cannot afford a single lot',
    plays(`
      place A1 no  3 @ 50
      place B1 yes 6 @ market hold 49     ends funds_insufficient 6
      place B2 yes 6 @ market hold 0      ends funds_insufficient 6
      place A2 yes 3 @ 40
      place B3 no  6 @ market hold 119    fills A2 1 @ 40 ends funds_insufficient 5
      book  no  3 @ 50
      book  yes 2 @ 40
    `),
  )

  t.test('take the extreme price of the range as their limit', async t => {
    t.equal(marketOrderLimit('yes', ticks(1000)), 999)
    t.equal(marketOrderLimit('no', ticks(1000)), 1)
  })
})

t.test('covered parts', async t => {
  t.test(
    'fill before the rest, on both sides',
    plays(`
      place A1 no  10 @ 50 covered 4
      place B1 yes 3 @ 50 covered 1       fills A1 3 @ 50 sold 1/3
      place B2 yes 3 @ 50                 fills A1 3 @ 50 sold 0/1
      place B3 yes 3 @ 50                 fills A1 3 @ 50
      book  no  1 @ 50
    `),
  )

  t.test(
    'need no money',
    plays(`
      place A1 no  9 @ 50
      place B1 yes 5 @ market covered 3 hold 0     fills A1 3 @ 50 sold 3/0 ends funds_insufficient 2
      place B2 yes 5 @ market covered 3 hold 50    fills A1 4 @ 50 sold 3/0 ends funds_insufficient 1
      place B3 yes 2 @ market covered 2 hold 0     fills A1 2 @ 50 sold 2/0
    `),
  )

  t.test(
    'rest with the remaining covered quantity',
    plays(`
      place A1 no  3 @ 50
      place B1 yes 10 @ 50 covered 5      fills A1 3 @ 50 sold 3/0
      place A2 no  4 @ 50                 fills B1 4 @ 50 sold 0/2
      place A3 no  3 @ 50                 fills B1 3 @ 50
    `),
  )
})

t.test('the cap on open pairs', async t => {
  t.test(
    'never lets a fill mint more than the free capacity',
    plays(`
      place A1 no  9 @ 50
      place B1 yes 9 @ 50 pairs 4         fills A1 4 @ 50 ends event_capacity 5
      place B2 yes 9 @ 50 pairs 0         ends event_capacity 9
      book  no  5 @ 50
      book  yes -
    `),
  )

  t.test(
    'does not stop contracts from changing hands',
    plays(`
      place A1 no  4 @ 50 covered 4
      place A2 no  4 @ 50
      place B1 yes 8 @ 50 pairs 0         fills A1 4 @ 50 sold 0/4 ends event_capacity 4
      place B2 yes 9 @ 50 covered 4 pairs 0    fills A2 4 @ 50 sold 4/0
      book  no  -
      book  yes 5 @ 50
    `),
  )

  t.test(
    'is freed by the pairs the same order burns',
    plays(`
      place A1 no  4 @ 50 covered 4
      place A2 no  9 @ 51
      place B1 yes 9 @ 51 covered 4 pairs 0    fills A1 4 @ 50 sold 4/4, A2 4 @ 51 ends event_capacity 1
    `),
  )

  t.test(
    'is not given as the reason when funds run out at the same fill',
    plays(`
      place A1 no  9 @ 50
      place B1 yes 9 @ market hold 0 pairs 0   ends funds_insufficient 9
    `),
  )
})

t.test('self-trade', async t => {
  t.test(
    'ends the incoming order by default and never touches the resting one',
    plays(`
      place A1 no  3 @ 50
      place B1 no  3 @ 51
      place C1 no  3 @ 52
      place B2 yes 9 @ 55                 fills A1 3 @ 50 ends self_trade 6
      book  no  3 @ 51, 3 @ 52
      book  yes -
    `),
  )

  t.test(
    'drops the resting orders and continues matching with self-trade maker',
    plays(`
      place B1 no  3 @ 50
      place A1 no  3 @ 50
      place B2 no  3 @ 50
      place B3 no  3 @ 60
      place B4 yes 4 @ 55 self maker      drops B1, B2 fills A1 3 @ 50
      book  no  3 @ 60
      book  yes 1 @ 55
    `),
  )

  t.test(
    'fills the own resting order with self-trade off',
    plays(`
      place B1 no  3 @ 50
      place B2 yes 2 @ 55 self off        fills B1 2 @ 50
    `),
  )

  t.test(
    'ignores an own order beyond the limit',
    plays(`
      place B1 no  3 @ 60
      place B2 yes 2 @ 55
      book  no  3 @ 60
      book  yes 2 @ 55
    `),
  )

  t.test(
    'does not end an order that fills before it reaches its own',
    plays(`
      place A1 no  3 @ 50
      place B1 no  3 @ 50
      place B2 yes 3 @ 50                 fills A1 3 @ 50
      queue 50: B1 3
    `),
  )
})

t.test('the bound on the resting orders that one order meets', async t => {
  t.test(
    'counts fills and orders dropped for self-trade, and says so when more would follow',
    plays(`
      place A1 no  1 @ 50
      place B1 no  1 @ 50
      place A2 no  1 @ 50
      place A3 no  1 @ 51
      place B2 yes 9 @ 51 self maker makers 3  drops B1 fills A1 1 @ 50, A2 1 @ 50 ends match_limit 7
      book  no  1 @ 51
      book  yes -
      place B3 yes 9 @ 51 makers 1             fills A3 1 @ 51
      book  yes 8 @ 51
    `),
  )

  t.test(
    'is not given as the reason of an order that ends for another one at the same maker',
    plays(`
      place A1 no  1 @ 50
      place A2 no  1 @ 50
      place B1 yes 1 @ 50 makers 1             fills A1 1 @ 50
      place B2 no  1 @ 50
      place B3 yes 9 @ 50 makers 1             fills A2 1 @ 50 ends self_trade 8
      place B4 yes 9 @ 50 hold 0 makers 0      ends self_trade 9
      place C1 yes 9 @ 50 hold 0 makers 0      ends funds_insufficient 9
      place C2 yes 9 @ 50 pairs 0 makers 0     ends event_capacity 9
    `),
  )
})
