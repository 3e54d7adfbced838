import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openTogether } from '../../src/exchange/recovery/open-together.js'
import { RecoveryError } from '../../src/exchange/recovery/recovery-error.js'
import { openDatabase } from '../../src/store/database.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const DAY = ['asha buy 10 @ 5', 'ben sell 4 @ 5', 'cora buy 3 @ 5', 'ben sell 3 @ 6', 'asha sell 2 @ 6']

/** Returns a closed file with a day's trading. */
async function tradedFile(t: Test): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(DAY)
  await test.close()
  return test
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, offset)
  closeSync(descriptor)
}

/** Returns where the first page of a table begins. */
function pageOf(file: string, table: string): number {
  const database = openDatabase(file)
  const select = 'SELECT rootpage FROM sqlite_schema WHERE name = ?'
  const page = database.prepare<unknown[], number>(select).pluck().get(table)
  database.close()
  return ((page ?? 1) - 1) * 4096
}

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  [
    'is no database',
    file => writeFileSync(file, 'this is no database, but a text of some length'.repeat(100)),
  ],
  ['has a broken head', file => overwrite(file, 0, Buffer.alloc(64, 0xff))],
  ['has lost its end', file => truncateSync(file, 8192)],
  ['has a page of noise', file => overwrite(file, pageOf(file, 'accounts'), Buffer.alloc(4096, 0xa5))],
  ['has a broken schema', file => overwrite(file, 100, Buffer.alloc(8, 0x77))],
]

t.test('a damaged file is refused, with the reason and a remedy', async t => {
  for (const [name, damage] of DAMAGES) {
    await t.test(`that ${name}`, async t => {
      const { file } = await tradedFile(t)
      damage(file)
      const error = await TestExchange.open(t, { file }).catch((reason: unknown) => reason)
      t.ok(error instanceof RecoveryError, 'the refusal is one for the operator', { found: String(error) })
      t.match(
        String(error),
        /the data file is damaged \(.+\)\. Nothing was changed: restore it from a backup/s,
      )
    })
  }
})

t.test('a journal without its last batch is refused because the tables are ahead of it', async t => {
  const test = await tradedFile(t)
  test.tamper('DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)')
  const message = /the journal ends at batch (\d+), the tables at batch \d+\)\. Nothing was changed/
  await t.rejects(TestExchange.open(t, { file: test.file }), { name: 'RecoveryError', message })
})

/** Leaves a transaction of a rollback journal unfinished, as a power cut does before a file has its log. */
function cutOff(file: string): void {
  const database = openDatabase(file)
  database.exec('PRAGMA journal_mode = DELETE; CREATE TABLE noise (text TEXT); PRAGMA cache_size = 1')
  database.exec('BEGIN')
  const insert = database.prepare('INSERT INTO noise VALUES (?)')
  for (let row = 0; row < 200; row++) insert.run('x'.repeat(1000))
  for (const end of ['', '-journal']) copyFileSync(file + end, `${file}.cut${end}`)
  database.exec('ROLLBACK')
  database.close()
  for (const end of ['', '-journal']) renameSync(`${file}.cut${end}`, file + end)
}

for (const [name, of] of [
  ['tables', (file: string) => file],
  ['journal', journalPath],
] as const) {
  t.test(`the transaction that a power cut left in the ${name} without a log is rolled back`, async t => {
    const { file } = await tradedFile(t)
    cutOff(of(file))
    const { exchange } = await TestExchange.open(t, { file })
    t.ok(exchange.moneyIsAllThere())
    t.notOk(existsSync(`${of(file)}-journal`))
  })
}

t.test('a file of a later version is refused and left as it is', async t => {
  const test = await tradedFile(t)
  test.tamper('PRAGMA user_version = 99')
  const message = /the data file has version 99, this program knows \d+: start a newer Raay/
  await t.rejects(TestExchange.open(t, { file: test.file }), { name: 'RecoveryError', message })
  t.same(test.rows('PRAGMA user_version'), [{ user_version: 99 }])
})

t.test('a file of another program is refused and left as it is', async t => {
  const file = join(t.testdir(), 'raay.db')
  const database = openDatabase(file)
  database.exec('CREATE TABLE notes (text TEXT)')
  database.close()
  const message = /is not one of Raay: choose another directory/
  await t.rejects(TestExchange.open(t, { file }), { name: 'RecoveryError', message })
  const again = openDatabase(file)
  t.same(again.prepare('SELECT name FROM sqlite_master').all(), [{ name: 'notes' }])
  again.close()
})

t.test('a file in which money is missing is refused', async t => {
  const changes: readonly (readonly [string, RegExp])[] = [
    ["UPDATE accounts SET cash = cash - 1 WHERE owner = 'user:asha'", /sums to -1, not to zero/],
    ["UPDATE accounts SET held = held + 1 WHERE owner = 'user:asha'", /account 5 holds \d+, its orders \d+/],
    ["UPDATE accounts SET held = held - 1 WHERE owner = 'user:asha'", /account 5 holds \d+, its orders \d+/],
    ['UPDATE positions SET yes = yes + 1 WHERE account = 5', /YES and \d+ NO for \d+ pairs/],
    ['UPDATE positions SET yes_locked = 0', /has 0 yes locked, its orders 200/],
    ['UPDATE markets SET open_pairs = open_pairs + 1', /escrow \d+ for \d+ pairs/],
    ["DELETE FROM orders WHERE state = 'resting'", /has 200 yes locked, its orders 0/],
    ["UPDATE orders SET state = 'filled' WHERE number = 1", /holds \d+, its orders \d+/],
  ]
  for (const [index, [sql, rule]] of changes.entries()) {
    await t.test(`by change ${index}`, async t => {
      const test = await tradedFile(t)
      test.tamper(sql)
      await t.rejects(TestExchange.open(t, { file: test.file }), { message: rule }, sql)
    })
  }
})

t.test('an empty or missing file becomes a new exchange', async t => {
  const directory = t.testdir({ 'empty.db': '' })
  for (const name of ['empty.db', 'new.db']) {
    await t.test(name, async t => {
      const test = await TestExchange.open(t, { file: join(directory, name) })
      t.same([...test.exchange.directory.all()], [])
      t.equal(test.money('asha'), 'no account')
      t.ok(test.exchange.moneyIsAllThere())
    })
  }
})

t.test('a start that fails leaves no thread open, whatever it is that failed', async t => {
  const closed: string[] = []
  const thread = (name: string) => ({
    close: async () => {
      closed.push(name)
    },
  })
  const works = async <T>(value: T) => value
  const fails = () => Promise.reject(new Error('no thread'))
  const damaged = () => {
    throw new Error('damaged')
  }
  await t.rejects(openTogether([works(thread('a')), works(thread('b'))], damaged), /damaged/)
  t.same(closed.splice(0), ['a', 'b'])
  await t.rejects(
    openTogether([works(thread('a')), fails()], () => 1),
    /no thread/,
  )
  t.same(closed.splice(0), ['a'])
  await t.rejects(
    openTogether([fails(), works(thread('b'))], () => 1),
    /no thread/,
  )
  t.same(closed.splice(0), ['b'])
  await t.rejects(openTogether([fails(), fails()], damaged), /damaged/)
  const [a, b, result] = await openTogether([works(thread('a')), works(thread('b'))], () => 1)
  t.same([typeof a.close, typeof b.close, result, closed], ['function', 'function', 1, []])
})
