import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { SCHEMA_VERSION } from '../../src/store/schema.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy } from '../fixtures/damaged-copy.js'
import { takeBackToVersion1, takeBackToVersion2 } from '../fixtures/older-versions.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const OTHER = (MARKET + 1) as typeof MARKET
/** More orders than today's exchange clears in the batch that closes a market. */
const CROWD = 600

const test = await TestExchange.open(t, { startingBalance: 5000 })
await test.create({ endAt: START + HOUR })
await test.create()
await test.playAll([
  'asha buy 10 @ 5',
  'ben sell 4 @ 5',
  'ben sell 3 @ 6',
  'asha sell 10 @ 5',
  'cora buy 6 market',
])
await test.playAll(['asha buy 10 @ 5', 'dev sell 4 @ 5', 'asha buy 2 no @ 5', 'cora buy 1 @ 0.01'], OTHER)
await Promise.all(Array.from({ length: CROWD }, () => test.place('eve buy 1 @ 0.5')))
test.now += 2 * HOUR
test.exchange.advanceClock()
await test.exchange.drain()
t.ok(
  test.journalled().filter(({ type }) => type === 'CLEAR_BOOK').length > 0,
  'the closing took several batches',
)
await test.close()
const old = damagedCopy(test.file, takeBackToVersion1)

t.test('a version 1 file must first be opened by Raay', async t => {
  t.throws(() => verifyFile(old), {
    message: `the data file has version 1, this program ${SCHEMA_VERSION}: start Raay once to bring it up to date`,
  })
})

t.test('a migrated version 1 file passes', async t => {
  const later = await TestExchange.open(t, { file: old })
  await later.exchange.drain()
  t.same(wrong(verifyFile(old)), [], 'right after the migration')
  later.now = START + 3 * HOUR
  await later.playAll(['asha buy 1 @ 5', 'fay sell 1 @ 5', 'asha sell 1 @ 4.9', 'dev buy 3 market'], OTHER)
  t.same(wrong(verifyFile(old)), [], 'after more trading')
  const [brought] = later.rows<{ count: number }>(
    "SELECT count(*) AS count FROM entries WHERE kind = 'brought_forward'",
  )
  t.equal(brought?.count, 5)
  await later.close()

  for (const [what, sql] of [
    ['a changed sum', "UPDATE entries SET cash = cash + 1 WHERE kind = 'brought_forward' AND account = 6"],
    ['a changed time', "UPDATE entries SET at = at + 1 WHERE kind = 'brought_forward' AND account = 6"],
    ['a line that is gone', "DELETE FROM entries WHERE kind = 'brought_forward' AND account = 6"],
    [
      'a line that is another',
      "UPDATE entries SET kind = 'deposit' WHERE kind = 'brought_forward' AND account = 6",
    ],
    [
      'a line in the time before',
      "INSERT INTO entries VALUES (0, 6, NULL, 1, 0, 1, 'opening', 0, 0, NULL, NULL, NULL, NULL)",
    ],
    ['a line later on', "UPDATE entries SET change = change + 1 WHERE kind = 'trade' AND account = 6"],
  ] as const) {
    const found = wrong(verifyFile(damagedCopy(old, database => database.exec(sql))))
    t.ok(
      found.some(text => /^entries: row \d+ of the statements/.test(text)),
      `${what}: ${found}`,
    )
  }
})

t.test('a migrated version 2 file passes', async t => {
  const day = await TestExchange.open(t, { startingBalance: 5000 })
  await day.create()
  await day.create()
  const order = { market: OTHER, userId: 'asha', side: 'yes', outcome: 'yes', selfTrade: 'taker' } as const
  const expiresAt = (START + HOUR) as TimeMs
  for (const [orderType, price] of [
    ['LO', 4],
    ['LO', 3],
    ['MO', 5],
  ] as const) {
    await day.exchange.placeOrder({
      ...{ ...order, orderType, quantity: 3, expiresAt },
      ...{ yesPrice: price, askedPrice: price },
    })
  }
  await day.playAll(['ben sell 4 @ 4', 'cora buy 2 market', 'ben sell 2 @ 6', 'dev buy 3 @ 5'], OTHER)
  await day.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'])
  await new Operator(day).settle('yes')
  await day.close()
  const file = damagedCopy(day.file, takeBackToVersion2)
  t.throws(() => verifyFile(file), {
    message: `the data file has version 2, this program ${SCHEMA_VERSION}: start Raay once to bring it up to date`,
  })

  const later = await TestExchange.open(t, { file })
  t.same(wrong(verifyFile(file)), [], 'right after the migration')
  later.now = START + 2 * HOUR
  later.exchange.advanceClock()
  const key = { name: 'k1', fingerprint: 'a' }
  const named = { ...order, orderType: 'LO', timeInForce: 'IOC', key, quantity: 9 } as const
  await later.exchange.placeOrder({ ...named, yesPrice: 6, askedPrice: 6 })
  await later.playAll(['fay buy 1 @ 5', 'dev sell 2 @ 5'], OTHER)
  t.same(wrong(verifyFile(file)), [], 'after more trading')
  t.same(later.rows('SELECT DISTINCT time_in_force FROM orders ORDER BY 1'), [
    { time_in_force: 'GTC' },
    { time_in_force: 'GTD' },
    { time_in_force: 'IOC' },
  ])
})
