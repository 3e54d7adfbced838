import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import type { LogDamage } from '../../src/store/files/log-frames.js'
import { readLog as readWholeLog } from '../../src/store/files/log-frames.js'
import { Dice } from '../fixtures/dice.js'

const HEAD_BYTES = 32
const FRAME_BYTES = 24 + 4096
const SECTOR_BYTES = 512

interface Written {
  readonly log: Buffer
  /** How many frames the log has after each of its transactions. */
  readonly ends: readonly number[]
}

type Database = ReturnType<typeof openDatabase>

/** Makes a log as a crash leaves it, with transactions of several pages each. */
function writeLog(t: Test, transactions: number, before: (database: Database) => void = () => {}): Written {
  const file = join(t.testdir(), 'some.db')
  const database = openDatabase(file)
  t.teardown(() => database.close())
  database.exec('CREATE TABLE texts (text TEXT)')
  const insert = database.prepare('INSERT INTO texts VALUES (?)')
  database.pragma('wal_checkpoint(TRUNCATE)')
  before(database)
  const ends: number[] = []
  for (let number = 1; number <= transactions; number++) {
    database.transaction(() => {
      for (let row = 0; row < number; row++) insert.run('x'.repeat(3000))
    })()
    const [found] = database.pragma('wal_checkpoint(NOOP)') as [{ log: number }]
    ends.push(found.log)
  }
  return { log: readFileSync(`${file}-wal`), ends }
}

/** Leaves out the version: a start that refuses others reads it (`test/store/stored-files.test.ts`). */
function readLog(path: string): Omit<ReturnType<typeof readWholeLog>, 'version'> {
  const { version: _, ...facts } = readWholeLog(path)
  return facts
}

/** Reads a log with these bytes. */
function read(t: Test, log: Buffer): ReturnType<typeof readLog> {
  const path = join(t.testdirName, 'image-wal')
  writeFileSync(path, log)
  return readLog(path)
}

const damageOf = (t: Test, log: Buffer): LogDamage | undefined => read(t, log).damage

function flipped(log: Buffer, at: number, bit = 1): Buffer {
  const copy = Buffer.from(log)
  copy[at] = (copy[at] as number) ^ bit
  return copy
}

const frameAt = (frame: number) => HEAD_BYTES + (frame - 1) * FRAME_BYTES
const isInTwoSectors = (frame: number) => (frameAt(frame) % SECTOR_BYTES) + 24 > SECTOR_BYTES
/** A byte of the page number, the mark of a commit, the salts, the checksum, and of the page. */
const PLACES = [3, 4, 7, 9, 13, 16, 23, 24, 2000, FRAME_BYTES - 1]

t.test('a whole log passes, and so does a missing one, an empty one and one of noise', async t => {
  const { log, ends } = writeLog(t, 5)
  t.same(read(t, log), { commits: 5, id: 0, damage: undefined })
  t.same(readLog(join(t.testdirName, 'not-there')), { commits: 0, id: undefined, damage: undefined })
  for (const bytes of [Buffer.alloc(0), log.subarray(0, 20), Buffer.alloc(5 * FRAME_BYTES, 0xa5)]) {
    t.same(read(t, bytes), { commits: 0, id: undefined, damage: undefined })
  }
  t.equal(log.length, frameAt((ends.at(-1) ?? 0) + 1))
})

t.test('a damaged byte before the last transaction is found, wherever it is', async t => {
  const { log, ends } = writeLog(t, 6)
  const frames = ends.at(-1) ?? 0
  for (let at = 0; at < HEAD_BYTES; at++) {
    t.same(damageOf(t, flipped(log, at)), { frame: 0, frames, offset: 0 }, `byte ${at} of the head`)
  }
  for (let frame = 1; frame <= (ends.at(-2) ?? 0); frame++) {
    for (const place of PLACES) {
      const damage = damageOf(t, flipped(log, frameAt(frame) + place))
      t.same(damage, { frame, frames, offset: frameAt(frame) }, `byte ${place} of frame ${frame}`)
    }
  }
})

t.test('a log cut where it is damaged passes', async t => {
  const { log, ends } = writeLog(t, 6)
  const damage = damageOf(t, flipped(log, frameAt(ends[2] ?? 0) + 100))
  const { commits, damage: left } = read(t, log.subarray(0, damage?.offset))
  t.equal(commits, 2, 'the commits before the damage stay')
  t.equal(left, undefined)
})

t.test('a break within the last transaction ends the log', async t => {
  const { log, ends } = writeLog(t, 6)
  for (let frame = (ends.at(-2) ?? 0) + 1; frame <= (ends.at(-1) ?? 0); frame++) {
    for (const place of PLACES) {
      const found = read(t, flipped(log, frameAt(frame) + place))
      t.match(found, { commits: 5, damage: undefined }, `byte ${place} of frame ${frame}`)
    }
  }
})

t.test('whatever a power cut leaves of the last transaction does not count as damage', async t => {
  const dice = Dice.fromEnvironment(t)
  const older = writeLog(t, 7).log
  const { log, ends } = writeLog(t, 6)
  const synced = frameAt((ends.at(-2) ?? 0) + 1)
  const noise = Buffer.from(Array.from(log, () => dice.between(0, 255)))
  for (let image = 0; image < 300; image++) {
    const before = Buffer.from(dice.oneOf([older, noise, Buffer.alloc(log.length)]).subarray(0, log.length))
    log.copy(before, 0, 0, synced)
    for (let at = synced - (synced % SECTOR_BYTES); at < log.length; at += SECTOR_BYTES) {
      if (dice.percent(70)) log.copy(before, at, at, at + SECTOR_BYTES)
    }
    const end = dice.percent(50) ? before.length : dice.between(synced, before.length)
    const { commits, damage } = read(t, before.subarray(0, end))
    if (damage !== undefined || commits < 5) t.fail(`image ${image}: ${commits} commits`, { damage })
  }
  t.pass('the last transaction is either whole or absent')
})

t.test('noise in place of the mark of a commit proves nothing', async t => {
  const dice = Dice.fromEnvironment(t)
  const { log, ends } = writeLog(t, 6)
  const [first, last] = [(ends.at(-2) ?? 0) + 1, ends.at(-1) ?? 0]
  for (let frame = first; frame < last; frame++) {
    for (let image = 0; image < 50; image++) {
      // A sector ends within the head: what follows has arrived, with the checksum that the next frame continues.
      const torn = Buffer.from(log)
      for (let at = 0; at < 8; at++) torn[frameAt(frame) + at] = dice.between(0, 255)
      t.match(read(t, torn), { commits: 5, damage: undefined }, `frame ${frame}`)
      // The page behind the head is torn, too.
      for (let at = 24; at < 500; at++) torn[frameAt(frame) + at] = dice.between(0, 255)
      t.match(read(t, torn), { commits: 5, damage: undefined }, `frame ${frame} and its page`)
    }
  }
})

t.test('a commit of an older round before the rest of a torn frame proves nothing', t => {
  const { log, ends } = writeLog(t, 40)
  const [first, last] = [(ends.at(-2) ?? 0) + 1, ends.at(-1) ?? 0]
  let torn = 0
  for (let frame = first; frame < last; frame++) {
    if (!isInTwoSectors(frame)) continue
    const image = Buffer.from(log)
    log.copy(image, frameAt(frame), frameAt(first - 1), frameAt(first - 1) + 8)
    image.fill(0, frameAt(frame) + 1000, frameAt(frame) + 2000)
    t.match(read(t, image), { commits: 39, damage: undefined }, `frame ${frame}`)
    torn++
  }
  t.not(torn, 0)
  t.end()
})

t.test('leftover frames of an earlier log behind the end are ignored', async t => {
  const older = (database: Database) => {
    const insert = database.prepare('INSERT INTO texts VALUES (?)')
    for (let row = 0; row < 60; row++) insert.run('y'.repeat(3000))
    database.pragma('wal_checkpoint(PASSIVE)')
  }
  const { log, ends } = writeLog(t, 3, older)
  const end = ends.at(-1) ?? 0
  t.ok(log.length > frameAt(end + 20), 'the earlier log was longer')
  t.match(read(t, log), { commits: 3, damage: undefined })
  t.match(read(t, flipped(log, frameAt(end) + 50)), { commits: 2, damage: undefined })
  t.match(read(t, flipped(log, frameAt(ends[0] ?? 0) + 50)), { damage: { frame: ends[0] } })
})

t.test('frames of a rolled-back transaction are ignored', async t => {
  const rolledBack = (database: Database) => {
    database.pragma('cache_size = 5')
    database.exec('BEGIN')
    const insert = database.prepare('INSERT INTO texts VALUES (?)')
    for (let row = 0; row < 60; row++) insert.run('z'.repeat(3000))
    database.exec('ROLLBACK')
  }
  const { log, ends } = writeLog(t, 1, rolledBack)
  const end = ends.at(-1) ?? 0
  t.ok(log.length > frameAt(end + 20), 'it had written its frames')
  for (let frame = 1; frame <= end; frame++) {
    for (const place of PLACES) {
      t.match(read(t, flipped(log, frameAt(frame) + place)), { commits: 0, damage: undefined })
    }
  }
})

t.test('the id comes from the last commit that wrote the first page', async t => {
  const { log } = writeLog(t, 3, database => database.pragma('application_id = 77'))
  t.match(read(t, log), { commits: 4, id: 77 })
  const database = openDatabase(join(t.testdirName, 'other.db'))
  t.teardown(() => database.close())
  database.exec('CREATE TABLE texts (text TEXT); INSERT INTO texts VALUES (1)')
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.exec('UPDATE texts SET text = 2')
  copyFileSync(join(t.testdirName, 'other.db-wal'), join(t.testdirName, 'copied-wal'))
  t.same(readLog(join(t.testdirName, 'copied-wal')), { commits: 1, id: undefined, damage: undefined })
})
