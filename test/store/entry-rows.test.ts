import t from 'tap'
import type { EntryPlace, EntryRow } from '../../src/core/records/statement-record.js'
import type { AccountNumber, Sequence } from '../../src/core/units.js'
import { openReadOnly } from '../../src/store/database.js'
import { EntryRows } from '../../src/store/rows/entry-rows.js'
import { FillRows } from '../../src/store/rows/fill-rows.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestExchange } from '../fixtures/test-exchange.js'

type Transport = EntryPlace & {
  readonly account: AccountNumber
  readonly kind: string
  readonly change: number
}

const placeOf = ({ sequence, line }: EntryPlace) => `${sequence}-${line}`

t.test('a page after any statement line continues with exactly the lines before it', async t => {
  const test = await TestExchange.open(t)
  await liveFullDay(test, new Dice(5), 150)
  const database = openReadOnly(test.file)
  t.teardown(() => database.close())
  const entries = new EntryRows(database)
  const fills = new FillRows(database)
  const lines = test.rows<Transport>('SELECT account, sequence, line, kind, change FROM entries')
  const newestFirst = lines.sort((a, b) => b.sequence - a.sequence || b.line - a.line)
  t.ok(lines.length > 60)
  for (const [index, line] of newestFirst.entries()) {
    const own = newestFirst.slice(index + 1).filter(({ account }) => account === line.account)
    const shown = own.filter(({ change }) => change !== 0).slice(0, 7)
    t.same(entries.page(line.account, {}, line, 7).rows.map(placeOf), shown.map(placeOf))
    const traded = own.filter(({ kind }) => kind === 'trade').slice(0, 7)
    t.same(fills.page(line.account, {}, line, 7).rows.map(placeOf), traded.map(placeOf))
  }
})

t.test('a page of fills walks 10,000 lines at most, and says where the next one begins', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 6', 'ben sell 1 @ 6'])
  await test.close()
  const [asha] = test.rows<{ number: number; last: number; top: number }>(
    `SELECT number, last_entry AS last, (SELECT max(id) FROM entries) AS top FROM accounts
     WHERE owner = 'user:asha'`,
  )
  const { number, last, top } = asha ?? { number: 0, last: 0, top: 0 }
  // One more deposit than a page examines, each linked to the line before.
  test.tamper(`WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
    INSERT INTO entries (id, account, previous, sequence, line, at, kind, change, cash)
    SELECT ${top} + i, ${number}, iif(i = 1, ${last}, ${top} + i - 1), 1000 + i, 0, 1, 'deposit', 1, 1 FROM n;
    UPDATE accounts SET last_entry = ${top} + 10001 WHERE number = ${number}`)
  const database = openReadOnly(test.file)
  t.teardown(() => database.close())
  const fills = new FillRows(database)
  const first = fills.page(number as AccountNumber, {}, undefined, 5)
  t.same(first, { rows: [], searchedTo: { sequence: 1002, line: 0 } })
  const second = fills.page(number as AccountNumber, {}, first.searchedTo, 5)
  t.equal(second.rows.length, 1)
  t.equal(second.searchedTo, undefined)
})

t.test("a place that is no line of the user's leads nowhere", async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6', 'asha buy 1 @ 5'])
  const database = openReadOnly(test.file)
  t.teardown(() => database.close())
  const entries = new EntryRows(database)
  const accounts = test.rows<{ number: AccountNumber }>(
    "SELECT number FROM accounts WHERE owner LIKE 'user:%'",
  )
  const [asha, ben] = accounts.map(({ number }) => number)
  const [last] = entries.page(asha as AccountNumber, {}, undefined, 1).rows as [EntryRow]
  t.equal(entries.page(asha as AccountNumber, {}, last, 10).rows.length, 1)
  t.same(entries.page(ben as AccountNumber, {}, last, 10).rows, [])
  for (const place of [
    { sequence: 0 as Sequence, line: 0 },
    { sequence: 1_000_000 as Sequence, line: 0 },
    { ...last, line: 99 },
  ]) {
    t.same(entries.page(asha as AccountNumber, {}, place, 10).rows, [])
  }
})
