import t from 'tap'
import type { Trade } from '../../src/client/shapes.js'
import { ladderRoom, ladderRows } from '../../src/web/trade/market/ladder-rows.js'
import { LatestTrades } from '../../src/web/trade/market/latest-trades.js'

t.test('the ladder has a row for each level, and keeps the room that it had', async t => {
  const side = (levels: number) => Array.from({ length: levels }, (_, index) => [5 - index / 100, 1] as const)
  const none = { asks: 0, bids: 0 }
  for (const [levels, rows] of [
    [0, 1],
    [1, 1],
    [3, 3],
    [20, 8],
  ] as const) {
    t.same(ladderRoom({ bids: side(levels), asks: [] }, none, 8), { bids: rows, asks: 1 }, `${levels} levels`)
  }
  const room = ladderRoom({ bids: side(2), asks: side(1) }, { bids: 5, asks: 3 }, 8)
  t.same(room, { bids: 5, asks: 3 }, 'levels that vanish leave their room')
  const { bids, asks } = ladderRows({ bids: side(2), asks: side(1) }, [], room)
  t.same(
    [bids.map(row => row?.total), asks.map(row => row?.total)],
    [
      [1, 2, undefined, undefined, undefined],
      [undefined, undefined, 1],
    ],
  )
})

t.test('the best prices meet in the middle', async t => {
  const book = {
    bids: [
      [6, 10],
      [5.9, 30],
    ] as const,
    asks: [
      [6.2, 5],
      [6.3, 15],
    ] as const,
  }
  const { bids, asks, spread } = ladderRows(book, [], { asks: 3, bids: 3 })
  t.same(
    asks.map(row => row?.price),
    [undefined, 6.3, 6.2],
  )
  t.same(
    bids.map(row => row?.price),
    [6, 5.9, undefined],
  )
  t.equal(spread?.toFixed(2), '0.20')
  const shown = [asks[1], asks[2], bids[0], bids[1]]
  t.same(
    shown.map(row => row?.total),
    [20, 5, 10, 40],
    'a total counts all levels from the best price on',
  )
  t.same(
    shown.map(row => row?.share),
    [0.5, 5 / 30, 10 / 30, 1],
    'a bar is as long as the number beside it, against the largest level',
  )
})

t.test('marks own orders only on their side of their price', async t => {
  const book = { bids: [[6.1, 10]] as const, asks: [[6.2, 5]] as const }
  const own = [
    { side: 'yes', yesPrice: 0.1 + 6, remaining: 2 },
    { side: 'yes', yesPrice: 6.1, remaining: 1.5 },
    { side: 'no', yesPrice: 6.1, remaining: 9 },
  ] as const
  const { bids, asks } = ladderRows(book, own, { asks: 1, bids: 1 })
  t.equal(bids[0]?.own, 3.5)
  t.equal(asks[0]?.own, 0)
})

const trade = (number: number): Trade => ({
  tradeId: `1000001-${number}`,
  event_id: '1000001',
  price: 5,
  qty: 1,
  taker_side: 'yes',
  ts: '2026-11-21T17:00:00.000Z',
})

t.test('a trade both streamed and fetched is on the tape once, in its place', async t => {
  const latest = new LatestTrades()
  latest.add([trade(10)])
  latest.add([trade(9), trade(8)])
  latest.add([trade(11)])
  latest.add([trade(11), trade(10), trade(9)])
  t.same(
    latest.all.map(({ tradeId }) => tradeId),
    ['1000001-11', '1000001-10', '1000001-9', '1000001-8'],
  )
  latest.add(Array.from({ length: 200 }, (_, index) => trade(index + 12)))
  t.equal(latest.all.length, 50, 'and it does not grow for ever')
  t.equal(latest.all[0]?.tradeId, '1000001-211')
})

t.test('the part of the exchange is never more than a level has', async t => {
  const book = {
    bids: [[4.5, 10]],
    asks: [
      [5.5, 8],
      [6, 3],
    ],
  } as const
  const house = [
    { side: 'yes', price: 4.5, quantity: 4 },
    // It was filled since: the book is newer.
    { side: 'no', price: 5.5, quantity: 12 },
    { side: 'yes', price: 6, quantity: 3 },
  ] as const
  const { bids, asks } = ladderRows(book, [], { asks: 2, bids: 2 }, house)
  t.same(
    [...asks, ...bids].map(row => row?.house),
    [0, 8, 4, undefined],
  )
  t.same(ladderRows(book, [], { asks: 1, bids: 1 }).bids[0]?.house, 0)
})
