import { join } from 'node:path'
import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { openDatabase } from '../../src/store/database.js'
import { migrate } from '../../src/store/migrate.js'
import { SCHEMA_VERSION } from '../../src/store/schema.js'
import { openToTamper, toOneFile } from '../fixtures/damaged-copy.js'
import { takeBackToVersion2 } from '../fixtures/older-versions.js'
import { Operator } from '../fixtures/operator.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const DAY = ['asha buy 10 @ 6', 'ben sell 6 @ 6', 'cora sell 4 @ 5', 'cora buy 3 @ 7', 'asha sell 3 @ 7']

/** Removes everything later versions added to a file. Its batches keep today’s format. */
function backTo1(database: Database): void {
  takeBackToVersion2(database)
  database.exec(`
    DROP TABLE entries; DROP TABLE transfers; DROP TABLE settlements;
    ALTER TABLE positions DROP COLUMN paid;
    ALTER TABLE orders DROP COLUMN expires_at;
    ALTER TABLE markets DROP COLUMN outcome;
    ALTER TABLE markets DROP COLUMN source_url;
    ALTER TABLE markets DROP COLUMN note;
    ALTER TABLE markets DROP COLUMN resolved_at;
    PRAGMA user_version = 1`)
}

t.test('a migrated version 1 file has what each user paid in, and continues trading', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  await test.playAll(DAY)
  await test.playAll([...DAY, 'ben buy 4 @ 6', 'asha sell 4 @ 6'], 1_000_002 as never)
  // A user who buys both outcomes has the pairs merged.
  await test.playAll(['dev buy 1 @ 2', 'dev sell 1 @ 8', 'ben sell 1 @ 2', 'ben buy 1 @ 8'])
  const paid = test.rows('SELECT market, account, paid FROM positions')
  t.ok(paid.length >= 6)
  await test.close()
  toOneFile(test.file)
  const database = openToTamper(test.file)
  backTo1(database)
  t.equal(migrate(database), undefined)
  t.same(database.prepare('SELECT market, account, paid FROM positions').all(), paid)
  backTo1(database)
  database.close()

  await test.restart()
  t.ok(test.exchange.moneyIsAllThere())
  const operator = new Operator(test)
  const cash = test.exchange.balance('asha')?.cash ?? 0
  t.same(await operator.statement('asha'), [`brought_forward ${cash / 10_000} = ${cash / 10_000}`])
  await operator.settle('void')
  await operator.settle('yes', 1_000_002 as never)
  t.ok(test.exchange.moneyIsAllThere())
  t.equal(test.rows<object>('SELECT * FROM accounts WHERE cash < 0').length, 1, 'external alone')
})

t.test('an interrupted migration leaves the previous version, and can be repeated', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(DAY)
  await test.close()
  toOneFile(test.file)
  const database = openToTamper(test.file)
  backTo1(database)
  database.exec('CREATE TABLE settlements (in_the_way)')
  t.throws(() => migrate(database), { message: /settlements already exists/ })
  t.equal(database.pragma('user_version', { simple: true }), 1)
  const columns = database.prepare("SELECT name FROM pragma_table_info('positions')").pluck().all()
  t.notOk(columns.includes('paid'), 'nothing of it stays')
  database.exec('DROP TABLE settlements')
  t.equal(migrate(database), undefined)
  t.equal(database.pragma('user_version', { simple: true }), SCHEMA_VERSION)
  database.close()
})

t.test('a new file has the newest version at once', async t => {
  const database = openDatabase(join(t.testdir(), 'raay.db'))
  migrate(database)
  t.equal(database.pragma('user_version', { simple: true }), SCHEMA_VERSION)
  database.close()
})
