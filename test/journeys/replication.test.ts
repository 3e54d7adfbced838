import { readdirSync } from 'node:fs'
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

  await t.test('its machine is lost under load, and another takes all from the log', async t => {
    load.start()
    await load.answers(60)
    await first.kill('SIGKILL')
    const second = await spawnReplicated(t, cluster)
    load.moveTo(second.url)
    await load.answers(60)
    await load.stop()
    t.same(await load.check(), [], 'every answered order is there once')
    t.equal(await second.kill('SIGTERM'), 0)
    t.same(endOf(second.data).sequence > endOf(first.data).sequence, true)

    await t.test('the first one comes back and takes what it lacks', async t => {
      const again = await spawnReplicated(t, cluster, first.data)
      t.match(again.stderr(), /took \d+ batches that the log had more/)
      t.equal(await again.kill('SIGTERM'), 0)
      t.strictSame(endOf(first.data), endOf(second.data), 'the same chain')
    })
  })

  await t.test('of two that run at once, only one answers', async t => {
    const older = await spawnReplicated(t, cluster, first.data)
    const newer = await spawnReplicated(t, cluster)
    const before = load.answered.size
    load.moveTo(newer.url)
    load.start()
    await load.answers(30)
    await load.stop()
    const refused = await older.client.placeOrder(event, { client_order_id: 'of the older' }).catch(String)
    t.match(refused, /fetch failed/, 'the order of the older one is never answered')
    t.equal(await older.ended, FAULT)
    t.match(older.stderr(), /another exchange wrote batch \d+ to the log|was stored as message/)
    t.same(await load.check(), [])
    t.ok(load.answered.size >= before + 30)

    // Its last line was answered to no one; the log went on without it.
    const healed = await spawnReplicated(t, cluster, first.data)
    t.match(healed.stderr(), /moved \d+ batches that the log lacks to orphans/)
    t.equal(readdirSync(join(first.data, 'orphans')).length, 1)
    await healed.kill('SIGKILL')
    await newer.kill('SIGTERM')
    t.strictSame(endOf(first.data), endOf(newer.data), 'the same chain')
  })

  await t.test('without a quorum nothing is answered, and a stop does not wait for ever', async t => {
    const server = await spawnReplicated(t, cluster)
    load.moveTo(server.url)
    const [one, two] = cluster.servers
    await Promise.all([one?.signal('SIGKILL'), two?.signal('SIGKILL')])
    const { sequence: end } = endOf(server.data)
    const before = load.answered.size
    const order = server.client.placeOrder(event, { client_order_id: 'without a quorum' }).catch(String)
    while (endOf(server.data).sequence === end) await pause(20)
    t.equal(await server.kill('SIGTERM'), FAULT)
    t.match(await order, /fetch failed/)
    t.equal(load.answered.size, before)
    await Promise.all([one?.start(), two?.start()])
    const back = await spawnReplicated(t, cluster, server.data)
    load.moveTo(back.url)
    t.same(await load.check(), [])
    const id = await back.client.placeOrder(event, { client_order_id: 'without a quorum' })
    t.ok(id, 'the batch that was synced here is published')
  })
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
