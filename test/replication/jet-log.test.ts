import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { JetLog } from '../../src/replication/jetstream/jet-log.js'
import type { NatsLogin } from '../../src/replication/jetstream/nats-place.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { connectTo, openStream } from '../../src/replication/jetstream/open-stream.js'
import { FencedError, LogLostError, TrimmedError } from '../../src/replication/replication-error.js'
import type { JournalRow } from '../../src/store/journal.js'
import { BEGINNING } from '../../src/store/journal.js'
import { linesAfter } from '../fixtures/nats/lines.js'
import type { NatsCluster } from '../fixtures/nats/nats-servers.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'

t.test('one server', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 1)

  t.test('lines are held in order, and read back as they were', async t => {
    const log = await openLog(t, cluster, 'order')
    t.equal(log.end, undefined)
    const lines = linesAfter(BEGINNING, 50)
    await Promise.all(lines.map(line => log.append(line)))
    t.equal(log.pendingCount, 0)
    const again = await openLog(t, cluster, 'order')
    t.match(again.end, { sequence: 50, hash: lines[49]?.hash })
    t.strictSame(await firstOf(again, 1, 50), lines)
    t.strictSame(await firstOf(again, 31, 5), lines.slice(30, 35))
    t.equal(await again.line(51 as Sequence), undefined)
  })

  t.test('a line that is longer than the servers take', async t => {
    const log = await openLog(t, cluster, 'long')
    const [line] = linesAfter(BEGINNING, 1)
    if (line === undefined) throw new Error('no line')
    const long = { ...line, commands: 'ल'.repeat(350_000) }
    await t.rejects(log.append(long), {
      message: /^batch 1 has 1050512 bytes, and .* max_payload is 1048576: raise it/,
    })
    await t.rejects(log.append(line), { message: /max_payload/ }, 'nothing goes on behind it')
  })

  t.test('a journal that began before its log', async t => {
    const all = linesAfter(BEGINNING, 20)
    const log = await openLog(t, cluster, 'offset')
    for (const line of all.slice(7, 12)) await log.append(line)
    const again = await openLog(t, cluster, 'offset')
    t.equal(again.end?.sequence, 12)
    t.equal(await again.line(7 as Sequence), undefined)
    t.strictSame(await again.line(8 as Sequence), all[7])
    await Promise.all(all.slice(12).map(line => again.append(line)))
    t.strictSame(await firstOf(again, 8, 13), all.slice(7))
  })

  t.test('of two leaders one is fenced, whichever lines it had under way', async t => {
    const shared = linesAfter(BEGINNING, 5)
    const first = await openLog(t, cluster, 'fence')
    await Promise.all(shared.map(line => first.append(line)))
    const second = await openLog(t, cluster, 'fence')
    const [mine, other] = ['first', 'second'].map(name => linesAfter(shared[4] as JournalRow, 8, name))
    await Promise.all((other ?? []).map(line => second.append(line)))
    const late = await Promise.allSettled((mine ?? []).map(line => first.append(line)))
    t.ok(late.every(({ status }) => status === 'rejected'))
    await t.rejects(first.append((mine ?? [])[7] as JournalRow), FencedError, 'for ever')
    t.strictSame(await firstOf(second, 1, 13), [...shared, ...(other ?? [])])
  })

  t.test('of two leaders one is fenced whose lines would follow only by their numbers', async t => {
    for (const count of [1, 2, 5]) {
      const name = `numbers${count}`
      const shared = linesAfter(BEGINNING, 5)
      const first = await openLog(t, cluster, name)
      await Promise.all(shared.map(line => first.append(line)))
      const second = await openLog(t, cluster, name)
      const other = linesAfter(shared[4] as JournalRow, count, 'second')
      for (const line of other) await second.append(line)
      const mine = linesAfter(shared[4] as JournalRow, 8, 'first')
      const late = await Promise.allSettled(mine.map(line => first.append(line)))
      t.ok(late.every(({ status }) => status === 'rejected'))
      const again = await openLog(t, cluster, name)
      t.equal(again.end?.sequence, 5 + count, 'the log ends with the other one')
      t.strictSame(await firstOf(again, 1, 5 + count), [...shared, ...other])
    }
  })

  t.test('a line that is there already was an attempt of my own', async t => {
    const lines = linesAfter(BEGINNING, 6)
    const before = await openLog(t, cluster, 'retry')
    const log = await openLog(t, cluster, 'retry')
    await Promise.all(lines.slice(0, 4).map(line => before.append(line)))
    await Promise.all(lines.map(line => log.append(line)))
    t.strictSame(await firstOf(log, 1, 6), lines)
  })

  t.test('a log that has lost what it acknowledged', async t => {
    const log = await openLog(t, cluster, 'lost')
    const lines = linesAfter(BEGINNING, 4)
    for (const line of lines.slice(0, 3)) await log.append(line)
    const client = await connectTo({ place: natsPlace(cluster.url) })
    await client.request('$JS.API.STREAM.DELETE.lost')
    await client.close()
    await openLog(t, cluster, 'lost')
    await t.rejects(log.append(lines[3] as JournalRow), LogLostError)
  })

  t.test('a log whose first lines are gone is not read from a later one', async t => {
    const lines = linesAfter(BEGINNING, 30)
    const log = await openLog(t, cluster, 'trimmed')
    await Promise.all(lines.map(line => log.append(line)))
    const { manager, connection } = await streamOf(cluster, 'trimmed')
    await manager.streams.purge('trimmed', { seq: 21 })
    await connection.close()
    const again = await openLog(t, cluster, 'trimmed')
    t.same([again.first, again.end?.sequence], [21, 30])
    t.strictSame(await firstOf(again, 21, 10), lines.slice(20))
    t.equal(await again.line(20 as Sequence), undefined)
    for (const from of [1, 20]) {
      await t.rejects(firstOf(again, from, 1), TrimmedError)
      await t.rejects(firstOf(log, from, 1), {
        message: new RegExp(`no longer has batch ${from}, .*restore`),
      })
    }
  })

  t.test('a log that began in the middle of a journal, and is read from before that', async t => {
    const log = await openLog(t, cluster, 'middle')
    for (const line of linesAfter(BEGINNING, 12).slice(7)) await log.append(line)
    const again = await openLog(t, cluster, 'middle')
    t.equal(again.first, 8)
    await t.rejects(firstOf(again, 1, 1), TrimmedError)
  })

  t.test('a leader that slept is fenced, also where its place in the log is gone', async t => {
    const shared = linesAfter(BEGINNING, 5)
    const sleeper = await openLog(t, cluster, 'slept')
    for (const line of shared) await sleeper.append(line)
    const other = await openLog(t, cluster, 'slept')
    for (const line of linesAfter(shared[4] as JournalRow, 10, 'other')) await other.append(line)
    const { manager, connection } = await streamOf(cluster, 'slept')
    await manager.streams.purge('slept', { seq: 12 })
    await connection.close()
    const [mine] = linesAfter(shared[4] as JournalRow, 1, 'mine')
    await t.rejects(sleeper.append(mine as JournalRow), FencedError)
    t.notOk(await sleeper.isOwn())
  })

  t.test('a stream that takes nothing says why, and that it does again', async t => {
    const log = await openLog(t, cluster, 'full')
    const told = trouble(log)
    const { manager, connection } = await streamOf(cluster, 'full')
    const [first, second] = linesAfter(BEGINNING, 2) as [JournalRow, JournalRow]
    await log.append(first)
    await manager.streams.update('full', { max_msgs: 1 })
    const appending = log.append(second)
    t.match(await told.next(), /maximum messages exceeded/)
    await manager.streams.update('full', { max_msgs: -1 })
    t.equal(await told.next(), undefined)
    await appending
    await connection.close()
  })

  t.test('a stream that was deleted', async t => {
    const log = await openLog(t, cluster, 'deleted')
    const told = trouble(log)
    const { connection } = await streamOf(cluster, 'deleted')
    await connection.request('$JS.API.STREAM.DELETE.deleted')
    await connection.close()
    log.append(linesAfter(BEGINNING, 1)[0] as JournalRow).catch(() => undefined)
    t.match(await told.next(), /stream not found/)
  })

  t.test('a message of a stranger', async t => {
    await openLog(t, cluster, 'strange')
    const client = await connectTo({ place: natsPlace(cluster.url) })
    await client.request('raay.strange.journal', 'hello')
    await client.close()
    await t.rejects(openLog(t, cluster, 'strange'), { message: /has no Raay-/ })
  })

  t.test('the server is killed with lines under way', async t => {
    const log = await openLog(t, cluster, 'killed')
    const lines = linesAfter(BEGINNING, 300)
    const reading = firstOf(log, 1, 300)
    const appending = Promise.all(lines.map(line => log.append(line)))
    await cluster.servers[0]?.signal('SIGKILL')
    await cluster.servers[0]?.start()
    await appending
    t.strictSame(await reading, lines)
  })
})

t.test('a login that may not publish', { skip: NO_NATS }, async t => {
  const more = `authorization { users: [{ user: app, password: a,
    permissions: { publish: { deny: "raay.locked.journal" } } }] }`
  const cluster = await startNats(t, 1, { more })
  const log = await openLog(t, cluster, 'locked', { kind: 'user', user: 'app', password: 'a' })
  const told = trouble(log)
  log.append(linesAfter(BEGINNING, 1)[0] as JournalRow).catch(() => undefined)
  t.match(await told.next(), /Permissions Violation for Publish to "raay.locked.journal"/i)
})

/** Returns what tells one after the other why a log takes nothing, and that it does again. */
function trouble(log: JetLog) {
  const reasons: (string | undefined)[] = []
  let more: () => void = () => {}
  log.onTrouble(reason => {
    reasons.push(reason)
    more()
  })
  const next = async () => {
    while (reasons.length === 0) {
      await new Promise<void>(resolve => {
        more = resolve
      })
    }
    const [reason] = reasons
    while (reasons.length > 0 && reasons[0] === reason) reasons.shift()
    return reason
  }
  return { next }
}

async function streamOf(cluster: NatsCluster, name: string, login?: NatsLogin) {
  const place = { ...natsPlace(cluster.url), stream: name }
  const replicas = cluster.servers.length
  return openStream({ place, name, mode: 'async', replicas, login, warn: () => {} })
}

async function openLog(t: Test, cluster: NatsCluster, name: string, login?: NatsLogin): Promise<JetLog> {
  const log = await JetLog.open(await streamOf(cluster, name, login))
  t.teardown(() => log.close())
  return log
}

/** Reads a number of lines from a sequence on. */
async function firstOf(log: JetLog, from: number, count: number): Promise<JournalRow[]> {
  const rows: JournalRow[] = []
  for await (const row of log.read(from as Sequence)) {
    rows.push(row)
    if (rows.length === count) break
  }
  return rows
}
