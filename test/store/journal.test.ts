import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { readCommands } from '../../src/store/command-text.js'
import { openDatabase } from '../../src/store/database.js'
import type { JournalRow } from '../../src/store/journal.js'
import { chainHash, Journal } from '../../src/store/journal.js'
import { migrateTables } from '../../src/store/tables-schema.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const NOTHING = Buffer.alloc(32)

/** Finds the first row that does not follow its predecessor, independently of the code under test. */
function firstBroken(rows: readonly JournalRow[]): number | undefined {
  let before: Buffer = NOTHING
  for (const [index, row] of rows.entries()) {
    const text = `${row.sequence} ${row.shard} ${row.at} ${row.commands}`
    const hash = createHash('sha256')
      .update(Buffer.concat([before, Buffer.from(text)]))
      .digest()
    if (row.sequence !== index + 1 || !hash.equals(row.hash)) return index + 1
    before = row.hash
  }
  return undefined
}

const rowsOf = (test: TestExchange) => test.rows<JournalRow>('SELECT * FROM journal ORDER BY sequence')

/** Trades for a day on two shards, with clock ticks, a restart and refusals. */
async function traded(t: Test): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  const other = await test.create()
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5', 'cora buy 1 @ 9.99', 'asha buy 2 no @ 4'])
  test.now += HOUR
  await test.playAll(
    ['ben buy 3 @ 5', 'asha sell 2 @ 5', 'cora buy 1 @ 2', 'cora buy 1 @ 1'],
    other.terms.code,
  )
  await test.restart()
  test.now += 24 * HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
  return test
}

t.test('the journal is one sequence without gaps, and its hashes form one chain', async t => {
  const test = await traded(t)
  const rows = rowsOf(test)
  t.ok(rows.length > 10)
  t.equal(firstBroken(rows), undefined)
  t.ok(new Set(rows.map(({ shard }) => shard)).size === 2, 'both shards wrote it')
  for (const [index, row] of rows.entries()) {
    t.ok(chainHash(rows[index - 1]?.hash ?? NOTHING, row).equals(row.hash))
    t.equal(row.hash.length, 32)
  }
})

t.test('any later change to the journal breaks the chain at that row', async t => {
  const test = await traded(t)
  const whole = rowsOf(test)
  const changes: readonly (readonly [string, (row: JournalRow) => JournalRow])[] = [
    [
      'a byte of the commands',
      row => ({ ...row, commands: row.commands.replace(/\d/, digit => String(9 - Number(digit))) }),
    ],
    ['a space in the commands', row => ({ ...row, commands: `${row.commands} ` })],
    ['the shard', row => ({ ...row, shard: row.shard + 1 })],
    ['the time', row => ({ ...row, at: (row.at + 1) as TimeMs })],
    [
      'a bit of the hash',
      row => ({ ...row, hash: Buffer.from(row.hash.map((byte, index) => (index === 31 ? byte ^ 1 : byte))) }),
    ],
  ]
  for (const [name, change] of changes) {
    const rows = whole.map((row, index) => (index === 4 ? change(row) : row))
    t.equal(firstBroken(rows), 5, name)
  }
  t.equal(firstBroken(whole.filter((_, index) => index !== 4)), 5, 'a missing row')
  const [a, b] = [whole[3], whole[4]]
  const swapped = whole.map((row, index) => (index === 3 ? b : index === 4 ? a : row)) as JournalRow[]
  t.equal(firstBroken(swapped), 4, 'two rows swapped')
})

t.test('an order is journalled exactly as the message of the specification', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 2.5 @ 5.25', 'asha sell 1 no @ 4'])
  const messages = rowsOf(test)
    .flatMap(({ sequence, commands }) => readCommands(commands, sequence))
    .filter(command => command.type === 'CREATE_ORDER')
  t.strictSame(
    messages.map(({ data }) => data),
    [
      { market: '1000001', price: 5.25, quantity: 2.5, side: 'yes', userId: 'asha' },
      { market: '1000001', price: 6, quantity: 1, side: 'yes', userId: 'asha' },
    ],
  )
  for (const { id } of messages)
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(new Set(messages.map(({ id }) => id)).size, 2, 'each has an id of its own')
})

t.test('a refused order is journalled with its reason and the numbers its client sent', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 2.5 @ 9.995'])
  const [command] = test.journalled().slice(-1)
  t.match(command, {
    data: { price: 9.995, quantity: 2.5 },
    asked: { price: 9.995, quantity: 2.5 },
    admission: { refusal: 'price_out_of_range' },
  })
})

t.test('the time of the journal never goes back, whatever the clock does', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  for (const [hours, price] of [
    [3, 4],
    [1, 3],
    [2, 2],
    [4, 1],
  ] as const) {
    test.now = START + hours * HOUR
    await test.playAll([`asha buy 1 @ ${price}`])
  }
  await test.restart()
  test.now = START
  await test.playAll(['asha buy 1 @ 0.5'])
  const hours = rowsOf(test).map(({ at }) => (at - START) / HOUR)
  t.same(
    hours,
    [...hours].sort((a, b) => a - b),
  )
  t.equal(hours.at(-1), 4)
})

t.test('a row earlier than the last one is not written', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  migrateTables(database)
  const journal = new Journal(database, 0)
  t.same(journal.end(), { sequence: 0, at: 0, hash: NOTHING })
  const commands = '[]'
  t.equal(journal.append(journal.end(), START as TimeMs, commands).sequence, 1)
  t.equal(journal.append(journal.end(), START as TimeMs, commands).sequence, 2, 'the same time is allowed')
  t.throws(() => journal.append(journal.end(), (START - 1) as TimeMs, commands), {
    message: /never goes back/,
  })
  t.equal(journal.end().sequence, 2)
  t.throws(() => journal.append({ ...journal.end(), sequence: 1 as Sequence }, START as TimeMs, commands), {
    code: /^SQLITE_CONSTRAINT/,
  })
})
