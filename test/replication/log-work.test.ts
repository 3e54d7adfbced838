import type { Test } from 'tap'
import t from 'tap'
import { listBackups } from '../../src/backup/backup-list.js'
import type { Sequence } from '../../src/core/units.js'
import type { LineStream } from '../../src/replication/jetstream/open-stream.js'
import { LeaseWatch } from '../../src/replication/lease-watch.js'
import { LogTrimming } from '../../src/replication/log-trimming.js'
import type { ReplicaNews, ReplicaOrder, TrimOrder } from '../../src/replication/replica-messages.js'
import { ReplicaWork } from '../../src/replication/replica-work.js'
import { BEGINNING } from '../../src/store/journal.js'
import { Dice } from '../fixtures/dice.js'
import { SimulatedDisk, SimulatedJournal } from '../fixtures/jetstream/simulated-exchange.js'
import { SimulatedJetStream } from '../fixtures/jetstream/simulated-jetstream.js'
import { MemoryStore } from '../fixtures/memory-store.js'
import { linesAfter } from '../fixtures/nats/lines.js'
import { putBackup } from '../fixtures/verified-backup.js'
import { VirtualProcess, VirtualTime } from '../fixtures/virtual-time.js'

const EXCHANGE = '0123abcd'
const LINES = linesAfter(BEGINNING, 20)
const AS_IS = (stream: LineStream) => stream

/** Servers that answer, and threads of exchanges that start to lead in `async`. */
function openWorld(t: Test) {
  const time = new VirtualTime()
  t.teardown(time.install())
  const jetstream = new SimulatedJetStream(time, new Dice(1))
  const pass = (ms: number) => time.until(time.now + ms)
  const starts: VirtualProcess[] = []
  t.teardown(() => {
    for (const process of starts) process.isDead = true
  })
  /** Starts one with the first lines of the journal on its disk. */
  const start = (name: string, lines: number, change = AS_IS) => {
    const own = new VirtualProcess(name)
    starts.push(own)
    const { stream, bucket, marks } = jetstream.connect(own)
    const disk = new SimulatedDisk(name)
    disk.rows = LINES.slice(0, lines)
    const news: ReplicaNews[] = []
    const work = new ReplicaWork({
      servers: {
        open: async () => change(stream),
        check: async () => undefined,
        lease: async () => bucket,
        marks: async () => marks,
      },
      ...{ mode: 'async', isStandby: false, watch: new LeaseWatch(), holder: name },
      openJournal: () => new SimulatedJournal(disk, () => undefined),
      mark: { read: () => undefined, write: () => true },
      ownId: () => EXCHANGE,
      standbyId: () => name,
      openReader: () => ({
        hashOf: sequence => disk.rows[sequence - 1]?.hash,
        lastBefore: at => (disk.rows.findLast(row => row.at < at) ?? BEGINNING).sequence,
        close: () => undefined,
      }),
      tell: item => news.push(item),
    })
    time.after(0, own, () => work.start())
    const obey = (order: ReplicaOrder) => time.after(0, own, () => void work.obey(order))
    return { own, news, obey, kinds: () => news.map(({ kind }) => kind) }
  }
  return { jetstream, time, pass, start }
}

const TRIM: ReplicaOrder = {
  kind: 'trim',
  backups: [{ sequence: 8 as Sequence, hash: LINES[7]?.hash ?? Buffer.alloc(0) }],
  before: Number.MAX_SAFE_INTEGER,
}

t.test('a start whose lease lapses before it has all lines ends, if another one has led since', async t => {
  const { jetstream, time, pass, start } = openWorld(t)
  const first = start('first', 10)
  await pass(1000)
  first.own.isDead = true
  await pass(3000)
  let read: () => void = () => undefined
  const mayRead = new Promise<void>(resolve => {
    read = resolve
  })
  const slow = start('slow', 0, stream => {
    const get = async (...given: Parameters<LineStream['client']['consumers']['get']>) => {
      await mayRead
      return stream.client.consumers.get(...given)
    }
    return { ...stream, client: { ...stream.client, consumers: { get } } as LineStream['client'] }
  })
  await pass(1000)
  slow.own.pausedUntil = time.now + 9000
  const next = start('next', 12)
  await pass(5000)
  t.same(next.kinds().includes('ready') && jetstream.lines.length, 12, 'another one leads, with more')
  next.own.isDead = true
  await pass(7000)
  t.match(slow.news.at(-1), { kind: 'failed', name: 'FencedError', message: 'another exchange leads now' })
  read()
  await pass(1000)
  t.notOk(slow.kinds().includes('ready'), 'it would answer orders behind fewer lines')
})

t.test('one that has given its lease up deletes nothing', async t => {
  for (const isReleased of [false, true]) {
    const { jetstream, pass, start } = openWorld(t)
    const one = start('one', 10)
    await pass(1000)
    if (isReleased) one.obey({ kind: 'release' })
    await pass(100)
    one.obey(TRIM)
    await pass(100)
    const failure = isReleased ? 'the lease of the log is in doubt' : undefined
    t.match(one.news.at(-1), { kind: 'trimmed', failure })
    t.equal(jetstream.first, isReleased ? 1 : 8)
  }
})

t.test('one that waits for the lease ends where its next line is deleted, and only there', async t => {
  const { jetstream, pass, start } = openWorld(t)
  const leader = start('leader', 10)
  await pass(1000)
  leader.obey(TRIM)
  await pass(100)
  t.equal(jetstream.first, 8)
  const [late, inTime] = [start('late', 6), start('in time', 7)]
  await pass(5000)
  t.match(late.news.at(-1), { kind: 'failed', name: 'TrimmedError', message: /no longer has batch 7,/ })
  t.same(inTime.kinds(), ['warning'])
})

t.test('backups of another exchange do not let a log be trimmed', async t => {
  const store = new MemoryStore()
  const end = (sequence: number) => ({
    sequence: sequence as Sequence,
    hash: LINES[sequence - 1]?.hash ?? Buffer.alloc(0),
  })
  putBackup(store, { exchange: EXCHANGE, end: end(5), number: 1 })
  putBackup(store, { exchange: 'ffff0000', end: end(9), number: 2 })
  const order = await new Promise<TrimOrder>(resolve => {
    const trim = async (order: TrimOrder) => {
      resolve(order)
      return { kept: undefined, failure: undefined }
    }
    const trimming = new LogTrimming({
      ...{ replica: { trim }, backups: () => listBackups(store), exchange: EXCHANGE },
      ...{ keepMs: 100, now: () => 1000, warn: () => undefined },
    })
    t.teardown(() => trimming.stop())
    trimming.start()
  })
  t.same(order, { backups: [end(5)], before: 900 }, 'one that went on from the same lines cannot follow it')
})
