import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { PastProgress } from '../../src/backup/past/build-exchange.js'
import type { PastRequest } from '../../src/backup/past/restore-past.js'
import { restorePast } from '../../src/backup/past/restore-past.js'
import type { TimeMs } from '../../src/core/units.js'
import { checkFile } from '../../src/exchange/recovery/check-file.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { openDatabase } from '../../src/store/database.js'
import { backUp } from '../../src/store/files/backup-file.js'
import { openDataDirectory } from '../../src/store/files/data-directory.js'
import { readIdIn } from '../../src/store/files/exchange-id.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy, damagedFiles } from '../fixtures/damaged-copy.js'
import { Dice } from '../fixtures/dice.js'
import { pastStates, rowsIn } from '../fixtures/restore/past-states.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const BATCHES = 12
type Told = (progress: PastProgress) => void
const silently: Told = () => undefined

const dice = Dice.fromEnvironment(t)
const ROOT = t.testdir()
const past = pastStates(dice, BATCHES, ROOT)
const DATA = dirname(past.file)
let places = 0

/** Returns a path where nothing is. */
function nowhere(): string {
  places++
  return join(ROOT, `place-${places}`)
}

/** Returns a new directory with these files in it. */
function directoryWith(files: Readonly<Record<string, string>>): string {
  const path = nowhere()
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

/** A request as the tests make it. */
type Wanted = Pick<PastRequest, 'point'> & Partial<Omit<PastRequest, 'source'>> & { readonly source?: string }

/** Restores from the exchange of the test, unless another source is given. */
async function restoreTo({ source = DATA, directory = nowhere(), ...wanted }: Wanted, told: Told = silently) {
  const rest = { source: () => source, directory, overwrite: false, now: () => START }
  return restorePast({ ...rest, ...wanted }, told)
}

/** Restores into a new directory; returns the file of tables in it, and what was restored. */
async function restored(wanted: Wanted) {
  const target = nowhere()
  const made = await restoreTo({ ...wanted, directory: target })
  return { made, target, file: join(target, 'raay.db') }
}

/** Returns the contents of every file in a directory; the empty files that SQLite may leave are left out. */
function contentsOf(directory: string): Map<string, string> {
  const names = readdirSync(directory).filter(name => !/-(?:wal|shm)$/.test(name))
  return new Map(names.map(name => [name, readFileSync(join(directory, name), 'base64')]))
}

t.test('is at every sequence as it was then, verifies, and trades on', async t => {
  for (let sequence = 1; sequence <= BATCHES; sequence++) {
    await t.test(`at batch ${sequence}`, async t => {
      const { made, file } = await restored({ point: { sequence } })
      t.equal(made.sequence, sequence)
      t.equal(made.at, past.times[sequence - 1])
      t.equal(rowsIn(file), past.rows[sequence - 1])
      if (sequence % 4 > 0) return
      const test = await TestExchange.open(t, { file })
      test.now = made.at
      // The turn of a season that was under way then goes on first.
      test.exchange.advanceClock()
      await test.exchange.drain()
      // A slug that no random journal takes.
      const market = await test.create({ slug: 'after-the-restore' })
      const { code } = market.terms
      await test.playAll(['new-1 buy 10 @ 6', 'new-2 sell 6 @ 6', 'new-1 sell 3 @ 7'], code)
      await test.close()
      const report = verifyFile(file)
      t.same(wrong(report), [])
      t.ok(report.sequence > sequence)
    })
  }
})

t.test('is as of the last batch at or before a moment', async t => {
  const { times } = past
  const moments = [...new Set(times)].flatMap(at => [at, at + 1]).sort((one, other) => one - other)
  for (const moment of new Set([moments[0], dice.oneOf(moments as [number]), moments.at(-1)])) {
    const { made, file } = await restored({ point: { moment: moment as TimeMs } })
    const wanted = times.findLastIndex(at => at <= (moment ?? 0)) + 1
    t.equal(made.sequence, wanted)
    t.same(made.end, { sequence: BATCHES, at: times.at(-1) })
    t.equal(rowsIn(file), past.rows[wanted - 1])
  }
})

t.test('refuses points that the history does not have, and leaves nothing behind', async t => {
  const [first = 0, last = 0] = [past.times[0], past.times.at(-1)]
  const wants: readonly [Wanted, RegExp][] = [
    [{ point: { sequence: BATCHES + 1 } }, /has the batches 1 to 12 .+ not batch 13/],
    [{ point: { sequence: 0 } }, /not batch 0/],
    [{ point: { moment: (first - 1) as TimeMs } }, /begins at .+, after/],
    [
      { point: { moment: (last + 2) as TimeMs }, coveredUntil: (last + 1) as TimeMs },
      /choose a later backup/,
    ],
    [{ point: { sequence: 1 }, source: join(DATA, 'none') }, /there is no file/],
    [{ point: { sequence: 1 }, source: join(DATA, 'raay.id') }, /cannot be read/],
  ]
  for (const [request, words] of wants) {
    const target = nowhere()
    await t.rejects(restoreTo({ directory: target, ...request }), { message: words })
    t.same(readdirSync(target), ['raay.lock'])
  }
  await t.resolves(restored({ point: { moment: (last + 1) as TimeMs }, coveredUntil: (last + 1) as TimeMs }))
})

t.test('does not write to its source, which may be in use', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 6 @ 6'])
  const before = contentsOf(dirname(test.file))
  const { made, file } = await restored({ source: dirname(test.file), point: { sequence: 3 } })
  t.same(contentsOf(dirname(test.file)), before)
  t.same(wrong(verifyFile(file)), [])
  t.equal(verifyFile(file).sequence, made.sequence)
  t.equal(await test.playAll(['cora sell 4 @ 6']), 'filled 4')
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('restores from a backup, with the accounts beside it as they are', async t => {
  const directory = directoryWith({})
  const source = join(directory, 'raay-of-today.db')
  backUp(past.file, source)
  const { made, target } = await restored({ source, point: { sequence: 5 } })
  t.same(made.companions, [])
  t.notOk(existsSync(join(target, 'access.db')))
  const accounts = openDatabase(join(directory, 'raay-of-today.access.db'))
  accounts.exec("CREATE TABLE people (name); INSERT INTO people VALUES ('asha')")
  accounts.close()
  const other = await restored({ source, point: { sequence: 5 } })
  t.same(other.made.companions, ['accounts'])
  const copied = openDatabase(join(other.target, 'access.db'))
  t.same(copied.prepare('SELECT name FROM people').pluck().all(), ['asha'])
  copied.close()
  t.equal(rowsIn(other.file), past.rows[4])
})

t.test('never takes the files of the original for its own, nor the other way round', async t => {
  const { made, target, file } = await restored({ point: { sequence: 6 } })
  t.not(made.id, made.of)
  t.equal(made.of, readIdIn(past.file))
  for (const path of [file, journalPath(file)]) t.equal(readIdIn(path), made.id)
  checkFile(file)

  const mixed = nowhere()
  cpSync(target, mixed, { recursive: true })
  copyFileSync(journalPath(past.file), join(mixed, 'journal.db'))
  t.throws(() => checkFile(join(mixed, 'raay.db')), { message: /journal\.db is of exchange/ })

  const back = nowhere()
  cpSync(DATA, back, { recursive: true })
  copyFileSync(journalPath(file), join(back, 'journal.db'))
  t.throws(() => checkFile(join(back, 'raay.db')), { message: /journal\.db is of exchange/ })
})

t.test('replaces an exchange only with --overwrite, and sets its files aside', async t => {
  const directory = nowhere()
  cpSync(DATA, directory, { recursive: true })
  writeFileSync(join(directory, 'operator.key'), 'the key')
  const before = contentsOf(directory)
  const point = { sequence: 2 }
  await t.rejects(restoreTo({ directory, point }), { message: /holds an exchange: add --overwrite/ })
  before.delete('raay.lock')
  const after = contentsOf(directory)
  after.delete('raay.lock')
  t.same(after, before)

  // Its own files are the source.
  const made = await restoreTo({ source: directory, directory, point, overwrite: true })
  t.equal(rowsIn(join(directory, 'raay.db')), past.rows[1])
  t.equal(readFileSync(join(directory, 'operator.key'), 'utf8'), 'the key')
  const aside = made.aside ?? ''
  t.equal(rowsIn(join(aside, 'raay.db')), past.rows[BATCHES - 1])
  t.equal(verifyFile(join(aside, 'raay.db')).sequence, BATCHES)
})

t.test('killed anywhere, the directory opens with the old exchange or with the new one', async t => {
  for (const hasOld of [false, true]) {
    const images: string[] = []
    const directory = nowhere()
    if (hasOld) cpSync(DATA, directory, { recursive: true })
    const keepImage = () => {
      const image = nowhere()
      cpSync(directory, image, { recursive: true, filter: name => !name.endsWith('-shm') })
      images.push(image)
    }
    let stage: PastProgress['stage'] | undefined
    const wanted = { directory, point: { sequence: 9 }, overwrite: hasOld, did: keepImage }
    await restoreTo(wanted, progress => {
      t.throws(() => openDataDirectory(directory), { message: /in use/ }, 'the directory is locked')
      if (progress.stage !== stage) keepImage()
      stage = progress.stage
    })
    const states = images.map(image => {
      const { file, release } = openDataDirectory(image)
      release()
      t.notOk(existsSync(join(image, 'restoring')), 'no remains')
      if (!existsSync(file)) return 'nothing'
      prepareFile(file)
      return ['old', 'new'].find((_, n) => rowsIn(file) === past.rows[n === 0 ? BATCHES - 1 : 8])
    })
    const before = hasOld ? 'old' : 'nothing'
    const turn = states.indexOf('new')
    t.ok(turn >= 3 && turn < states.length - 1)
    t.same(states, [...states.slice(0, turn).fill(before), ...states.slice(turn).fill('new')])
  }
})

t.test('leaves the directory as it was when it fails half-way', async t => {
  const target = nowhere()
  const failing = restoreTo({ directory: target, point: { sequence: 9 } }, ({ stage }) => {
    if (stage === 'replaying') throw new Error('no more')
  })
  await t.rejects(failing, { message: 'no more' })
  t.same(readdirSync(target), ['raay.lock'])
})

t.test('restores no batch behind a break in the hash chain, but any before it', async t => {
  const source = damagedCopy(past.file, database => {
    database.exec("UPDATE main.journal SET commands = commands || ' ' WHERE sequence = 5")
  })
  const target = nowhere()
  for (const sequence of [5, 6, BATCHES]) {
    const failing = restoreTo({ source, directory: target, point: { sequence } })
    await t.rejects(failing, {
      message: /batch 5 of the journal does not follow from batch 4.+earlier batch/,
    })
    t.same(readdirSync(target), ['raay.lock'])
  }
  const { file } = await restored({ source, point: { sequence: 4 } })
  t.equal(rowsIn(file), past.rows[3])

  const gap = damagedCopy(past.file, database => database.exec('DELETE FROM main.journal WHERE sequence = 7'))
  const missing = restoreTo({ source: gap, directory: target, point: { sequence: 8 } })
  await t.rejects(missing, { message: /batch 7 of the journal is missing/ })
})

t.test('needs no tables that are in order, for the journal is the truth', async t => {
  const source = damagedFiles(past.file, database => {
    database.exec('DELETE FROM trades; UPDATE accounts SET cash = 1 WHERE number > 3')
  })
  const { file } = await restored({ source, point: { sequence: BATCHES } })
  t.equal(rowsIn(file), past.rows[BATCHES - 1])
})

t.test('restores no files of another version', async t => {
  const target = nowhere()
  for (const [version, words] of [
    [9, /version 9, this program knows no version before 10: start the Raay that wrote it/],
    [99, /start a newer Raay/],
  ] as const) {
    const source = damagedCopy(past.file, database => database.pragma(`user_version = ${version}`))
    await t.rejects(restoreTo({ source, directory: target, point: { sequence: 8 } }), { message: words })
    t.same(readdirSync(target), ['raay.lock'])
  }
})

t.test('does not take a damaged log for the end of the history', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  for (let hour = 0; hour < 6; hour++) {
    test.now += 1000
    await test.playAll([`asha buy ${hour + 1} @ 6`])
  }
  const source = directoryWith({})
  for (const name of ['raay.db', 'raay.db-wal', 'journal.db', 'journal.db-wal', 'raay.id']) {
    copyFileSync(join(dirname(test.file), name), join(source, name))
  }
  const log = readFileSync(join(source, 'journal.db-wal'))
  const middle = 32 + Math.floor((log.length - 32) / 4120 / 2) * 4120 + 2000
  log[middle] = (log[middle] ?? 0) ^ 1
  writeFileSync(join(source, 'journal.db-wal'), log)
  const target = nowhere()
  const late = restoreTo({ source, directory: target, point: { moment: test.now as TimeMs } })
  await t.rejects(late, { message: /log of .+ is damaged behind batch \d+.+--to-sequence \d+$/ })
  const { made } = await restored({ source, point: { sequence: 2 } })
  const earlier = await restored({ source, point: { moment: made.at } })
  t.equal(earlier.made.at, made.at)
})
