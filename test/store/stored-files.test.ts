import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { ACCESS_FILE } from '../../src/access/accounts/access-schema.js'
import { examineCopy } from '../../src/backup/examination.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { refuseOtherVersions } from '../../src/server/file-versions.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import { openCompanion } from '../../src/store/companions/companion-database.js'
import { examineCompanion } from '../../src/store/companions/companion-fault.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { companionPath } from '../../src/store/files/companion-files.js'
import { copyTo } from '../../src/store/files/backup-file.js'
import { readStamp } from '../../src/store/files/exchange-id.js'
import { MarketWords } from '../../src/store/rows/market-words.js'
import { migrate, schemaVersion } from '../../src/store/schema.js'
import { objectsIn } from '../../src/store/schema-objects.js'
import { SCHEMA_VERSION, TABLES_SCHEMA } from '../../src/store/tables-schema.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { Operator } from '../fixtures/operator.js'
import { layOutStored } from '../fixtures/stored-files.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const USERS = ['asha', 'ravi', 'meera', 'dev', 'isha']
const COMPANIONS = [ACCESS_FILE, SITE_FILE]
/** A step that a later version might bring. */
const STEP = "ALTER TABLE orders ADD COLUMN strategy TEXT NOT NULL DEFAULT 'plain'"
const STEPPED = { ...TABLES_SCHEMA, steps: [...TABLES_SCHEMA.steps, STEP] }

/** Returns all that a directory contains: bytes and times of each file. */
function contentsOf(directory: string): Record<string, unknown> {
  const names = readdirSync(directory).sort()
  return Object.fromEntries(
    names.map(name => {
      const path = join(directory, name)
      return [name, [statSync(path).mtimeMs, readFileSync(path, 'base64')]]
    }),
  )
}

t.test('files as the first program wrote them are opened, verify and are traded on', async t => {
  const file = layOutStored(t.testdir())
  const before = openReadOnly(file)
  const cash = 'SELECT owner, cash, held FROM accounts ORDER BY number'
  const owned = before.prepare(cash).all()
  before.close()
  t.doesNotThrow(() => refuseOtherVersions(file))
  for (const kind of COMPANIONS) {
    const path = companionPath(file, kind.companion)
    t.same(examineCompanion({ path, exchange: readStamp(file)?.id }, kind), { kind: 'sound', foreign: [] })
    openCompanion(path, kind).close()
    t.equal(examineCompanion({ path }, kind).kind, 'sound', 'opening it changes no table')
  }
  const later = await TestExchange.open(t, { file })
  t.same(later.rows(cash), owned, 'no money moves')
  t.same(wrong(verifyFile(file)), [])
  for (const user of USERS) t.not(later.exchange.balance(user), undefined, user)
  await later.playAll(['asha buy 3 @ 6.5', 'ravi sell 3 @ 6.5', 'zoya buy 1 @ 7', 'meera sell 1 market'])
  await new Operator(later).settle('yes')
  t.ok(later.exchange.moneyIsAllThere())
  t.same(wrong(verifyFile(file)), [], 'after more trading and a settlement')
  const group = await TestGroup.create(later, 3, { endAt: later.now + HOUR })
  await group.play('A: asha sell 1 @ 4', 'A: ravi buy 1 @ 4', 'B: asha sell 1 @ 4', 'B: ravi buy 1 @ 4')
  t.equal(await group.convert('asha release 1 of AB'), 'cash 10', 'its events can share an escrow')
  t.same(wrong(verifyFile(file)), [], 'with a group')
  await later.restart()
  t.ok(later.exchange.moneyIsAllThere(), 'after a restart')
  await later.close()
})

t.test('no table changes its form without a step: new files have the tables of the first ones', t => {
  const directory = t.testdir({ new: {} })
  const file = layOutStored(directory)
  const fresh = join(directory, 'new', 'raay.db')
  prepareFile(fresh)
  for (const kind of COMPANIONS) openCompanion(companionPath(fresh, kind.companion), kind).close()
  prepareFile(file)
  for (const kind of COMPANIONS) openCompanion(companionPath(file, kind.companion), kind).close()
  for (const name of ['raay.db', 'journal.db', 'access.db', 'site.db']) {
    const [first, now] = [join(directory, name), join(dirname(fresh), name)].map(path => openReadOnly(path))
    if (first === undefined || now === undefined) throw new Error(name)
    t.same(objectsIn(now), objectsIn(first), name)
    t.equal(schemaVersion(now), schemaVersion(first), name)
    t.same(columnsIn(now), columnsIn(first), name)
    for (const database of [first, now]) database.close()
  }
  t.equal(readStamp(file)?.version, SCHEMA_VERSION)
  t.end()
})

function columnsIn(database: ReturnType<typeof openReadOnly>): unknown {
  const select = `SELECT t.name AS of, c.* FROM main.sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
    WHERE t.type = 'table' ORDER BY t.name, c.cid`
  return database.prepare(select).all()
}

t.test('a step is taken once, by old and by new files, and reaches archived rows', t => {
  const file = layOutStored(t.testdir({ new: {} }))
  const columns = 'SELECT DISTINCT strategy FROM whole_orders'
  for (const path of [file, join(dirname(file), 'new', 'raay.db')]) {
    const database = openDatabase(path)
    migrate(database, STEPPED)
    t.equal(schemaVersion(database), SCHEMA_VERSION + 1)
    t.same(database.prepare(columns).pluck().all(), path === file ? ['plain'] : [])
    t.doesNotThrow(() => migrate(database, STEPPED), 'it is not taken again')
    database.close()
  }
  const archived = openReadOnly(file)
  t.ok(Number(archived.prepare('SELECT count(*) FROM archived_orders').pluck().get()) > 0)
  archived.close()
  t.throws(() => prepareFile(file), { message: /has version 22, this program knows 21: start a newer Raay/ })
  t.end()
})

t.test('a step that fails leaves the version before, with nothing of it', t => {
  const file = layOutStored(t.testdir())
  const database = openDatabase(file)
  t.throws(() =>
    migrate(database, { ...STEPPED, steps: [...STEPPED.steps, `${STEP}; SELECT * FROM nowhere`] }),
  )
  t.equal(schemaVersion(database), SCHEMA_VERSION + 1)
  t.throws(() =>
    migrate(database, { ...STEPPED, steps: [...STEPPED.steps, 'CREATE TABLE a (b); SELECT * FROM nowhere'] }),
  )
  t.equal(schemaVersion(database), SCHEMA_VERSION + 1)
  t.notOk(objectsIn(database).has('table a'))
  database.close()
  t.end()
})

t.test('a step of a chained companion goes on with its chain', t => {
  const file = layOutStored(t.testdir())
  const path = companionPath(file, 'accounts')
  const later = {
    ...ACCESS_FILE,
    schema: {
      ...ACCESS_FILE.schema,
      steps: [...ACCESS_FILE.schema.steps, 'ALTER TABLE accounts ADD COLUMN x TEXT'],
    },
  }
  openCompanion(path, later).close()
  t.same(examineCompanion({ path }, later), { kind: 'sound', foreign: [] })
  t.match(examineCompanion({ path }, ACCESS_FILE), {
    kind: 'doubtful',
    fault: /version 11, this program knows 10/,
  })
  t.end()
})

t.test('a start refuses files of another version, says what to do, and changes none', t => {
  for (const [name, version, words] of [
    [
      'raay.db',
      99,
      /raay\.db has version 99, this program knows 21: start a newer Raay\. Nothing was changed$/,
    ],
    ['raay.db', 9, /version 9, this program knows no version before 10: start the Raay that wrote it/],
    ['journal.db', 1, /journal\.db has version 1, this program knows 0: start a newer Raay/],
    ['access.db', 99, /access\.db has version 99, this program knows 10: start a newer Raay/],
    ['access.db', 4, /access\.db has version 4, this program knows no version before 5: start the Raay/],
    ['site.db', 99, /site\.db has version 99, this program knows 15: start a newer Raay/],
    ['site.db', 2, /site\.db has version 2, this program knows no version before 10/],
  ] as const) {
    const directory = t.testdir()
    const file = layOutStored(directory)
    const database = openDatabase(join(directory, name))
    database.pragma(`main.user_version = ${version}`)
    // One version is in the log only, as a killed process leaves it.
    if (name === 'raay.db')
      t.throws(() => refuseOtherVersions(file), { name: 'RecoveryError', message: words })
    database.close()
    const before = contentsOf(directory)
    t.throws(() => refuseOtherVersions(file), { name: 'RecoveryError', message: words })
    t.same(contentsOf(directory), before)
  }
  t.end()
})

t.test('something else where a companion should be is for the start to judge', t => {
  const file = layOutStored(t.testdir())
  for (const kind of COMPANIONS) {
    const database = openDatabase(companionPath(file, kind.companion))
    database.pragma('application_id = 7; ')
    database.pragma('user_version = 99')
    database.close()
  }
  t.doesNotThrow(() => refuseOtherVersions(file))
  t.end()
})

t.test(
  'a backup from before a step is checked as far as it can be, and takes the step once restored',
  async t => {
    const directory = t.testdir({ backup: {} })
    const file = layOutStored(directory)
    const copy = join(directory, 'backup', 'raay-copy.db')
    copyTo(file, copy)
    const archive = readdirSync(directory).find(name => name.startsWith('archive-')) ?? ''
    copyFileSync(join(directory, archive), join(directory, 'backup', archive))
    t.match(await examineCopy(copy), { facts: { schema: 10 }, checked: ['pages', 'journal'], findings: [] })
    const database = openDatabase(copy)
    database.exec(
      'UPDATE main.journal SET hash = zeroblob(32) WHERE sequence = 1 + (SELECT min(sequence) FROM main.journal)',
    )
    database.pragma('journal_mode = DELETE')
    database.close()
    t.match(await examineCopy(copy), { checked: ['pages', 'journal'], findings: [/^journal: /] })
  },
)

t.test('titles that were in the index as they were written are found once folded', async t => {
  const file = layOutStored(t.testdir())
  const older = openDatabase(file)
  const title = 'Ｓｎｏｗ in \u0958ाज़ान'
  const code = older.prepare<unknown[], number>('SELECT max(code) FROM markets').pluck().get()
  older.exec(`INSERT INTO market_words (market_words, rowid, title)
    SELECT 'delete', code, title FROM markets WHERE code = ${code}`)
  older.prepare('UPDATE markets SET title = ? WHERE code = ?').run(title, code)
  older.prepare('INSERT INTO market_words (rowid, title) VALUES (?, ?)').run(code, title)
  t.same(new MarketWords(older).search('snow', 'newest', 5), [])
  t.throws(() => verifyFile(file), { message: /version 10, this program 21: start Raay once/ })
  older.close()
  prepareFile(file)
  const database = openReadOnly(file)
  const words = new MarketWords(database)
  for (const q of ['snow', 'ＳＮＯＷ', 'क\u093cा', '\u0958ाज'])
    t.same(words.search(q, 'newest', 5), [code], q)
  t.equal(schemaVersion(database), SCHEMA_VERSION)
  database.close()
  t.same(
    wrong(verifyFile(file)).filter(text => text.startsWith('words')),
    [],
  )
})
