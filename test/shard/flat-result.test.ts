import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import type { BatchResult } from '../../src/shard/batch-runner.js'
import { ResultWriter, readResult } from '../../src/shard/flat-result.js'
import { Dice } from '../fixtures/dice.js'

const FILL = { trade: 3, price: 550, quantity: 100, maker: 9, makerOwner: 12 }
const MARKET = 1_000_001

/** Every kind of event, and every field that may be missing, present and missing. */
const WHOLE = {
  sequence: 7,
  at: 1_800_000_000_000,
  outcome: {
    events: [
      { market: MARKET, seq: 1, type: 'order_placed', order: 10, executed: 100, fills: [FILL] },
      {
        market: MARKET,
        seq: 2,
        type: 'traded',
        taker: 10,
        takerOwner: 11,
        takerSide: 'no',
        fills: [FILL, FILL],
      },
      { market: MARKET, seq: 3, type: 'order_cancelled', order: 9, remaining: 5, reason: 'self_trade' },
      { market: MARKET, seq: 4, type: 'order_rejected', order: 12, reason: 'bet_above_max' },
      { market: MARKET, seq: 5, type: 'market_moved', status: 'closed', outcome: undefined },
      { market: MARKET, seq: 6, type: 'market_moved', status: 'resolved', outcome: 'yes' },
      {
        market: MARKET,
        seq: 7,
        type: 'book_changed',
        bids: [[500, 0]],
        asks: [
          [505, 2 ** 40],
          [600, 1],
        ],
      },
      { market: MARKET, seq: 8, type: 'book_changed', bids: [], asks: [] },
    ],
    orders: [
      {
        ...{
          market: MARKET,
          number: 10,
          account: 11,
          filled: 1,
          filledValue: 2 ** 50,
          reduced: 3,
          covered: 4,
        },
        ...{ fee: 7, feeCredit: 2 ** 23, state: 'cancelled', reason: 'no_liquidity' },
      },
      {
        ...{ market: MARKET, number: 9, account: 12, filled: 0, filledValue: 0, reduced: 0, covered: 0 },
        ...{ fee: 0, feeCredit: 0, state: undefined, reason: undefined },
      },
    ],
    markets: [
      {
        code: MARKET,
        status: 'open',
        outcome: undefined,
        seq: 8,
        trades: 0,
        lastPrice: undefined,
        volume: 0,
        openPairs: 0,
        fees: 0,
      },
      {
        code: MARKET + 1,
        status: 'voided',
        outcome: 'void',
        seq: 1,
        trades: 2,
        lastPrice: 3,
        volume: 4,
        openPairs: 5,
        fees: 6,
      },
    ],
    accounts: [{ account: 1, cash: -(2 ** 52), held: 0 }],
    positions: [{ market: MARKET, account: 11, yes: -1, no: 2, yesLocked: -3, noLocked: 4, paid: -5 }],
    edits: [{ id: 'e', market: MARKET, terms: { capacity: 5 }, listing: { title: 'Snow – "here"' } }],
    groups: [{ code: MARKET, sets: -7, conversions: 9 }],
    conversions: [{ id: 'c', group: MARKET, account: 11, number: 9, cash: -50 }],
  },
  updatedUsers: [[11, 4]],
  transfers: [{ txnId: 'a', account: 11, direction: 'deposit', amount: 5, changedLater: -2 }],
} as unknown as BatchResult

t.test('a result is the same after it has crossed the threads', t => {
  t.strictSame(readResult(new ResultWriter().write(WHOLE)), WHOLE)
  t.end()
})

t.test('a writer leaves nothing of one result in the next', t => {
  const writer = new ResultWriter()
  writer.write(WHOLE)
  const empty: BatchResult = {
    sequence: 8 as Sequence,
    at: 5 as TimeMs,
    outcome: {
      events: [],
      orders: [],
      markets: [],
      accounts: [],
      positions: [],
      edits: [],
      groups: [],
      conversions: [],
    },
    updatedUsers: [],
    transfers: [],
  }
  t.strictSame(readResult(writer.write(empty)), empty)
  t.equal(writer.write(empty).rare, undefined, 'JSON is for few batches')
  t.end()
})

t.test('a result of any size is the same after it has crossed the threads', t => {
  const dice = Dice.fromEnvironment(t)
  const writer = new ResultWriter()
  for (let round = 0; round < 20; round++) {
    const some = <T>(list: readonly T[]) =>
      Array.from({ length: dice.between(0, 400) }, () => list[dice.between(0, list.length - 1)] as T)
    const { outcome } = WHOLE
    const result: BatchResult = {
      ...WHOLE,
      outcome: {
        events: some(outcome.events),
        orders: some(outcome.orders),
        markets: some(outcome.markets),
        accounts: some(outcome.accounts),
        positions: some(outcome.positions),
        edits: some(outcome.edits),
        groups: some(outcome.groups),
        conversions: some(outcome.conversions),
      },
      updatedUsers: some(WHOLE.updatedUsers),
      transfers: some(WHOLE.transfers),
    }
    t.strictSame(readResult(writer.write(result)), result)
  }
  t.end()
})

t.test('a result cut short is not taken for a whole one', t => {
  const flat = new ResultWriter().write(WHOLE)
  for (const length of [0, 1, 2, 10, flat.cells.length - 1]) {
    t.throws(() => readResult({ ...flat, cells: flat.cells.slice(0, length) }), { message: /no fewer cells/ })
  }
  t.throws(() => readResult({ ...flat, words: [] }), { message: /words that it needs/ })
  t.throws(() => readResult({ ...flat, cells: new Float64Array([...flat.cells, 0]) }), {
    message: /to its end/,
  })
  t.end()
})
