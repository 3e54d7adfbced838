import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { OrderState } from '../../src/core/order.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import { openDatabase } from '../../src/store/database.js'
import type { OrderFilter, OrderPlace } from '../../src/store/rows/order-rows.js'
import { ticks } from '../../src/core/units.js'
import { OpenOrderRows } from '../../src/store/rows/open-order-rows.js'
import { PlainOrders } from '../../src/store/rows/plain-orders.js'
import { OrderRows } from '../../src/store/rows/order-rows.js'
import { SEARCH_LENGTH_MAX } from '../../src/store/rows/time-range.js'
import { migrateTables } from '../../src/store/tables-schema.js'

const ASHA = 4 as AccountNumber
const LENGTH = 2 * SEARCH_LENGTH_MAX + 5
const ALL: OrderFilter = { market: undefined, state: undefined }
const of = (state: OrderState): OrderFilter => ({ market: undefined, state })

/** The columns that `manyOrders` fills; those of later steps have defaults. */
const COLUMNS = `market, number, suffix, account, side, outcome, order_type, self_trade, price, quantity, asked,
  covered, filled, filled_value, state, reason, created_at, updated_at, expires_at, time_in_force, post_only,
  reduce_only, client_key, previous_market, previous_number`

/** Writes cancelled orders of one user in two markets, ten at a time; the first and last are filled. */
function manyOrders(t: Test): OrderRows {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  migrateTables(database)
  database.exec(`
    INSERT INTO accounts (number, owner, cash, held) VALUES (4, 'user:asha', 0, 0), (5, 'user:ben', 0, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LENGTH})
    INSERT INTO orders (${COLUMNS}) SELECT 1000001 + i % 2, i, 'tail', 4, 'yes', 'yes', 'LO', 'taker', 500, 100, NULL, 0, 0, 0,
      iif(i IN (1, ${LENGTH}), 'filled', 'cancelled'), NULL, i / 10, i / 10, NULL, 'GTC', 0, 0, NULL,
      iif(i > 1, 1000001 + (i - 1) % 2, NULL), iif(i > 1, i - 1, NULL) FROM n;
    UPDATE accounts SET last_market = ${1_000_001 + (LENGTH % 2)}, last_number = ${LENGTH} WHERE number = 4`)
  return new OrderRows(database)
}

/** Reads all orders of a kind. Returns their numbers and the lengths of the pages. */
function walk(rows: OrderRows, filter: OrderFilter, lengthMax: number) {
  const numbers: number[] = []
  const lengths: number[] = []
  let place: OrderPlace | undefined
  for (;;) {
    const page = rows.page(ASHA, filter, place, lengthMax)
    numbers.push(...page.rows.map(({ number }) => number))
    lengths.push(page.rows.length)
    place = page.searchedTo ?? (page.rows.length < lengthMax ? undefined : page.rows.at(-1))
    if (place === undefined) return { numbers, lengths }
  }
}

/** Numbers of open orders: close together, far apart, close together again, and one far behind. */
const isOpenNumber = (number: number) => {
  if (number > 120_000) return number === 400_000
  return number <= 9000 || number % 500 === 0 || number > 110_000
}

t.test('all open orders are read in their order, however many others are between them', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  migrateTables(database)
  const open = Array.from({ length: 400_001 }, (_, number) => number)
    .filter(isOpenNumber)
    .slice(1)
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
    INSERT INTO orders (${COLUMNS}) SELECT 1000001, i, 'tail', 4, 'yes', 'yes', 'LO', 'taker', 500, 100, NULL, 0, 0, 0,
      iif(i <= 9000 OR i % 500 = 0 OR i > 110000, 'resting', 'cancelled'), NULL, 1, 1, NULL, 'GTC', 0, 0, NULL,
      NULL, NULL FROM (SELECT i FROM n UNION ALL SELECT 400000);
    INSERT INTO orders (${COLUMNS}) SELECT 1000002, ${COLUMNS.split(',').slice(1).join(',')} FROM orders
      WHERE number = 1`)
  const rows = new OpenOrderRows(database)
  const market = 1_000_001 as MarketCode
  const plain = new PlainOrders()
  const terms = { code: market, payout: ticks(1000), tickSize: ticks(1) }
  t.same([...rows.records(terms, plain, () => 'asha')], [])
  const numbers = Array.from({ length: plain.length }, (_, row) => plain.numberAt(row))
  t.same(numbers, open)
  t.same(
    Array.from(rows.resting(market), ({ number }) => number),
    open,
  )
  t.same(rows.markets(), [market, market + 1])
})

t.test('every order is listed once, by time', async t => {
  const rows = manyOrders(t)
  for (const lengthMax of [999, SEARCH_LENGTH_MAX, LENGTH, LENGTH + 1]) {
    const { numbers } = walk(rows, ALL, lengthMax)
    t.equal(new Set(numbers).size, LENGTH, `by ${lengthMax}`)
    const times = numbers.map(number => Math.floor(number / 10))
    t.same(
      times,
      times.toSorted((a, b) => b - a),
    )
  }
})

t.test('a page scans a limited number of orders, and the next continues from there', async t => {
  const rows = manyOrders(t)
  t.same(walk(rows, of('filled'), 100), { numbers: [LENGTH, 1], lengths: [1, 0, 1] })
  t.same(walk(rows, of('rejected'), 100), { numbers: [], lengths: [0, 0, 0] })
  const odd = { market: 1_000_002 as MarketCode, state: undefined }
  const { numbers } = walk(rows, odd, 777)
  t.same(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: (LENGTH + 1) / 2 }, (_, index) => 2 * index + 1),
  )
  t.same(walk(rows, { ...odd, state: 'filled' }, 1).numbers, [LENGTH, 1])
})

t.test('a search that ends with the last order says so', async t => {
  const rows = manyOrders(t)
  const { rows: all } = rows.page(ASHA, ALL, undefined, LENGTH)
  const place = (count: number) => all[LENGTH - count - 1]
  for (const [left, stops] of [
    [1, false],
    [SEARCH_LENGTH_MAX - 1, false],
    [SEARCH_LENGTH_MAX + 1, true],
  ] as const) {
    const page = rows.page(ASHA, of('rejected'), place(left), 10)
    t.equal(page.searchedTo !== undefined, stops, `${left} are left`)
  }
})

t.test('users never see the orders of others', async t => {
  const rows = manyOrders(t)
  t.same(rows.page(5 as AccountNumber, ALL, undefined, 10), { rows: [], searchedTo: undefined })
  t.same(rows.page(5 as AccountNumber, of('filled'), undefined, 10), { rows: [], searchedTo: undefined })
})

t.test('a cursor that is not an order of the user returns nothing', async t => {
  const rows = manyOrders(t)
  const place = { createdAt: 1 as TimeMs, market: 1_000_002 as MarketCode, number: 5 as OrderNumber }
  t.ok(rows.page(ASHA, ALL, place, 10).rows.length > 0)
  t.same(rows.page(5 as AccountNumber, ALL, place, 10), { rows: [], searchedTo: undefined })
  const nowhere = { ...place, number: (LENGTH + 1) as OrderNumber }
  t.same(rows.page(ASHA, ALL, nowhere, 10), { rows: [], searchedTo: undefined })
})
