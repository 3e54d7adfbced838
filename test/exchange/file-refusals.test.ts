import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import { readIdIn } from '../../src/store/files/exchange-id.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { readLog } from '../../src/store/files/log-frames.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { openToTamper } from '../fixtures/damaged-copy.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const DAY = ['asha buy 10 @ 5', 'ben sell 4 @ 5', 'cora buy 3 @ 5', 'ben sell 3 @ 6', 'asha sell 2 @ 6']
const FRAME_BYTES = 24 + 4096

/** The state after a crash: the files as last closed, and their logs still to be checkpointed into them. */
interface Crashed {
  readonly file: string
  readonly log: string
  readonly journal: string
  readonly journalLog: string
  /** The book with the logs, and without them. */
  readonly book: string
  readonly bookBefore: string
  /** A backup that was made after the files were closed. */
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
  const journal = journalPath(file)
  copyFileSync(test.file, file)
  copyFileSync(journalPath(test.file), journal)
  copyFileSync(test.file.replace('.db', '.id'), file.replace('.db', '.id'))
  await test.restart()
  const backup = test.crashImage(join(directory, `backup${images}.db`))
  for (let order = 0; order < orders; order++) await test.playAll([`dev buy ${order + 1} @ 3`])
  copyLogs(test.file, file)
  const book = test.book()
  await test.close()
  return { file, log: `${file}-wal`, journal, journalLog: `${journal}-wal`, book, bookBefore, backup }
}

function copyLogs(from: string, to: string): void {
  copyFileSync(`${from}-wal`, `${to}-wal`)
  copyFileSync(`${journalPath(from)}-wal`, `${journalPath(to)}-wal`)
}

function dropLogs({ log, journalLog }: Crashed): void {
  for (const path of [log, journalLog]) rmSync(path, { force: true })
}

/** Changes one bit of a frame of a log, counted from 0; returns the frame's offset. */
function flip(log: string, frame: number): number {
  const bytes = readFileSync(log)
  const offset = 32 + frame * FRAME_BYTES
  bytes[offset + 1000] = (bytes[offset + 1000] as number) ^ 4
  writeFileSync(log, bytes)
  return offset
}

/** Checks that a start is refused with this message, and leaves the files and their logs untouched. */
async function refusalOf(t: Test, file: string): Promise<string> {
  try {
    await TestExchange.open(t, { file })
    return 'it started'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function refused(t: Test, file: string, message: RegExp): Promise<void> {
  const paths = [file, journalPath(file)].flatMap(path => ['', '-wal'].map(end => path + end))
  // Reading a file without a log leaves an empty one.
  const bytes = () => paths.map(path => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)))
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
  t.same(wrong(verifyFile(file)), [])
  return book
}

t.test('a start after a crash uses both files and their logs', async t => {
  const { file, book, bookBefore } = await crash(t, 3)
  t.not(book, bookBefore)
  t.equal(await bookAfterStart(t, file), book)
})

t.test('the journal replaces whatever the log of the tables has lost', async t => {
  const head = Buffer.alloc(32)
  const losses: readonly (readonly [string, (log: string) => unknown])[] = [
    ['the whole log', log => rmSync(log)],
    ['its head', log => writeFileSync(log, Buffer.concat([head, readFileSync(log).subarray(32)]))],
    ['its first frame', log => flip(log, 0)],
    ['a frame in the middle', log => flip(log, 4)],
    ['its end', log => truncateSync(log, statSync(log).size - 100)],
  ]
  for (const [what, lose] of losses) {
    const { file, log, book } = await crash(t, 5)
    lose(log)
    t.equal(await bookAfterStart(t, file), book, what)
  }
})

t.test('a damaged log of the journal is refused until it is cut and a backup restored', async t => {
  const { file, log, journalLog, backup } = await crash(t, 5)
  const offset = flip(journalLog, 2)
  const words = `is damaged \\(frame 3 of \\d+\\).+Nothing was changed.+truncate -s ${offset} ${journalLog}`
  await refused(t, file, new RegExp(`${words}, and restore a backup as ${file}`))
  truncateSync(journalLog, offset)
  await refused(t, file, /not belong together \(the journal ends at batch \d+, the tables at batch \d+\)/)
  const { commits } = readLog(journalLog)
  const { sequence } = verifyFile(backup)
  rmSync(log)
  copyFileSync(backup, file)
  t.ok(await bookAfterStart(t, file))
  t.equal(verifyFile(file).sequence, sequence + commits)
})

t.test('a journal with a torn last batch is used without that batch', async t => {
  const { file, log, journalLog } = await crash(t, 1)
  const whole = await crash(t, 0)
  truncateSync(journalLog, statSync(journalLog).size - 100)
  rmSync(log)
  t.ok(await bookAfterStart(t, file))
  t.equal(await bookAfterStart(t, whole.file), whole.bookBefore)
})

t.test('the log of another exchange is refused until it is removed', async t => {
  for (const which of ['log', 'journalLog'] as const) {
    const crashed = await crash(t)
    const other = await crash(t)
    copyFileSync(other[which], crashed[which])
    const exchange = 'exchange [0-9a-f]{8}'
    const words = `-wal is of ${exchange}, image\\d+(\\.journal)?\\.db of ${exchange}\\. Nothing was`
    await refused(t, crashed.file, new RegExp(words))
    dropLogs(crashed)
    t.equal(await bookAfterStart(t, crashed.file), crashed.bookBefore)
  }
})

t.test('a log from another moment of the same exchange is refused', async t => {
  await t.test('that of the tables beside a backup', async t => {
    const { file, log, backup, book } = await crash(t, 3)
    copyFileSync(backup, file)
    await refused(t, file, new RegExp(`not that of image.+which is a backup.+rm -f ${log} `))
    rmSync(log)
    t.equal(await bookAfterStart(t, file), book, 'the journal completes the backup')
  })
  await t.test('that of the journal beside an older copy of it', async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(DAY)
    await test.close()
    const older = join(dirname(test.file), 'older.db')
    copyFileSync(test.file, older)
    copyFileSync(journalPath(test.file), journalPath(older))
    await test.restart()
    for (let day = 0; day < 30; day++) await test.playAll(DAY)
    await test.restart()
    await test.playAll(['dev buy 1 @ 3'])
    copyFileSync(`${journalPath(test.file)}-wal`, `${journalPath(older)}-wal`)
    await test.close()
    await refused(t, older, /the data file is damaged/)
  })
})

t.test('one of the two files alone is refused with advice', async t => {
  const crashed = await crash(t)
  const { file, journal, backup, book, bookBefore } = crashed
  dropLogs(crashed)
  renameSync(journal, `${journal}.away`)
  await refused(t, file, /there, but its journal .+ is missing\. Nothing was changed\. Put the journal back/)
  writeFileSync(journal, '')
  await refused(t, file, /is there, but its journal .+ is missing/)
  renameSync(`${journal}.away`, journal)
  rmSync(file)
  await refused(
    t,
    file,
    /missing or empty, but its journal .+ is there.+restore a backup as .+ delete .+\.id/,
  )
  copyFileSync(backup, file)
  t.equal(await bookAfterStart(t, file), bookBefore)
  t.not(book, bookBefore)
})

t.test('two files that do not belong together are refused', async t => {
  const one = await crash(t, 2)
  const other = await crash(t, 2)
  for (const crashed of [one, other]) dropLogs(crashed)
  const own = readFileSync(one.journal)
  copyFileSync(other.journal, one.journal)
  await refused(t, one.file, /journal\.db is of exchange .+ of exchange .+ Nothing was changed\. Put the two/)
  writeFileSync(one.journal, own)
  const changes: readonly (readonly [string, string, RegExp])[] = [
    [
      'rows beyond the mark',
      'UPDATE reached SET (sequence, hash) = (SELECT sequence, hash FROM journal WHERE sequence = 3)',
      /the tables mention batch \d+, but are marked as of batch 3/,
    ],
    [
      'a mark of another history',
      'UPDATE reached SET (sequence, hash) = (SELECT max(sequence), zeroblob(32) FROM journal)',
      /do not belong together \(batch \d+ of the journal is not the one that the tables include/,
    ],
  ]
  for (const [what, sql, says] of changes) {
    await t.test(what, async t => {
      const tables = openToTamper(one.file)
      tables.exec(sql)
      tables.close()
      await refused(t, one.file, says)
    })
  }
})

t.test('a backup is restored beside a journal that continues it, and beside no other', async t => {
  await t.test('a newer journal gives everything back', async t => {
    const { file, log, backup, book } = await crash(t, 4)
    rmSync(log)
    copyFileSync(backup, file)
    t.equal(await bookAfterStart(t, file), book)
  })
  await t.test('without the journal it is the moment of the backup', async t => {
    const crashed = await crash(t, 4)
    dropLogs(crashed)
    rmSync(crashed.journal)
    copyFileSync(crashed.backup, crashed.file)
    t.equal(await bookAfterStart(t, crashed.file), crashed.bookBefore)
  })
  await t.test('a log that a journal has left is refused, and never mixed into the backup', async t => {
    for (const isEmpty of [false, true]) {
      const { file, log, journal, journalLog, backup, bookBefore } = await crash(t, 4)
      rmSync(log)
      copyFileSync(backup, file)
      if (isEmpty) truncateSync(journal)
      else rmSync(journal)
      const says =
        /journal.db is missing or empty, but its write-ahead log .+, with commits.+move the log away/
      await refused(t, file, says)
      const advised = /mkdir (\S+) && mv (\S+)\* \S+$/.exec(await refusalOf(t, file)) ?? []
      t.equal(advised[2], journal)
      execFileSync('sh', ['-c', advised[0] ?? 'false'])
      t.notOk(existsSync(journalLog))
      t.equal(await bookAfterStart(t, file), bookBefore)
    }
  })
  await t.test('an older journal is refused until it is moved away', async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(DAY)
    await test.close()
    const journal = journalPath(test.file)
    const stale = readFileSync(journal)
    await test.restart()
    await test.playAll(DAY)
    const book = test.book()
    const backup = test.crashImage(join(dirname(test.file), 'backup.db'))
    await test.close()
    copyFileSync(backup, test.file)
    writeFileSync(journal, stale)
    const words = `ends at batch \\d+, and ${journal} does not continue it. Nothing was changed.+mv ${journal}\\* `
    await refused(t, test.file, new RegExp(words))
    rmSync(journal)
    t.equal(await bookAfterStart(t, test.file), book)
  })
  await t.test('a journal that went on differently is refused', async t => {
    const { file, log, backup } = await crash(t, 3)
    rmSync(log)
    const restored = await TestExchange.open(t, { file: backup })
    await restored.playAll(['eve buy 9 @ 2'])
    const later = restored.crashImage(`${backup}.later`)
    await restored.close()
    copyFileSync(later, file)
    await refused(t, file, /does not continue it/)
  })
  await t.test('a journal with a fault in what it adds is refused', async t => {
    const { file, log, journal, backup } = await crash(t, 4)
    rmSync(log)
    copyFileSync(backup, file)
    const database = openDatabase(journal)
    database.exec('DELETE FROM journal WHERE sequence = (SELECT max(sequence) - 1 FROM journal)')
    database.close()
    await refused(t, file, /batch \d+ of the journal is missing.+mv /)
  })
})

t.test('the file of another exchange is refused until the id beside it is deleted', async t => {
  const crashed = await crash(t, 0)
  const { file } = crashed
  const other = await crash(t, 0)
  dropLogs(crashed)
  copyFileSync(other.file, file)
  copyFileSync(other.journal, crashed.journal)
  const idFile = file.replace('.db', '.id')
  await refused(t, file, /is of exchange .+, its directory of exchange .+ delete .+\.id/)
  rmSync(idFile)
  t.equal(await bookAfterStart(t, file), other.bookBefore)
  t.equal(readFileSync(idFile, 'latin1'), readFileSync(other.file.replace('.db', '.id'), 'latin1'))
})

t.test('a missing file is not replaced by an empty one until the id is deleted', async t => {
  const crashed = await crash(t, 0)
  const { file } = crashed
  rmSync(file)
  dropLogs(crashed)
  rmSync(crashed.journal)
  await refused(t, file, /is missing or empty, but .+ Restore a backup; to begin a new exchange, delete/)
  t.notOk(existsSync(file))
  rmSync(file.replace('.db', '.id'))
  t.equal(await bookAfterStart(t, file), '- | -')
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
  const { backup } = await crash(t, 0)
  const file = join(dirname(backup), 'older.db')
  copyFileSync(backup, file)
  tamper(file, 'application_id = 0')
  const cutOff = join(dirname(file), 'cut-off.db')
  const again = join(dirname(file), 'again.db')
  for (const copy of [cutOff, again]) copyFileSync(file, copy)
  await bookAfterStart(t, file)
  const id = readFileSync(file.replace('.db', '.id'), 'latin1')
  t.match(id, /^(?!00000000)[0-9a-f]{8}\n$/)
  t.equal(`${readIdIn(journalPath(file))?.toString(16).padStart(8, '0')}\n`, id, 'the journal has it, too')

  copyFileSync(tamper(again, 'application_id = 305419896'), `${cutOff}-wal`)
  await bookAfterStart(t, cutOff)
  t.equal(readFileSync(cutOff.replace('.db', '.id'), 'latin1'), '12345678\n')
})

t.test('a single file with a damaged log is refused: older versions synced each commit', async t => {
  const { backup } = await crash(t, 0)
  const file = join(dirname(backup), 'older.db')
  copyFileSync(backup, file)
  const database = openToTamper(file)
  for (let held = 1; held < 6; held++) database.exec(`UPDATE accounts SET held = ${held} WHERE number = 1`)
  const copy = join(dirname(file), 'copy.db')
  for (const end of ['', '-wal']) copyFileSync(file + end, copy + end)
  database.close()
  const offset = flip(`${copy}-wal`, 1)
  await refused(t, copy, new RegExp(`is damaged \\(frame 2 of \\d+\\).+truncate -s ${offset} ${copy}-wal$`))
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
