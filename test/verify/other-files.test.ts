import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import { companionPath } from '../../src/store/files/companion-files.js'
import { IdFile } from '../../src/store/files/id-file.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { decide, newAccounts } from '../fixtures/access-damage.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** An exchange that was stopped, with accounts beside it. */
async function stopped(t: Test): Promise<string> {
  const directory = t.testdir()
  const test = await TestExchange.open(t, { file: join(directory, 'raay.db') })
  await test.create()
  await test.close()
  const exchange = new IdFile(test.file).read()
  const store = newAccounts(directory, { exchange })
  decide(store, 1)
  store.close()
  return test.file
}

function change(path: string, sql: string): void {
  const database = openDatabase(path)
  database.exec(sql)
  database.close()
}

t.test('an exchange with its accounts is in order', async t => {
  t.same(wrong(verifyFile(await stopped(t))), [])
})

t.test('accounts that were changed behind their chain, or are of another exchange, are named', async t => {
  const file = await stopped(t)
  change(companionPath(file, 'accounts'), "UPDATE accounts SET role = 'admin'")
  t.match(wrong(verifyFile(file)), [/^access: its rows are not those that decision \d+ left$/])
  change(companionPath(file, 'accounts'), 'UPDATE exchange SET id = 7')
  t.match(wrong(verifyFile(file)), [/^access: it belongs to exchange 00000007/])
})

t.test(
  'tables, triggers and views that Raay did not make are named in each file, and a wrong id',
  async t => {
    const file = await stopped(t)
    change(companionPath(file, 'accounts'), 'CREATE VIEW admins AS SELECT name FROM accounts')
    change(
      file,
      'CREATE TABLE notes (id INTEGER); CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END',
    )
    change(journalPath(file), 'CREATE TABLE more (id INTEGER); PRAGMA application_id = 9')
    t.match(wrong(verifyFile(file)).sort(), [
      /^foreign: table more in the journal is not Raay's$/,
      /^foreign: table notes in raay\.db is not Raay's$/,
      /^foreign: the tables are of exchange [0-9a-f]{8}, the journal of 00000009$/,
      /^foreign: trigger t in raay\.db is not Raay's$/,
      /^foreign: view admins in access\.db is not Raay's$/,
    ])
  },
)
