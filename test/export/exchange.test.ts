import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { exportExchange } from '../../src/export/export-exchange.js'
import { importExchange } from '../../src/export/import-exchange.js'
import { PartialFile } from '../../src/export/partial-file.js'
import { openReadOnly } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { runRaay } from '../fixtures/raay-command.js'
import { layOutStored } from '../fixtures/stored-files.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const silently = () => undefined
const CHANGES = 8

const dice = Dice.fromEnvironment(t)
const test = await TestExchange.open(t)
t.same(await liveFullDay(test, dice, 500), [], 'every kind of command is in the journal')
await test.exchange.drain()
const root = t.testdirName
const exported = join(root, 'exchange.ndjson')
exportExchange(test.file, exported, '1.2.3', silently)
const text = readFileSync(exported, 'utf8')

let directories = 0
function newDirectory(): string {
  directories++
  return join(root, `import-${directories}`)
}

/** Writes a changed export, and returns its path. */
function changed(contents: string | Buffer): string {
  const path = join(root, 'changed.ndjson')
  writeFileSync(path, contents)
  return path
}

/** Returns all rows of tables and journal. */
function contentOf(file: string): Record<string, unknown> {
  const database = openReadOnly(file)
  const names = database
    .prepare<unknown[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'market_words_*' ORDER BY name",
    )
    .pluck()
    .all()
  const rows = [...names, 'whole_journal'].map(name => [
    name,
    database.prepare(`SELECT * FROM ${name}`).all(),
  ])
  database.close()
  return Object.fromEntries(rows)
}

t.test('an imported exchange has the same rows, books and state hash, and is traded on', async t => {
  const directory = newDirectory()
  const ended = await runRaay(['import', exported, '--data', directory, '--json'])
  t.equal(ended.code, 0, ended.stderr)
  const imported = JSON.parse(ended.stdout)
  const file = join(directory, 'raay.db')
  const [report, original] = [verifyFile(file), verifyFile(test.file)]
  t.same(wrong(report), [])
  t.equal(report.stateHash, original.stateHash)
  t.equal(imported.stateHash, original.stateHash)
  t.equal(report.sequence, original.journalSequence)
  t.same(contentOf(file), contentOf(test.file))
  t.not(imported.id, imported.of, 'its history may go on differently, so it is an exchange of its own')
  t.same(
    readdirSync(directory).filter(
      name => !/^(raay|journal)\.db(-wal|-shm)?$|^raay\.(access|id|lock)$/.test(name),
    ),
    [],
  )

  const again = join(root, 'again.ndjson')
  exportExchange(file, again, '1.2.3', silently)
  const [, ...lines] = readFileSync(again, 'utf8').split('\n')
  t.same(lines.slice(0, -2), text.split('\n').slice(1, -2), 'what is exported again differs in its ends only')

  const later = await TestExchange.open(t, { file })
  later.now = test.now
  await later.create()
  const [market] = later.rows<{ code: number }>('SELECT max(code) AS code FROM markets')
  await later.playAll(['asha buy 1 @ 5', 'zoya sell 1 @ 5'], market?.code as never)
  t.ok(later.exchange.moneyIsAllThere())
  t.same(wrong(verifyFile(file)), [])
  await later.close()
})

t.test('a killed export goes on up to the batch at which it was begun', async t => {
  const path = join(root, 'killed.ndjson')
  const partLength = Math.ceil(text.length / 9)
  let parts = 0
  const kill = () => {
    parts++
    if (parts === 4) throw new Error('killed')
  }
  t.throws(() => exportExchange(test.file, path, '1.2.3', kill, partLength), { message: 'killed' })
  t.notOk(existsSync(path))
  await test.create()
  await test.exchange.drain()
  const { resumedAt } = exportExchange(test.file, path, '9.9.9', silently, partLength)
  t.ok(resumedAt > 0)
  t.equal(readFileSync(path, 'utf8'), text, 'as if nothing had happened')
})

t.test('an export that was cut off is refused, wherever it was, and leaves nothing', async t => {
  const directory = newDirectory()
  const places = Array.from({ length: CHANGES }, () => dice.between(0, text.length - 2))
  for (const place of [0, text.indexOf('\n') + 1, text.lastIndexOf('\n', text.length - 2) + 1, ...places]) {
    const cut = changed(text.slice(0, place))
    await t.rejects(importExchange(cut, directory, silently), { message: /cut off|cannot be imported/ })
    t.same(
      (existsSync(directory) ? readdirSync(directory) : []).filter(name => name !== 'raay.lock'),
      [],
      `cut at ${place}`,
    )
  }
})

t.test('an export of which any bit was changed is refused', async t => {
  const directory = newDirectory()
  for (let change = 0; change < CHANGES; change++) {
    const bytes = Buffer.from(text)
    const place = dice.between(0, bytes.length - 2)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << dice.between(0, 4))
    await t.rejects(importExchange(changed(bytes), directory, silently), `byte ${place}`)
    t.notOk(existsSync(join(directory, 'raay.db')))
  }
})

t.test('lines that are exchanged, missing, repeated or added are refused', async t => {
  const lines = text.trimEnd().split('\n')
  const at = dice.between(1, lines.length - 3)
  const [one = '', two = ''] = lines.slice(at, at + 2)
  const refused = async (changedLines: readonly string[], message: RegExp) => {
    const path = changed(`${changedLines.join('\n')}\n`)
    await t.rejects(importExchange(path, newDirectory(), silently), { message })
  }
  await refused(lines.toSpliced(at, 2, two, one), /batch \d+ of the journal/)
  await refused(lines.toSpliced(at, 1), /batch \d+ of the journal is missing/)
  await refused(lines.toSpliced(at, 0, one), /batch \d+ of the journal/)
  await refused(lines.toSpliced(-2, 1), /was changed behind batch \d+/)
  await refused([...lines, one], /goes on behind its last line/)
  await refused(
    lines.with(0, (lines[0] ?? '').replace('"exchange":"', '"exchange":"0')),
    /first line was changed/,
  )
  await refused(
    lines.with(0, (lines[0] ?? '').replace('"format":2', '"format":3')),
    /with Raay 1\.2\.3 or newer/,
  )
  await refused(['{"a":1}'], /not an exchange that raay has exported/)
})

t.test('archived batches are exported with the others', async t => {
  const source = newDirectoryOnDisk()
  const file = layOutStored(source)
  prepareFile(file)
  const path = join(root, 'archived.ndjson')
  exportExchange(file, path, '1.2.3', silently)
  const directory = newDirectory()
  const { stateHash } = await importExchange(path, directory, silently)
  t.equal(stateHash, verifyFile(file).stateHash)
  t.same(wrong(verifyFile(join(directory, 'raay.db'))), [])
})

t.test('nothing is imported over what is there', async t => {
  const directory = newDirectory()
  mkdirSync(directory)
  writeFileSync(join(directory, 'notes.txt'), 'mine')
  await t.rejects(importExchange(exported, directory, silently), { message: /is not empty \(notes\.txt\)/ })
  t.same(readdirSync(directory), ['notes.txt'])
  const before = contentOf(test.file)
  await t.rejects(importExchange(exported, root, silently), { message: /is not empty|in use/ })
  t.same(contentOf(test.file), before)
})

function newDirectoryOnDisk(): string {
  const directory = newDirectory()
  mkdirSync(directory)
  return directory
}

t.test('an export never replaces a file that appeared while it was written', t => {
  const path = join(t.testdir(), 'out.ndjson')
  const file = PartialFile.open<number>(path)
  file.write(Buffer.from('ours'), 1)
  writeFileSync(path, 'theirs')
  t.throws(() => file.finish(Buffer.from('end')), /out\.ndjson is there already: move it away/)
  file.close()
  t.equal(readFileSync(path, 'utf8'), 'theirs')
  t.end()
})
