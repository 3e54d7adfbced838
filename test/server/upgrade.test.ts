import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ACCESS_FILE } from '../../src/access/accounts/access-schema.js'
import { openCompanion } from '../../src/store/companions/companion-database.js'
import type { BackupName } from '../../src/backup/backup-name.js'
import { readManifest } from '../../src/backup/manifest.js'
import { UpgradeProgress } from '../../src/cli/terminal/upgrade-progress.js'
import type { TimeMs } from '../../src/core/units.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import type { UpgradeProgress as Progress, UpgradeOptions } from '../../src/server/upgrade/upgrade-data.js'
import { upgradeData } from '../../src/server/upgrade/upgrade-data.js'
import { readPlan } from '../../src/server/upgrade/upgrade-plan.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { companionPath } from '../../src/store/files/companion-files.js'
import { readUnopened } from '../../src/store/files/unopened-file.js'
import { MIGRATIONS, SCHEMA_VERSION, schemaVersion } from '../../src/store/schema.js'
import { SCHEMA_STEPS, statementsOf } from '../../src/store/schema-steps.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { runRaay } from '../fixtures/raay-command.js'
import { layOutAccounts, layOutVersion } from '../fixtures/stored-versions.js'
import { wrong } from '../fixtures/wrong.js'

const NOW = Date.parse('2026-12-01T10:00:00.000Z')

/** Returns all that a directory contains: bytes and times of each file. */
function contentsOf(directory: string): Record<string, unknown> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map(name => {
      const path = join(directory, name)
      const { mtimeMs, size } = statSync(path)
      return [name, [mtimeMs, size, statSync(path).isFile() && readFileSync(path).toString('base64')]]
    }),
  )
}

let clock = NOW
const upgrade = (directory: string, options: Partial<UpgradeOptions> = {}) =>
  upgradeData(join(directory, 'raay.db'), {
    version: '1.2.3',
    now: () => clock++ as TimeMs,
    makesBackup: true,
    told: () => undefined,
    ...options,
  })

function manifestsIn(directory: string) {
  const backups = join(directory, 'backups')
  if (!existsSync(backups)) return []
  const names = readdirSync(backups).filter(name => name.endsWith('.json'))
  return names.map(name =>
    readManifest(name.replace('.json', '') as BackupName, readFileSync(join(backups, name), 'utf8')),
  )
}

/** Lays out a version 5 with a write-ahead log beside it, as a killed process leaves it, and accounts. */
function laidOutWithLog(directory: string): void {
  const source = join(directory, 'source')
  mkdirSync(source)
  const database = openDatabase(layOutVersion(source, 5))
  database.exec("INSERT INTO journal SELECT max(sequence) + 1, 0, max(at), '[]', zeroblob(32) FROM journal")
  for (const name of ['raay.db', 'raay.db-wal']) copyFileSync(join(source, name), join(directory, name))
  database.close()
  layOutAccounts(directory, 1)
}

t.test('a check reads what the log of a killed process adds, and changes no byte and no time', async t => {
  const directory = t.testdir()
  laidOutWithLog(directory)
  const inFile = openReadOnly(layOutVersion(join(directory, 'source'), 5))
  const sequence = inFile.prepare('SELECT max(sequence) FROM journal').pluck().get() as number
  inFile.close()
  const before = contentsOf(directory)
  const plan = await readPlan(directory, '1.2.3')
  t.equal(plan.sequence, sequence + 1)
  const ended = await runRaay(['upgrade', '--check', '--json', '--data', directory])
  t.equal(ended.code, 0)
  const answer = JSON.parse(ended.stdout)
  t.match(answer, { action: 'upgrade', reason: null, backup: null, sequence: sequence + 1 })
  t.same(
    answer.steps.map(({ version }: { version: number }) => version),
    Array.from({ length: SCHEMA_VERSION - 5 }, (_, index) => index + 6),
  )
  t.ok(answer.bytesNeeded > answer.bytes && answer.bytesFree > 0)
  t.same(contentsOf(directory), before, 'nothing was changed')
})

t.test('a check of nothing, of this version, and of what is no database', async t => {
  const directory = t.testdir()
  t.match(await readPlan(directory, '1.2.3'), { isNeeded: false, refusal: undefined, bytes: 0, sequence: 0 })
  prepareFile(join(directory, 'raay.db'))
  t.match(await readPlan(directory, '1.2.3'), { isNeeded: false, refusal: undefined, steps: [] })
  writeFileSync(join(directory, 'raay.db'), 'this was a shopping list')
  const ended = await runRaay(['upgrade', '--check', '--data', directory])
  t.equal(ended.code, 1)
  t.match(ended.stdout, /A start refuses: .*raay\.db cannot be read: it is not a database/)
  const nowhere = join(directory, 'nowhere')
  const missing = await runRaay(['upgrade', '--check', '--data', nowhere])
  t.match(missing, { code: 1, stderr: `raay: there is no directory ${nowhere}\n` })
  t.match(await runRaay(['upgrade']), { code: 2, stderr: /raay start; --check says what would happen/ })
})

t.test('reading without SQLite finds what SQLite finds in each version', async t => {
  for (let version = 1; version <= 8; version++) {
    const file = layOutVersion(t.testdir(), version)
    for (const path of version < 8 ? [file] : [file, join(file, '..', 'journal.db')]) {
      const found = readUnopened(path)
      const database = openReadOnly(path)
      t.equal(found?.version, schemaVersion(database))
      t.equal(found?.id, database.pragma('application_id', { simple: true }))
      const tables = database
        .prepare<unknown[], string>(
          "SELECT name FROM pragma_table_list WHERE type = 'table' AND wr = 0 AND schema = 'main'",
        )
        .pluck()
        .all()
        .filter(name => name !== 'sqlite_schema')
      t.ok(tables.includes('journal') || tables.includes('reached'))
      for (const table of tables) {
        const last = database.prepare(`SELECT ifnull(max(rowid), 0) FROM ${table}`).pluck().get()
        t.equal(found?.lastKeys.get(table), last, `${table} of version ${version}`)
      }
      database.close()
    }
  }
})

t.test('an upgrade backs up first, and the backup is the older file again', async t => {
  const directory = t.testdir()
  layOutAccounts(directory, 1)
  const file = layOutVersion(directory, 5)
  const told: Progress[] = []
  const done = await upgrade(directory, { told: progress => told.push(progress) })
  t.equal(done?.from, 5)
  t.same(wrong(verifyFile(file)), [])
  const [manifest, ...others] = manifestsIn(directory)
  t.same(others, [])
  t.match(manifest, { reason: 'before-upgrade', schema: 5, raay: '1.2.3', verification: { ok: true } })
  t.same(
    manifest?.files.map(({ part }) => part),
    ['exchange', 'accounts'],
  )
  const older = openReadOnly(done?.backup ?? '')
  t.equal(schemaVersion(older), 5)
  const select = 'SELECT * FROM orders ORDER BY market, number'
  const untouched = openReadOnly(layOutVersion(join(directory, 'backups'), 5))
  t.same(older.prepare(select).all(), untouched.prepare(select).all())
  older.close()
  untouched.close()
  t.same(
    told.map(({ doneMs }) => doneMs),
    told.map(({ doneMs }) => doneMs).sort((a, b) => a - b),
    'progress never goes back',
  )
  t.ok(told.every(({ doneMs, totalMs }) => doneMs <= totalMs))
  // The accounts are brought up to date when they are opened.
  openCompanion(companionPath(file, 'accounts'), ACCESS_FILE).close()
  t.equal(await upgrade(directory), undefined, 'nothing is left to do')
  t.equal(manifestsIn(directory).length, 1, 'a start of the same version backs nothing up')
})

t.test(
  'a start after an interrupted upgrade uses its backup, unless accounts were written since',
  async t => {
    const directory = t.testdir()
    layOutVersion(directory, 6)
    const first = await upgrade(directory)
    const again = () => {
      for (const name of ['journal.db', 'raay.db', 'raay.id']) writeFileSync(join(directory, name), '')
      layOutVersion(directory, 6)
      return upgrade(directory)
    }
    t.equal((await again())?.backup, first?.backup)
    layOutAccounts(directory, 1)
    const second = await again()
    t.not(second?.backup, first?.backup, 'the first one has no accounts')
    t.equal((await again())?.backup, second?.backup)
    utimesSync(join(directory, 'access.db'), clock / 1000, clock / 1000)
    t.not((await again())?.backup, second?.backup, 'accounts were written after it')
    t.equal(manifestsIn(directory).length, 3)
  },
)

t.test('a newer file is refused with what it needs and how to go back; nothing is changed', async t => {
  for (const part of ['raay.db', 'journal.db', 'access.db']) {
    const directory = t.testdir()
    layOutVersion(directory, 6)
    layOutAccounts(directory, 1)
    const upgraded = await upgrade(directory, { version: '2.0.0' })
    const database = openDatabase(join(directory, part))
    database.pragma('main.user_version = 99')
    database.close()
    const before = contentsOf(directory)
    await t.rejects(upgrade(directory), {
      message: new RegExp(
        `${part}, has version 99, and Raay 1\\.2\\.3 knows versions up to \\d+\\. Nothing was changed\\. ` +
          `Start Raay 2\\.0\\.0 or newer\\. .*${upgraded?.backup}: it is as of batch \\d+`,
      ),
    })
    t.same(contentsOf(directory), before)
    t.match(await readPlan(directory, '1.2.3'), { isNeeded: false, refusal: /has version 99/, steps: [] })
  }
  t.equal((await runRaay(['upgrade', '--check', '--json', '--data', t.testdirName])).code, 1)
})

t.test('an upgrade without room for its backup changes nothing, and says how to go on without', async t => {
  const directory = t.testdir()
  layOutVersion(directory, 3)
  const before = contentsOf(directory)
  await t.rejects(upgrade(directory, { free: () => 1000 }), {
    message: /need 0\.\d MB in .*, and 0\.0 MB are free\. Nothing was changed\. .*--no-upgrade-backup/,
  })
  t.same(contentsOf(directory), before)
  const done = await upgrade(directory, { free: () => 1000, makesBackup: false })
  t.same(done, { from: 3, backup: undefined })
  t.notOk(existsSync(join(directory, 'backups')))
})

t.test('a damaged older file is refused before it is backed up', async t => {
  const directory = t.testdir()
  const file = layOutVersion(directory, 4)
  const bytes = readFileSync(file)
  bytes.fill(0xff, 5 * 4096, 7 * 4096)
  writeFileSync(file, bytes)
  const before = bytes.toString('base64')
  await t.rejects(upgrade(directory), { message: /is damaged/ })
  t.equal(readFileSync(file).toString('base64'), before)
  t.same(manifestsIn(directory), [])
})

t.test('each migration has its words, and falls into whole statements', async t => {
  t.equal(SCHEMA_STEPS.length, SCHEMA_VERSION)
  for (const [index, sql] of MIGRATIONS.entries()) {
    const statements = statementsOf(sql)
    t.equal(statements.join('\n').trimEnd(), sql.trimEnd(), 'nothing is lost')
    t.ok(
      statements.every(text => /;\s*$/.test(text)),
      `version ${index + 1}`,
    )
    for (const [pattern] of SCHEMA_STEPS[index]?.slow ?? []) {
      t.ok(
        statements.some(text => pattern.test(text)),
        `${pattern} of version ${index + 1}`,
      )
    }
  }
})

t.test('progress says what is left: on a terminal as a bar, elsewhere as lines of the log', async t => {
  const drawn: string[] = []
  const lines: unknown[] = []
  let now = 0
  const bar = new UpgradeProgress(
    { write: text => drawn.push(text) },
    () => undefined,
    () => now,
  )
  const log = new UpgradeProgress(
    undefined,
    (facts, what) => lines.push([what, facts]),
    () => now,
  )
  for (const [what, doneMs] of [
    ['one', 0],
    ['two', 5000],
    ['two', 5100],
    ['two', 9000],
  ] as const) {
    for (const shown of [bar, log]) shown.update({ what, doneMs, totalMs: 10_000 })
    now += 20_000
  }
  bar.end()
  t.match(drawn[0], /0% {2}one, about 10 s left/)
  t.same(lines, [
    ['upgrading the data: one', { percent: 0, secondsLeft: 10 }],
    ['upgrading the data: two', { percent: 50, secondsLeft: 20 }],
    ['upgrading the data: two', { percent: 90, secondsLeft: 7 }],
  ])
})
