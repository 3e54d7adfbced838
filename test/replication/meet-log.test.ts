import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { JetLog } from '../../src/replication/jetstream/jet-log.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import { LocalJournal } from '../../src/replication/local-journal.js'
import { meetLog } from '../../src/replication/meet-log.js'
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
  /** A journal and a log with these lines. */
  const world = async (t: Test, own: readonly JournalRow[], held: readonly JournalRow[]) => {
    const data = dataDirectory(t)
    const file = join(data, TABLES_FILE)
    prepareFile(file)
    const journal = new LocalJournal(file)
    t.teardown(() => journal.close())
    journal.add(own)
    const place = { ...natsPlace(url), stream: `s${++streams}` }
    const open = async () => {
      const log = await JetLog.open(
        await openStream({ place, name: '', mode: 'async', replicas: 1, warn: () => {} }),
      )
      t.teardown(() => log.close())
      return log
    }
    const writer = await open()
    for (const line of held) await writer.append(line)
    return { data, journal, log: await open() }
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

  t.test('a log of another exchange', async t => {
    const { log, journal } = await world(t, lines, linesAfter(BEGINNING, 20, 'another'))
    await t.rejects(meetLog(log, journal), { message: /no batch in common/ })
  })
})
