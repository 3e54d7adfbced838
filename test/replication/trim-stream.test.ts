import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { JetLog } from '../../src/replication/jetstream/jet-log.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import type { OpenStream } from '../../src/replication/jetstream/open-stream.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import { StandbyMarking } from '../../src/replication/jetstream/standby-marking.js'
import type { StandbyMark, StandbyMarks } from '../../src/replication/jetstream/standby-marks.js'
import { openStandbyMarks } from '../../src/replication/jetstream/standby-marks.js'
import { extentOf, trimStream } from '../../src/replication/jetstream/trim-stream.js'
import type { JournalRow } from '../../src/store/journal.js'
import { BEGINNING } from '../../src/store/journal.js'
import { linesAfter } from '../fixtures/nats/lines.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'

const LINES = linesAfter(BEGINNING, 120)
const OWN = 'abcdef0123456789'
const KEEP_MS = 7 * 86_400_000
const hashOf = (sequence: number) => LINES[sequence - 1]?.hash
const backupOf = (sequence: number, hash = hashOf(sequence) ?? Buffer.alloc(32)) => ({
  sequence: sequence as Sequence,
  hash,
})

t.test('trimming a log', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t, 1)

  /** A log with a hundred lines; each came at the time that is its number. */
  const world = async (t: Test, name: string, lines: readonly JournalRow[] = LINES.slice(0, 100)) => {
    const open = () => {
      const place = { ...natsPlace(url), stream: name }
      return openStream({ place, name, mode: 'async', replicas: 1, warn: () => {} })
    }
    const stream = await open()
    const log = await JetLog.open(stream)
    t.teardown(() => log.close())
    await Promise.all(lines.map(line => log.append(line)))
    const marks = await openStandbyMarks(stream, KEEP_MS)
    const journal = { hashOf, lastBefore: (at: number) => Math.max(0, at - 1) as Sequence }
    /** Deletes what is older than a line; returns the first line that is left. */
    const trim = async (before: number, backups: ReturnType<typeof backupOf>[], more = {}) => {
      await trimStream({
        ...{ stream, log, marks, journal, backups, before, standbyId: OWN, holdsLease: () => true },
        ...more,
      })
      return first()
    }
    const first = async () => (await extentOf(stream, log)).from
    return { open, stream, log, marks, trim, first }
  }

  t.test('keeps what no verified backup has, what is new, and the last line of both', async t => {
    const { stream, log, trim, first } = await world(t, 'backups')
    const { bytes } = await extentOf(stream, log)
    for (const backups of [[], [backupOf(50, Buffer.alloc(32, 1))], [backupOf(110)]]) {
      await t.rejects(trim(90, backups), { message: /no verified backup .*--backup-to/ })
      t.equal(await first(), 1)
    }
    t.equal(await trim(1, []), 1, 'nothing is old enough, so nothing is wrong')
    t.equal(await trim(31, [backupOf(20), backupOf(60), backupOf(40)]), 31)
    t.equal(await trim(90, [backupOf(60), backupOf(110)]), 60)
    t.equal(await trim(90, [backupOf(60)]), 60, 'a second time it deletes nothing')
    t.equal(await trim(40, [backupOf(60)]), 60)
    t.ok((await extentOf(stream, log)).bytes < bytes / 2)
  })

  t.test('keeps the last line, which says where the log ends and who wrote it', async t => {
    const { open, log, trim } = await world(t, 'end')
    t.equal(await trim(1000, [backupOf(100)]), 100)
    log.writer = { exchange: '0123abcd', mode: 'sync' }
    await log.append(LINES[100] as JournalRow)
    t.equal(await trim(1000, [backupOf(101)]), 101)
    const again = await JetLog.open(await open())
    t.teardown(() => again.close())
    t.match(again, { first: 101, end: { sequence: 101 }, lastWriter: { exchange: '0123abcd', mode: 'sync' } })
    await again.append(LINES[101] as JournalRow)
  })

  t.test('a log that began in the middle of a journal', async t => {
    const { log, trim } = await world(t, 'middle', LINES.slice(40, 100))
    t.equal(await trim(61, [backupOf(80)]), 61)
    t.equal((await log.line(61 as Sequence))?.sequence, 61)
  })

  t.test('keeps what a standby needs that is alive', async t => {
    const { marks, trim, stream } = await world(t, 'standbys')
    const say = (id: string, sequence: number) => marks.say({ id, sequence: sequence as Sequence })
    await say('0000000000000001', 0)
    t.equal(await trim(90, [backupOf(80)]), 1, 'one that has nothing yet')
    await say('0000000000000001', 70)
    await say('0000000000000002', 30)
    t.equal(await trim(90, [backupOf(80)]), 30, 'the line that it ends with is there')
    await say('0000000000000002', 99)
    await say('0000000000000003', 29)
    t.equal(await trim(90, [backupOf(80)]), 30, 'the next line that it needs is there')
    await say('0000000000000003', 28)
    await say(OWN, 31)
    t.equal(await trim(90, [backupOf(80)]), 70, 'one that was behind already cannot follow')
    await marks.withdraw('0000000000000001')
    t.equal(await trim(90, [backupOf(80)]), 80)
    const kv = await stream.manager.streams.info('KV_standbys-standbys')
    t.match(kv.config, { storage: 'file', max_age: KEEP_MS * 1e6, discard: 'new' })
  })

  t.test('a mark that was not said again for long has lapsed', async t => {
    const { marks, trim, stream } = await world(t, 'lapsed')
    const { streams } = stream.manager
    await marks.say({ id: '0000000000000001', sequence: 30 as Sequence })
    t.equal(await trim(90, [backupOf(80)]), 30)
    const short = 100_000_000
    await streams.update('KV_lapsed-standbys', { max_age: short, duplicate_window: short })
    while ((await streams.info('KV_lapsed-standbys')).state.messages > 0) await new Promise(setImmediate)
    t.equal(await trim(90, [backupOf(80)]), 80)
    const { max_age } = (await streams.info('KV_lapsed-standbys')).config
    t.equal(max_age, KEEP_MS * 1e6, 'they lapse as the exchange that leads has it')
  })

  t.test('a mark that cannot be read, and more marks than there are standbys', async t => {
    const { marks, trim, stream, first } = await world(t, 'marks')
    stream.connection.publish('$KV.marks-standbys.0000000000000001', 'soon')
    await stream.connection.flush()
    t.same(await marks.read(), [{ id: '0000000000000001', sequence: 0 }])
    t.equal(await trim(90, [backupOf(80)]), 1)
    for (let id = 0; id < 1001; id++) stream.connection.publish(`$KV.marks-standbys.${id}`, '90')
    await stream.connection.flush()
    await t.rejects(trim(90, [backupOf(80)]), { message: /has marks of 100\d standbys/ })
    t.equal(await first(), 1)
  })

  t.test('deletes nothing unless it leads for sure, and the log is its own', async t => {
    const { trim, first, log, stream } = await world(t, 'sure')
    await t.rejects(trim(90, [backupOf(80)], { holdsLease: () => false }), { message: /lease/ })
    const journal = {
      hashOf: (sequence: number) => (sequence === 80 ? hashOf(80) : Buffer.alloc(32)),
      lastBefore: () => 70 as Sequence,
    }
    await t.rejects(trim(90, [backupOf(80)], { journal }), { message: /does not have batch 71 of this/ })
    t.equal(await first(), 1)
    await stream.manager.streams.delete('sure')
    const again = await world(t, 'sure', LINES.slice(0, 10))
    t.equal(log.end?.sequence, 100, 'it does not know yet')
    await t.rejects(trim(90, [backupOf(80)]), { message: /does not have batch 80/ })
    t.match((await stream.manager.streams.info('sure')).state, { first_seq: 1, last_seq: 10 })
    t.equal(await again.first(), 1)
  })

  t.test('killed behind a purge, it goes on the next time', async t => {
    const { trim, stream, first } = await world(t, 'killed')
    const { streams } = stream.manager
    const purge = async (...given: Parameters<typeof streams.purge>) => {
      await streams.purge(...given)
      throw new Error('timeout')
    }
    const info = streams.info.bind(streams)
    const getMessage = streams.getMessage.bind(streams)
    const lossy = { ...stream, manager: { streams: { info, getMessage, purge } } } as unknown as OpenStream
    await t.rejects(trim(41, [backupOf(80)], { stream: lossy }), { message: 'timeout' })
    t.equal(await first(), 41)
    t.equal(await trim(41, [backupOf(80)]), 41)
    t.equal(await trim(90, [backupOf(80)]), 80)
  })

  t.test('a stream that may not be purged is used, and not trimmed', async t => {
    const { stream } = await world(t, 'template')
    const { config } = await stream.manager.streams.info('template')
    t.equal(config.deny_purge, false)
    const subjects = ['raay.kept.journal']
    await stream.manager.streams.add({ ...config, name: 'kept', subjects, deny_purge: true })
    const { trim, first } = await world(t, 'kept')
    await t.rejects(trim(90, [backupOf(80)]), { message: /purge/ })
    t.equal(await first(), 1)
  })
})

t.test('a standby says how far it is, and takes that back once it leads', async t => {
  const said: (StandbyMark | string)[] = []
  let answer: () => void = () => undefined
  const marks: StandbyMarks = {
    say: mark => {
      said.push(mark)
      return new Promise(resolve => {
        answer = resolve
      })
    },
    withdraw: async id => void said.push(id),
    read: async () => [],
  }
  const marking = new StandbyMarking(
    { open: async () => marks, id: OWN, warn: () => t.fail('it is warned') },
    7 as Sequence,
  )
  while (said.length === 0) await new Promise(setImmediate)
  const ended = marking.end()
  t.same(said, [{ id: OWN, sequence: 7 }], 'not before what is under way')
  answer()
  await ended
  t.same(said.at(-1), OWN)
})

t.test('a standby that cannot say how far it is goes on, and tells why', async t => {
  const warnings: string[] = []
  const marking = new StandbyMarking(
    {
      open: async () => {
        throw new Error('no permission')
      },
      id: OWN,
      warn: message => warnings.push(message),
    },
    7 as Sequence,
  )
  await marking.said
  marking.stop()
  t.match(warnings, [/no permission/])
  await marking.end()
})
