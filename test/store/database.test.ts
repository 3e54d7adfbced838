import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { assertDurable, damageOf, openDatabase, openReadOnly, sealFile } from '../../src/store/database.js'
import { migrateTables, SCHEMA_VERSION } from '../../src/store/tables-schema.js'

type Database = ReturnType<typeof openDatabase>

/** Opens a database with all tables, and closes it when the test ends. */
function openTables(t: Test, file: string): Database {
  const database = openDatabase(file)
  t.teardown(() => database.close())
  migrateTables(database)
  return database
}

const pragma = (database: Database, name: string) => database.pragma(name, { simple: true })

t.test('every commit is synced: the settings read back are WAL and FULL', async t => {
  const database = openTables(t, join(t.testdir(), 'raay.db'))
  t.equal(pragma(database, 'journal_mode'), 'wal')
  t.equal(pragma(database, 'synchronous'), 2)
  t.doesNotThrow(() => assertDurable(database))

  for (const level of ['OFF', 'NORMAL']) {
    database.pragma(`synchronous = ${level}`)
    t.throws(() => assertDurable(database), { message: /every commit is synced/ }, level)
  }
  database.pragma('synchronous = FULL')
  t.doesNotThrow(() => assertDurable(database))
  database.pragma('journal_mode = DELETE')
  t.throws(() => assertDurable(database), { message: /the journal mode is WAL/ })
})

t.test('settings are lost with their connection, so each connection sets its own', async t => {
  const file = join(t.testdir(), 'raay.db')
  openTables(t, file).pragma('synchronous = OFF')
  const second = openTables(t, file)
  second.exec("UPDATE accounts SET owner = 'house' WHERE number = 3")
  t.doesNotThrow(() => assertDurable(second))
})

t.test('a history connection is read-only', async t => {
  const file = join(t.testdir(), 'raay.db')
  openTables(t, file)
  const reader = openReadOnly(file)
  t.teardown(() => reader.close())
  t.throws(() => reader.exec('DELETE FROM accounts'), { code: 'SQLITE_READONLY' })
  t.throws(() => openReadOnly(join(file, '..', 'not-there.db')), { code: 'SQLITE_CANTOPEN' })
})

t.test('a new file gets the tables, a current file nothing', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  t.equal(pragma(database, 'user_version'), 0)
  t.equal(migrateTables(database), undefined)
  t.equal(pragma(database, 'user_version'), SCHEMA_VERSION)
  const schema = () => database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  const before = schema()
  database.exec("INSERT INTO accounts (number, owner, cash, held) VALUES (9, 'user:asha', 5, 1)")
  t.equal(migrateTables(database), undefined)
  t.same(schema(), before)
  t.equal(database.prepare('SELECT count(*) FROM accounts').pluck().get(), 4, 'existing rows stay')
})

t.test('a file of a later program version is refused and left unchanged', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  database.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
  const versions = `the data file has version ${SCHEMA_VERSION + 1}, this program knows ${SCHEMA_VERSION}`
  t.equal(migrateTables(database), `${versions}: start a newer Raay`)
  t.same(database.prepare('SELECT * FROM sqlite_schema').all(), [])
})

t.test('a creation that fails half-way leaves nothing behind', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  t.teardown(() => database.close())
  database.exec('CREATE VIEW trades AS SELECT 1')
  t.throws(() => migrateTables(database), { message: /trades/ })
  t.equal(pragma(database, 'user_version'), 0)
  t.same(database.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['trades'])
})

const ACCOUNT = "INSERT INTO accounts (number, owner, cash, held) VALUES (9, 'user:asha', 100, 10)"
const POSITION = 'INSERT INTO positions VALUES (1000001, 9, 10, 5, 10, 0, 0)'
const market = (code: number, id: string, slug: string, escrow: number) =>
  `INSERT INTO markets VALUES (${code}, '${id}', '${slug}', 't', 'd', 's', 0, 0, 1, 0, 0, 500, 1000, 1,
  ${escrow}, 'open', 0, 0, NULL, 0, 500, NULL, NULL, NULL, NULL, NULL, NULL, 0,
  NULL, NULL, 0, NULL, NULL, NULL)`
const MARKET = market(1_000_001, 'a', 'slug', 4)
const ORDER = `INSERT INTO orders VALUES (1000001, 1, 's', 9, 'yes', 'yes', 'LO', 'taker', 5, 10, NULL,
  0, 10, 0, 'filled', NULL, 0, 0, NULL, 'GTC', 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0)`
const TRADE = "INSERT INTO trades VALUES (1000001, 1, 5, 10, 'yes', 1, 9, 2, 8, 0)"

/** The rows of each table, and the changes that its constraints must refuse. */
const REFUSED: readonly (readonly [string, readonly string[]])[] = [
  [
    ACCOUNT,
    [
      'UPDATE accounts SET cash = -1, held = 0 WHERE number = 9',
      'UPDATE accounts SET held = 101 WHERE number = 9',
      'UPDATE accounts SET held = -1 WHERE number = 9',
      'UPDATE accounts SET cash = 9 WHERE number = 9',
      'UPDATE accounts SET cash = -1 WHERE number = 2',
      'UPDATE accounts SET cash = -1 WHERE number = 3',
      'UPDATE accounts SET cash = 1.5 WHERE number = 9',
      "UPDATE accounts SET cash = 'much' WHERE number = 9",
      'UPDATE accounts SET held = NULL WHERE number = 9',
      "INSERT INTO accounts (number, owner, cash, held) VALUES (10, 'user:asha', 0, 0)",
      "INSERT INTO accounts (number, owner, cash, held) VALUES (9, 'user:ben', 0, 0)",
    ],
  ],
  [
    POSITION,
    [
      'UPDATE positions SET yes = -1, yes_locked = 0',
      'UPDATE positions SET no = -1',
      'UPDATE positions SET yes_locked = 11',
      'UPDATE positions SET yes_locked = -1',
      'UPDATE positions SET yes = 9',
      'UPDATE positions SET no_locked = 6',
      'UPDATE positions SET no_locked = -1',
      'UPDATE positions SET no = 4.5',
      'INSERT INTO positions VALUES (1000001, 9, 0, 0, 0, 0, 0)',
    ],
  ],
  [
    MARKET,
    [
      'UPDATE markets SET open_pairs = 501',
      'UPDATE markets SET open_pairs = -1',
      'UPDATE markets SET capacity = 499',
      market(1_000_001, 'b', 'other', 5),
      market(1_000_002, 'a', 'other', 5),
      market(1_000_002, 'b', 'slug', 5),
    ],
  ],
  [
    ORDER,
    [
      'UPDATE orders SET filled = 11',
      'UPDATE orders SET quantity = 9',
      'UPDATE orders SET price = 1.5',
      ORDER,
    ],
  ],
  [TRADE, ['UPDATE trades SET quantity = 0', 'UPDATE trades SET quantity = -1', TRADE]],
]

t.test('table constraints refuse impossible values', async t => {
  for (const [row, changes] of REFUSED) {
    const database = openTables(t, join(t.testdir(), 'raay.db'))
    database.exec(row)
    for (const change of changes)
      t.throws(() => database.exec(change), { code: /^SQLITE_CONSTRAINT/ }, change)
    database.close()
  }
})

t.test('only the external account may go negative', async t => {
  const database = openTables(t, join(t.testdir(), 'raay.db'))
  database.exec("UPDATE accounts SET cash = -1000000 WHERE owner = 'external'")
  t.equal(database.prepare('SELECT number FROM accounts WHERE cash < 0').pluck().get(), 1)
})

t.test('sealing leaves every commit in the one file', async t => {
  const directory = t.testdir()
  const file = join(directory, 'raay.db')
  const database = openDatabase(file)
  migrateTables(database)
  database.exec(ACCOUNT)
  database.close()
  sealFile(file)
  const copy = openReadOnly(file)
  t.teardown(() => copy.close())
  t.equal(copy.prepare('SELECT cash FROM accounts WHERE number = 9').pluck().get(), 100)
  t.equal(damageOf(copy), undefined)
})
