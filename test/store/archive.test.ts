import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { fileChecks } from '../../src/cli/doctor/file-checks.js'
import { HistoryReader } from '../../src/exchange/reads/history-reader.js'
import { LookupReader } from '../../src/exchange/reads/lookup-reader.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { archivesIn } from '../../src/store/archive/archive-path.js'
import { compactFiles } from '../../src/store/archive/compact-files.js'
import { countMoving, moveToArchive } from '../../src/store/archive/move-to-archive.js'
import { openReadOnly, openScratch } from '../../src/store/database.js'
import { backUp } from '../../src/store/files/backup-file.js'
import { fileBytes } from '../../src/store/files/file-bytes.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { allAnswers } from '../fixtures/archive/all-answers.js'
import { copyOfDirectory, LATER, liveLong, QUIET } from '../fixtures/archive/long-life.js'
import { Dice } from '../fixtures/dice.js'
import { imagesDuring, onFullDisk } from '../fixtures/step-images.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const ORDERS = 60
const SLOW_STEP = /^(?:MATERIALIZE|BLOOM)|AUTOMATIC|^SCAN (?:main|archive)\.|TEMP B-TREE/
const dice = Dice.fromEnvironment(t)
const test = await TestExchange.open(t)
await liveLong(test, dice, ORDERS)
await test.close()
const { file, now } = test

/** Copies the closed exchange into a directory of its own; returns its file of tables. */
const copied = (t: Test, name: string) => copyOfDirectory(file, join(t.testdir(), name))

/** Copies it and archives its first day. */
function archived(t: Test, name: string): string {
  const copy = copied(t, name)
  moveToArchive(copy, QUIET)
  return copy
}

/** Everything that readers can see in tables, journal and archive together. */
function contentOf(path: string): Record<string, unknown> {
  const database = openReadOnly(path)
  try {
    const names = database
      .prepare<unknown[], string>(
        `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'archived' ORDER BY name`,
      )
      .pluck()
      .all()
    const whole = (name: string) =>
      /^(?:orders|trades|entries|updates)$/.test(name) ? `whole_${name} ORDER BY 1, 2` : name
    return Object.fromEntries(
      [...names.map(whole), 'whole_journal ORDER BY 1'].map(name => [
        name,
        database.prepare(`SELECT * FROM ${name}`).all(),
      ]),
    )
  } finally {
    database.close()
  }
}

function countIn(path: string, table: string): number {
  const database = openReadOnly(path)
  try {
    return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  } finally {
    database.close()
  }
}

async function openAgain(t: Test, path: string): Promise<TestExchange> {
  const again = await TestExchange.open(t, { file: path })
  again.now = now
  return again
}

const whole = contentOf(file)
const hash = verifyFile(file).stateHash

t.test('what moves is counted before and after, and is most of the first day', async t => {
  const copy = copied(t, 'counted')
  const expected = countMoving(copy, QUIET)
  t.same(contentOf(copy), whole, 'counting changes nothing')
  t.same(moveToArchive(copy, QUIET), expected)
  for (const table of ['orders', 'trades', 'entries', 'updates'] as const) {
    t.equal(countIn(copy, `archived_${table}`), expected?.counts[table], table)
    t.ok((expected?.counts[table] ?? 0) > 0, `${expected?.counts[table]} ${table}`)
  }
  t.equal(countIn(copy, 'live_journal'), countIn(copy, 'whole_journal') - (expected?.counts.journal ?? 0))
  t.equal(moveToArchive(copy, QUIET), undefined, 'and nothing is left to move')
})

t.test('every request and every page is answered as before', async t => {
  const before = await openAgain(t, copied(t, 'before'))
  const expected = await allAnswers(before)
  await before.close()
  t.ok(expected.size > 300, `${expected.size} answers`)
  t.same(
    [...expected].filter(([, text]) => /^(?:4|5)/.test(text)),
    [],
    'all requests are understood',
  )
  const after = await openAgain(t, archived(t, 'after'))
  const found = await allAnswers(after)
  t.same([...found.keys()], [...expected.keys()])
  for (const [path, answer] of expected)
    if (found.get(path) !== answer) t.equal(found.get(path), answer, path)
  await after.close()
})

t.test('no read of histories or of single rows walks through a whole table or copies one', t => {
  const database = openReadOnly(archived(t, 'plans'))
  const prepared = new Set<string>()
  const { prepare } = database
  database.prepare = ((sql: string) => {
    prepared.add(sql)
    return prepare.call(database, sql)
  }) as typeof prepare
  const readers = [new HistoryReader(database), new LookupReader(database)]
  database.prepare = prepare
  t.equal(readers.length, 2)
  const both = [...prepared].filter(sql => /\b(?:whole|archived)_/.test(sql))
  t.ok(both.length >= 15, `${both.length} statements read tables and archive`)
  for (const sql of both) {
    const plan = database.prepare<unknown[], string>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, '1')}`)
    const steps = plan.raw().all() as unknown as [number, number, number, string][]
    const slow = steps.map(([, , , step]) => step).filter(step => SLOW_STEP.test(step))
    t.same(slow, [], sql.replaceAll(/\s+/g, ' ').slice(0, 80))
  }
  database.close()
  t.end()
})

t.test('an archived exchange verifies with the same state, trades on, and archives once more', async t => {
  const copy = archived(t, 'goes-on')
  t.same(wrong(verifyFile(copy)), [])
  t.equal(verifyFile(copy).stateHash, hash)
  t.same(contentOf(copy), whole)
  const again = await openAgain(t, copy)
  await again.playAll(['asha buy 4 @ 5', 'zoya sell 4 @ 5', 'ben buy 1 market'], 1_000_004 as never)
  t.ok(again.exchange.moneyIsAllThere())
  await again.close()
  const later = contentOf(copy)
  const [old] = archivesIn(dirname(copy))
  t.ok((moveToArchive(copy, LATER)?.counts.orders ?? 0) > 0)
  compactFiles(copy)
  t.same(contentOf(copy), later)
  t.equal(archivesIn(dirname(copy)).length, 1)
  t.notMatch(archivesIn(dirname(copy)), [old], 'the old archive is replaced')
  t.same(wrong(verifyFile(copy)), [])
  const third = await openAgain(t, copy)
  await third.playAll(['zoya buy 1 @ 5', 'asha sell 1 @ 5'], 1_000_004 as never)
  t.ok(third.exchange.moneyIsAllThere())
  await third.close()
  t.same(wrong(verifyFile(copy)), [])
})

t.test('an archiving killed before any step leaves all content, and the next one completes it', async t => {
  const copy = copied(t, 'live')
  const images = join(dirname(copy), '..', 'images')
  mkdirSync(images)
  const paths = imagesDuring(dirname(copy), images, () => {
    moveToArchive(copy, QUIET)
    compactFiles(copy)
  })
  t.ok(paths.length >= 5, `${paths.length} different moments`)
  for (const path of paths) {
    const left = join(path, 'raay.db')
    prepareFile(left)
    t.same(contentOf(left), whole, path)
    moveToArchive(left, QUIET)
    t.same(contentOf(left), whole, path)
    t.equal(countIn(left, 'archived_orders'), countIn(copy, 'archived_orders'))
    t.notOk(readdirSync(path).some(name => name.includes('.partial')))
  }
})

t.test('an archiving on a full disk moves nothing, or all of it', async t => {
  let steps = 0
  for (let isFull = true; isFull; steps++) {
    const copy = copied(t, `full-${steps}`)
    isFull = onFullDisk(steps, () => {
      try {
        moveToArchive(copy, QUIET)
      } catch (error) {
        t.match(String(error), /full/)
      }
    })
    prepareFile(copy)
    t.same(contentOf(copy), whole, `step ${steps}`)
  }
  t.ok(steps > 5, `${steps} steps`)
})

t.test('an archive that is missing, cut short or another is refused, and nothing is changed', async t => {
  const copy = archived(t, 'refused')
  const [name = ''] = archivesIn(dirname(copy))
  const archive = join(dirname(copy), name)
  const kept = readFileSync(archive)
  const refusal = () => {
    try {
      prepareFile(copy)
      return 'accepted'
    } catch (error) {
      return String(error)
    }
  }
  const checked = () => fileChecks(dirname(copy), now)
  t.match(checked(), [{ name: 'file', result: 'ok', found: /, archive [\d.]+ [kM]B$/ }])
  t.equal((await fileBytes(copy)).archive, kept.length)
  renameSync(archive, `${archive}.away`)
  t.match(checked(), [{ name: 'file', result: 'fail', found: /is missing/ }])
  t.match(refusal(), /the archive .* is missing: put it back.*Nothing was changed/)
  t.throws(() => verifyFile(copy), /is missing/)
  writeFileSync(archive, kept)
  truncateSync(archive, kept.length - 4096)
  t.match(refusal(), /is damaged: it has \d+ bytes, not \d+/)
  const foreign = Buffer.from(kept)
  foreign.writeUInt32BE(77, 68)
  writeFileSync(archive, foreign)
  t.match(refusal(), /of another exchange/)
  writeFileSync(archive, kept)
  t.same(contentOf(copy), whole)
  t.equal(refusal(), 'accepted')
})

t.test('a start reads the end of the archive alone; a verification finds any change of it', async t => {
  const copy = archived(t, 'changed')
  const [name = ''] = archivesIn(dirname(copy))
  const archive = join(dirname(copy), name)
  const database = openScratch(archive)
  database.exec(`UPDATE journal SET commands = commands || ' ' WHERE sequence = 5;
    UPDATE entries SET change = change + 1 WHERE id = (SELECT max(id) FROM entries)`)
  database.close()
  prepareFile(copy)
  const found = wrong(verifyFile(copy)).join('\n')
  t.match(found, /archive: archive-[0-9a-f]{16}\.db was changed/)
  t.match(found, /journal: batch 5: its hash is not that of its contents/)
  t.match(found, /statements: account \d+, line/)
})

t.test('tables of before an archiving do not go on with the journal of after it', async t => {
  const copy = copied(t, 'earlier')
  const backup = join(dirname(copy), 'earlier.db')
  backUp(copy, backup)
  const tables = readFileSync(copy)
  moveToArchive(copy, QUIET)
  const archivedTables = readFileSync(copy)
  writeFileSync(copy, tables)
  t.throws(() => prepareFile(copy), /do not belong together \(batch 1 of the journal is missing\)/)
  rmSync(copy)
  renameSync(backup, copy)
  t.throws(() => prepareFile(copy), /batch 1 of the journal is missing.*move the other journal away/s)
  writeFileSync(copy, archivedTables)
  prepareFile(copy)
  t.same(contentOf(copy), whole)
})

t.test('a backup has the live files in it and the archive beside it, once for all backups', async t => {
  const copy = archived(t, 'backed-up')
  const [name = ''] = archivesIn(dirname(copy))
  const directory = join(dirname(copy), 'saved')
  for (const backup of ['one.db', 'two.db']) backUp(copy, join(directory, backup))
  t.same(archivesIn(directory), [name])
  t.same(wrong(verifyFile(join(directory, 'two.db'))), [], 'it verifies where it lies')
  const elsewhere = join(dirname(copy), 'elsewhere')
  mkdirSync(elsewhere)
  const restored = join(elsewhere, 'raay.db')
  writeFileSync(restored, readFileSync(join(directory, 'one.db')))
  t.throws(() => prepareFile(restored), /the archive .* is missing/)
  t.notOk(existsSync(journalPath(restored)), 'nothing was changed')
  writeFileSync(join(elsewhere, name), readFileSync(join(directory, name)))
  prepareFile(restored)
  t.same(contentOf(restored), whole)
  const again = await openAgain(t, restored)
  t.ok(again.exchange.moneyIsAllThere())
  await again.close()
})

t.test('a copy by a connection whose files were deleted brings the archive along', async t => {
  const copy = archived(t, 'deleted')
  const again = await openAgain(t, copy)
  for (const path of [copy, join(dirname(copy), archivesIn(dirname(copy))[0] ?? '')]) rmSync(path)
  const rescued = join(dirname(copy), '..', 'rescued', 'raay.db')
  await again.exchange.archive.rescueTo(rescued)
  t.same(wrong(verifyFile(rescued)), [])
  prepareFile(rescued)
  t.same(contentOf(rescued), whole)
  await again.close().catch(() => undefined)
})
