import { jetstream } from '@nats-io/jetstream'
import type { KvEntry } from '@nats-io/kv'
import { Kvm } from '@nats-io/kv'
import type { Test } from 'tap'
import t from 'tap'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { connectTo } from '../../src/replication/jetstream/open-stream.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { pause } from '../fixtures/nats/replicated-load.js'
import { startRelay } from '../fixtures/nats/relay.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

const FAULT = 70
const MODE = ['--replication', 'async', '--replicate-replicas', '1']

/** A leader in `async` whose way to the log can be cut, and the log's own address. */
async function startLeader(t: Test) {
  const { servers } = await startNats(t, 1)
  const port = servers[0]?.port ?? 0
  const relay = await startRelay(t, port)
  const to = `nats://127.0.0.1:${relay.port}/orders`
  const leader = await spawnTestServer(t, { data: roomyDirectory(t), flags: ['--replicate-to', to, ...MODE] })
  const event = await leader.client.createEvent()
  return { log: `nats://127.0.0.1:${port}/orders`, relay, leader, event }
}

interface Replication {
  readonly through: number
  readonly batches_behind: number
  readonly failure: { readonly message: string } | null
}

async function replicationOf({ client }: SpawnedServer): Promise<Replication> {
  const { additional } = (await client.get('/admin/health')).body
  return (additional as { readonly replication: Replication }).replication
}

/** Waits until the leader has renewed its lease twice with a standby that waits for it: then it knows of it. */
async function rivalSeen(t: Test, log: string): Promise<void> {
  const connection = await connectTo({ place: natsPlace(log) })
  t.teardown(() => connection.close())
  const bucket = await new Kvm(jetstream(connection)).open('orders-lease')
  while ((await bucket.get('rival')) === null) await pause(20)
  const { revision } = (await bucket.get('leader')) as KvEntry
  let renewals = 0
  for (let last = revision; renewals < 2; ) {
    const now = (await bucket.get('leader'))?.revision ?? last
    if (now !== last) renewals++
    last = now
    await pause(20)
  }
}

const order = (event: string, client_order_id: string) => ({
  ...{ event_id: event, client_order_id, userid: 'asha', offer_type: 'buy', order_type: 'LO' },
  ...{ outcome: 'yes', l1_expected_price: 5, l1_order_quantity: 1 },
})

t.test(
  'a leader in async that is cut off answers nothing once a standby may lead',
  { skip: NO_NATS },
  async t => {
    const { log, relay, leader, event } = await startLeader(t)
    const standby = await spawnTestServer(t, {
      data: roomyDirectory(t),
      verb: 'standby',
      flags: ['--from', log, ...MODE],
    })
    const kept = await leader.client.post('/order/initiate', order(event, 'kept'))
    t.equal(kept.status, 201)
    while ((await replicationOf(leader)).batches_behind > 0) await pause(20)
    await rivalSeen(t, log)

    relay.cut()
    while (!/this exchange leads now/.test(standby.stderr())) await pause(20)
    const late = await leader.client.post('/order/initiate', order(event, 'late'))
    t.equal(late.status, 503)
    const halted = await leader.client.post(`/events/${event}/halt`, {})
    t.same([halted.status, halted.headers.get('raay-reason')], [503, 'not_leader'])
    t.equal((await leader.client.get(`/events/${event}`)).status, 200, 'reads go on')
    t.match((await replicationOf(leader)).failure?.message, /lease/)
    const again = await standby.client.post('/order/initiate', order(event, 'kept'))
    t.same(again.body, kept.body, 'what was answered is there')

    relay.heal()
    t.equal(await leader.ended, FAULT)
  },
)

t.test('a leader in async without a standby goes on while the log is away', { skip: NO_NATS }, async t => {
  const { relay, leader, event } = await startLeader(t)
  relay.cut()
  while ((await replicationOf(leader)).failure === null) await pause(20)
  t.equal((await leader.client.post('/order/initiate', order(event, 'alone'))).status, 201)
  while (!/the log takes no batches/.test(leader.stderr())) await pause(20)
  relay.heal()
  for (;;) {
    const { failure, batches_behind } = await replicationOf(leader)
    if (failure === null && batches_behind === 0) break
    await pause(20)
  }
  t.match(leader.stderr(), /the log takes batches again/)
  t.equal(await leader.kill('SIGTERM'), 0)
})
