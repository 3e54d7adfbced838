import { join } from 'node:path'
import t from 'tap'
import { openReadOnly } from '../../src/store/database.js'
import { journalPath, TABLES_FILE } from '../../src/store/files/journal-path.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { pause, ReplicatedLoad, spawnReplicated } from '../fixtures/nats/replicated-load.js'

const FAULT = 70

t.test('an exchange with three servers of NATS', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 3)
  const first = await spawnReplicated(t, cluster)
  const event = await first.client.createEvent()
  const load = new ReplicatedLoad(first.url, event)

  // Its machine is lost under load, and another takes all from the log.
  load.start()
  await load.answers(60)
  await first.kill('SIGKILL')
  const second = await spawnReplicated(t, cluster)
  load.moveTo(second.url)
  await load.answers(60)
  await load.stop()
  t.same(await load.check(), [], 'every answered order is there once')
  t.equal(await second.kill('SIGTERM'), 0)
  const end = endOf(second.data)
  t.ok(end.sequence > endOf(first.data).sequence)

  // The first one comes back, and takes what it lacks.
  const older = await spawnReplicated(t, cluster, first.data)
  t.match(older.stderr(), /took \d+ batches that the log had more/)
  t.strictSame(endOf(first.data), end, 'the same chain')

  // Paused, it is replaced, and ends once it goes on.
  process.kill(older.pid, 'SIGSTOP')
  const newer = await spawnReplicated(t, cluster)
  load.moveTo(newer.url)
  load.start()
  await load.answers(30)
  await load.stop()
  process.kill(older.pid, 'SIGCONT')
  const late = await older.client.placeOrder(event, { client_order_id: 'late' }).catch(String)
  t.match(late, /fetch failed/, 'its order is never answered')
  t.equal(await older.ended, FAULT)
  t.match(older.stderr(), /leads now|another exchange wrote batch \d+ to the log/)
  t.same(await load.check(), [])

  // Without a quorum nothing is answered, and a stop does not wait for ever.
  const [one, two] = cluster.servers
  await Promise.all([one?.signal('SIGKILL'), two?.signal('SIGKILL')])
  const { sequence } = endOf(newer.data)
  const named = { client_order_id: 'without a quorum' }
  const order = newer.client.placeOrder(event, named).catch(String)
  while (endOf(newer.data).sequence === sequence) await pause(20)
  t.equal(await newer.kill('SIGTERM'), FAULT)
  t.match(await order, /fetch failed/)
  await Promise.all([one?.start(), two?.start()])
  const back = await spawnReplicated(t, cluster, newer.data)
  load.moveTo(back.url)
  t.same(await load.check(), [])
  t.ok(await back.client.placeOrder(event, named), 'the batch that was synced here is published')
})

/** Returns the last line of a journal. */
function endOf(data: string): { readonly sequence: number; readonly hash: Buffer } {
  const database = openReadOnly(journalPath(join(data, TABLES_FILE)))
  const end = database
    .prepare<[], { readonly sequence: number; readonly hash: Buffer }>(
      'SELECT sequence, hash FROM journal ORDER BY sequence DESC LIMIT 1',
    )
    .get()
  database.close()
  return end ?? { sequence: 0, hash: Buffer.alloc(0) }
}
