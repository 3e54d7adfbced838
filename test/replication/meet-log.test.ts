import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { JetLog } from '../../src/replication/jetstream/jet-log.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import { LocalJournal } from '../../src/replication/local-journal.js'
import { joinLog, meetLog } from '../../src/replication/meet-log.js'
import { LogForkedError, LogLostError } from '../../src/replication/replication-error.js'
import { TABLES_FILE } from '../../src/store/files/journal-path.js'
import type { JournalRow } from '../../src/store/journal.js'
import { BEGINNING } from '../../src/store/journal.js'
import { linesAfter } from '../fixtures/nats/lines.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

t.test('a start beside a log', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t, 1)
  let streams = 0
  /** A journal, and a log with these lines that was trimmed before one of them. */
  const world = async (t: Test, own: readonly JournalRow[], held: readonly JournalRow[], first?: number) => {
    const data = dataDirectory(t)
    const file = join(data, TABLES_FILE)
    prepareFile(file)
    const journal = new LocalJournal(file)
    t.teardown(() => journal.close())
    journal.add(own)
    const place = { ...natsPlace(url), stream: `s${++streams}` }
    const open = async () => {
      const stream = await openStream({ place, name: '', mode: 'async', replicas: 1, warn: () => {} })
      const log = await JetLog.open(stream)
      t.teardown(() => log.close())
      return { log, trim: (seq: number) => stream.manager.streams.purge(stream.name, { seq }) }
    }
    const { log: writer, trim } = await open()
    for (const line of held) await writer.append(line)
    if (first !== undefined) await trim(first)
    return { data, journal, ...(await open()) }
  }
  const lines = linesAfter(BEGINNING, 20)
  const forked = [...lines.slice(0, 10), ...linesAfter(lines[9] as JournalRow, 5, 'other')]

  t.test('both are empty', async t => {
    const { log, journal } = await world(t, [], [])
    t.same(await meetLog(log, journal), { held: 0, pulled: 0, orphans: 0 })
  })

  t.test('the log is ahead', async t => {
    const { log, journal } = await world(t, lines.slice(0, 7), lines)
    t.same(await meetLog(log, journal, 7 as Sequence), { held: 20, pulled: 13, orphans: 0 })
    t.strictSame(journal.rows(1 as Sequence, 100), lines)
  })

  t.test('the log acknowledged a line that was never on this disk', async t => {
    const { log, journal } = await world(t, lines.slice(0, 7), lines)
    t.same(await meetLog(log, journal, 9 as Sequence), { held: 20, pulled: 13, orphans: 0 })
    t.strictSame(journal.rows(1 as Sequence, 100), lines)
  })

  t.test('the journal is ahead', async t => {
    const { log, journal } = await world(t, lines, lines.slice(0, 12))
    t.same(await meetLog(log, journal, 12 as Sequence), { held: 20, pulled: 0, orphans: 0 })
    t.equal(log.end?.sequence, 20)
    t.strictSame(await log.line(20 as Sequence), lines[19])
  })

  t.test('the log went on with other lines', async t => {
    const { data, log, journal } = await world(t, lines, forked)
    t.same(await meetLog(log, journal, 9 as Sequence), { held: 15, pulled: 5, orphans: 10 })
    t.strictSame(journal.rows(1 as Sequence, 100), forked)
    const [name = ''] = readdirSync(join(data, 'orphans'))
    const kept = readFileSync(join(data, 'orphans', name), 'utf8')
      .trim()
      .split('\n')
    t.same(
      kept.map(line => JSON.parse(line).commands),
      lines.slice(10).map(({ commands }) => commands),
      'and the lines of the journal are kept',
    )
  })

  t.test('the log went on before a line that it had acknowledged', async t => {
    const { log, journal } = await world(t, lines, forked)
    await t.rejects(meetLog(log, journal, 11 as Sequence), LogForkedError)
    t.equal(journal.end.sequence, 20, 'nothing is moved')
  })

  t.test('the log lacks a line that it had acknowledged', async t => {
    const { log, journal } = await world(t, lines, lines.slice(0, 12))
    await t.rejects(meetLog(log, journal, 13 as Sequence), LogLostError)
  })

  t.test('the log was trimmed, and still has the last line of the journal', async t => {
    const { log, journal } = await world(t, lines.slice(0, 12), lines, 12)
    t.same(await meetLog(log, journal, 10 as Sequence), { held: 20, pulled: 8, orphans: 0 })
    const ahead = await world(t, lines, lines.slice(0, 15), 15)
    t.same(await meetLog(ahead.log, ahead.journal, 15 as Sequence), { held: 20, pulled: 0, orphans: 0 })
  })

  t.test('the log was trimmed behind the last line of the journal', async t => {
    for (const [own, first] of [
      [0, 2],
      [10, 12],
      [5, 20],
    ] as const) {
      const { log, journal } = await world(t, lines.slice(0, own), lines, first)
      for (const meet of [meetLog, joinLog]) {
        await t.rejects(meet(log, journal), {
          name: 'TrimmedError',
          message: new RegExp(`no longer has batch ${own + 1}, .*raay backup restore latest`),
        })
      }
      t.equal(journal.end.sequence, own, 'nothing is taken, and nothing is moved')
    }
  })

  t.test('a trimmed log that goes on exactly where the journal ends', async t => {
    for (const meet of [meetLog, joinLog]) {
      const { log, journal } = await world(t, lines.slice(0, 11), lines, 12)
      t.same(await meet(log, journal), { held: 20, pulled: 9, orphans: 0 })
      t.strictSame(journal.rows(1 as Sequence, 100), lines)
      const other = await world(t, linesAfter(BEGINNING, 11, 'another'), lines, 12)
      await t.rejects(meet(other.log, other.journal), { message: /or they parted before batch 12/ })
      t.equal(other.journal.end.sequence, 11, 'nothing is taken')
    }
  })

  t.test('the log was trimmed while a start looks for the line where they parted', async t => {
    const { data, log, trim, journal } = await world(t, lines, forked)
    const line = log.line.bind(log)
    log.line = async sequence => {
      // Between the last line of both, and one in the middle.
      if (sequence < 15) await trim(13)
      return line(sequence)
    }
    await t.rejects(meetLog(log, journal, 5 as Sequence), { name: 'TrimmedError' })
    t.equal(journal.end.sequence, 20)
    t.notOk(existsSync(join(data, 'orphans')))
  })

  t.test('a trimmed log went on with other lines', async t => {
    const inside = await world(t, lines, forked, 9)
    t.same(await meetLog(inside.log, inside.journal, 9 as Sequence), { held: 15, pulled: 5, orphans: 10 })
    t.strictSame(inside.journal.rows(1 as Sequence, 100), forked)
    const before = await world(t, lines, forked, 12)
    await t.rejects(meetLog(before.log, before.journal), { message: /or they parted before batch 12/ })
    t.equal(before.journal.end.sequence, 20, 'nothing is moved')
  })

  t.test('a log of another exchange', async t => {
    const { log, journal } = await world(t, lines, linesAfter(BEGINNING, 20, 'another'))
    await t.rejects(meetLog(log, journal), { message: /no batch in common/ })
  })
})
