import type { Test } from 'tap'
import t from 'tap'
import type { MarketCode, TimeMs } from '../../src/core/units.js'
import type { Database } from '../../src/store/database.js'
import { openDatabase } from '../../src/store/database.js'
import { CandleRows } from '../../src/store/rows/candle-rows.js'
import { migrateTables } from '../../src/store/tables-schema.js'
import { Dice } from '../fixtures/dice.js'

const CODE = 1_000_001 as MarketCode
const INTERVAL = 10

/** Makes a market with a trade at each time, the n-th at price n; the next market has trades of its own. */
function traded(t: Test, times: readonly number[]): Database {
  const database = openDatabase(':memory:')
  t.teardown(() => database.close())
  migrateTables(database)
  const insert = database.prepare("INSERT INTO trades VALUES (?, ?, ?, 1, 'yes', 1, 4, 2, 5, ?)")
  for (const [index, at] of times.entries()) insert.run(CODE, index + 1, index + 1, at)
  for (let trade = 1; trade < 50; trade++) insert.run(CODE + 1, trade, 999, trade)
  return database
}

const read = (rows: CandleRows, from: number, to: number) => {
  const found = rows.read(CODE, from as TimeMs, to as TimeMs, INTERVAL)
  const candles = found?.candles.map(({ ts, open, close, trades }) => `${ts}: ${open} to ${close}, ${trades}`)
  return found && [found.closeBefore ?? 'none', ...(candles ?? [])]
}

t.test('interval borders are found wherever they lie among the trades', async t => {
  const rows = new CandleRows(traded(t, [10, 19, 20, 20, 20, 45, 49, 50]))
  const whole = ['10: 1 to 2, 2', '20: 3 to 5, 3', '40: 6 to 7, 2', '50: 8 to 8, 1']
  t.same(read(rows, 0, 60), ['none', ...whole])
  t.same(read(rows, 10, 50), ['none', ...whole.slice(0, 3)])
  t.same(read(rows, 20, 40), [2, ...whole.slice(1, 2)])
  t.same(read(rows, 30, 40), [5])
  t.same(read(rows, 0, 10), ['none'])
  t.same(read(rows, 50, 1000), [7, ...whole.slice(3)])
  t.same(read(rows, 60, 70), [8])
})

t.test('a market without trades has no candles and no close', async t => {
  t.same(read(new CandleRows(traded(t, [])), 0, 1000), ['none'])
})

t.test('reads as many trades as the limit, but not one more', async t => {
  const database = traded(t, [10, 11, 12, 20, 30])
  const rows = new CandleRows(database, 3)
  t.equal(read(rows, 0, 40), undefined)
  t.equal(read(rows, 10, 30), undefined)
  t.same(read(rows, 10, 20), ['none', '10: 1 to 3, 3'])
  t.same(read(rows, 20, 40), [3, '20: 4 to 4, 1', '30: 5 to 5, 1'])
})

t.test('dense and empty intervals of every size are distinguished', async t => {
  const dice = Dice.fromEnvironment(t)
  for (let round = 0; round < 20; round++) {
    const times: number[] = []
    for (let at = dice.between(0, 30); at < 5000; at += dice.oneOf([0, 0, 0, 1, 3, dice.between(0, 300)])) {
      times.push(at)
    }
    const rows = new CandleRows(traded(t, times))
    const from = dice.between(0, 400) * INTERVAL
    const to = from + dice.between(1, 200) * INTERVAL
    const expected = new Map<number, number>()
    for (const at of times) {
      const ts = at - (at % INTERVAL)
      if (at >= from && at < to) expected.set(ts, (expected.get(ts) ?? 0) + 1)
    }
    const found = rows.read(CODE, from as TimeMs, to as TimeMs, INTERVAL)
    t.same(
      found?.candles.map(({ ts, trades, volume }) => [ts, trades, volume]),
      Array.from(expected, ([ts, count]) => [ts, count, count]),
    )
  }
})
