import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const DAY = ['asha buy 10 @ 5', 'ben sell 4 @ 5', 'cora buy 3 @ 5', 'ben sell 3 @ 6', 'asha sell 2 @ 6']
const FRAME_BYTES = 24 + 4096

/** The state after a crash: the file as last closed, and a log still to be checkpointed into it. */
interface Crashed {
  readonly file: string
  readonly log: string
  /** The book with the log, and without it. */
  readonly book: string
  readonly bookBefore: string
  /** A backup that was made after the file was closed. */
  readonly backup: string
}

let images = 0

async function crash(t: Test, orders = 1): Promise<Crashed> {
  images++
  const directory = existsSync(t.testdirName) ? t.testdirName : t.testdir()
  const test = await TestExchange.open(t, { file: join(directory, `live${images}.db`) })
  await test.create()
  for (let day = 0; day < 5; day++) await test.playAll(DAY)
  const bookBefore = test.book()
  await test.close()
  const file = join(directory, `image${images}.db`)
  copyFileSync(test.file, file)
  copyFileSync(test.file.replace('.db', '.id'), file.replace('.db', '.id'))
  await test.restart()
  const backup = test.crashImage(join(directory, `backup${images}.db`))
  for (let order = 0; order < orders; order++) await test.playAll([`dev buy ${order + 1} @ 3`])
  const log = `${file}-wal`
  copyFileSync(`${test.file}-wal`, log)
  const book = test.book()
  await test.close()
  return { file, log, book, bookBefore, backup }
}

/** Checks that a start is refused with this message, and leaves the file and its log untouched. */
async function refused(t: Test, file: string, message: RegExp): Promise<void> {
  const bytes = () => ['', '-wal'].map(end => (existsSync(file + end) ? readFileSync(file + end) : undefined))
  const before = bytes()
  await t.rejects(TestExchange.open(t, { file }), { name: 'RecoveryError', message })
  t.same(bytes(), before, 'nothing was changed')
}

async function bookAfterStart(t: Test, file: string): Promise<string> {
  const test = await TestExchange.open(t, { file })
  await test.exchange.drain()
  t.ok(test.exchange.moneyIsAllThere())
  const book = test.book()
  await test.close()
  return book
}

t.test('a start after a crash uses both the file and its log', async t => {
  const { file, book, bookBefore } = await crash(t, 3)
  t.not(book, bookBefore)
  t.equal(await bookAfterStart(t, file), book)
})

t.test('a log damaged in the middle is refused until it is cut as the refusal says', async t => {
  const { file, log, bookBefore } = await crash(t, 5)
  const bytes = readFileSync(log)
  bytes[32 + 2 * FRAME_BYTES + 1000] = (bytes[32 + 2 * FRAME_BYTES + 1000] as number) ^ 4
  writeFileSync(log, bytes)
  const offset = 32 + 2 * FRAME_BYTES
  const words = `is damaged \\(frame 3 of \\d+\\).+Nothing was changed.+truncate -s ${offset} ${log}`
  await refused(t, file, new RegExp(words))
  truncateSync(log, offset)
  t.equal(await bookAfterStart(t, file), bookBefore)
})

t.test('a log with a torn last batch is used without that batch', async t => {
  const { file, log } = await crash(t, 1)
  const whole = await crash(t, 0)
  const { size } = statSync(log)
  truncateSync(log, size - 100)
  t.ok(await bookAfterStart(t, file))
  t.equal(await bookAfterStart(t, whole.file), whole.bookBefore)
})

t.test('the log of another exchange is refused until it is removed', async t => {
  const { file, log, bookBefore } = await crash(t)
  const other = await crash(t)
  copyFileSync(other.log, log)
  await refused(
    t,
    file,
    /-wal is of exchange [0-9a-f]{8}, image\d+\.db of exchange [0-9a-f]{8}\. Nothing was/,
  )
  rmSync(log)
  t.equal(await bookAfterStart(t, file), bookBefore)
})

t.test('a log from another moment of the same exchange is refused', async t => {
  await t.test('beside a backup', async t => {
    const { file, backup, bookBefore } = await crash(t, 3)
    copyFileSync(backup, file)
    await refused(t, file, /the data file is damaged/)
    rmSync(`${file}-wal`)
    t.equal(await bookAfterStart(t, file), bookBefore)
  })
  await t.test('beside an older copy of the file', async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(DAY)
    await test.close()
    const older = join(dirname(test.file), 'older.db')
    copyFileSync(test.file, older)
    await test.restart()
    for (let day = 0; day < 30; day++) await test.playAll(DAY)
    await test.restart()
    await test.playAll(['dev buy 1 @ 3'])
    copyFileSync(`${test.file}-wal`, `${older}-wal`)
    await test.close()
    await refused(t, older, /the data file is damaged/)
  })
})

t.test('the file of another exchange is refused until the id beside it is deleted', async t => {
  const { file } = await crash(t, 0)
  const other = await crash(t, 0)
  rmSync(`${file}-wal`)
  copyFileSync(other.file, file)
  const idFile = file.replace('.db', '.id')
  await refused(t, file, /is of exchange .+, its directory of exchange .+ delete .+\.id/)
  rmSync(idFile)
  t.equal(await bookAfterStart(t, file), other.bookBefore)
  t.equal(readFileSync(idFile, 'latin1'), readFileSync(other.file.replace('.db', '.id'), 'latin1'))
})

t.test('a missing file is not replaced by an empty one until the id is deleted', async t => {
  const { file } = await crash(t, 0)
  rmSync(file)
  rmSync(`${file}-wal`, { force: true })
  await refused(t, file, /is missing or empty, but .+ Restore a backup; to begin a new exchange, delete/)
  t.notOk(existsSync(file))
  rmSync(file.replace('.db', '.id'))
  t.equal(await bookAfterStart(t, file), '- | -')
})

t.test('a backup of the exchange can replace its file', async t => {
  const { file, log, backup, bookBefore } = await crash(t)
  rmSync(log)
  copyFileSync(backup, file)
  t.equal(await bookAfterStart(t, file), bookBefore)
})

t.test(
  'the id beside the file is readable by its owner only, and is rewritten when torn or missing',
  async t => {
    const { file } = await crash(t, 0)
    const idFile = file.replace('.db', '.id')
    const id = readFileSync(idFile, 'latin1')
    t.match(id, /^[0-9a-f]{8}\n$/)
    for (const damage of [
      () => rmSync(idFile),
      () => truncateSync(idFile, 0),
      () => writeFileSync(idFile, '\0'.repeat(9)),
    ]) {
      damage()
      await bookAfterStart(t, file)
      t.equal(readFileSync(idFile, 'latin1'), id)
    }
    rmSync(idFile)
    await bookAfterStart(t, file)
    t.equal(statSync(idFile).mode & 0o777, 0o600)
  },
)

t.test('a file of an older version gets an id, even if its first start was interrupted', async t => {
  const { file } = await crash(t, 0)
  const idFile = file.replace('.db', '.id')
  rmSync(`${file}-wal`)
  rmSync(idFile)
  tamper(file, 'application_id = 0')
  const cutOff = join(dirname(file), 'cut-off.db')
  copyFileSync(file, cutOff)
  await bookAfterStart(t, file)
  t.match(readFileSync(idFile, 'latin1'), /^(?!00000000)[0-9a-f]{8}\n$/)

  copyFileSync(tamper(file, 'application_id = 305419896'), `${cutOff}-wal`)
  await bookAfterStart(t, cutOff)
  t.equal(readFileSync(cutOff.replace('.db', '.id'), 'latin1'), '12345678\n')
})

/** Changes the file after emptying its log. Returns a copy of the log with the change. */
function tamper(file: string, pragma: string): string {
  const database = openDatabase(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.pragma(pragma)
  const copy = join(dirname(file), 'copied-wal')
  copyFileSync(`${file}-wal`, copy)
  database.close()
  return copy
}
