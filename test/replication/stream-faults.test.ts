import { JetStreamApiError } from '@nats-io/jetstream'
import t from 'tap'
import type { StreamSettings } from '../../src/replication/jetstream/stream-faults.js'
import { serverSync, streamFaults, syncFault } from '../../src/replication/jetstream/stream-faults.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { oncePassed, openStream } from '../../src/replication/jetstream/open-stream.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'

const SUBJECT = 'raay.x.journal'
const SAFE: StreamSettings = {
  storage: 'file',
  retention: 'limits',
  discard: 'new',
  num_replicas: 3,
  max_age: 0,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  deny_delete: true,
  subjects: [SUBJECT],
}

t.test('each setting that could lose lines is refused', async t => {
  t.same(streamFaults(SAFE, SUBJECT, 'sync'), [])
  const unsafe: readonly (readonly [StreamSettings, RegExp])[] = [
    [{ storage: 'memory' }, /storage/],
    [{ retention: 'workqueue' }, /retention/],
    [{ discard: 'old' }, /discard to new/],
    [{ max_age: 3_600_000_000_000 }, /max age/],
    [{ max_msgs_per_subject: 1 }, /per subject/],
    [{ deny_delete: false }, /deny_delete/],
    [{ mirror: { name: 'y' } }, /mirrors/],
    [{ sources: [{ name: 'y' }] }, /sources/],
    [{ no_ack: true }, /no_ack/],
    [{ sealed: true }, /sealed/],
    [{ max_msg_size: 4096 }, /message size/],
    [{ subjects: [SUBJECT, 'other'] }, /only subject/],
    [{ num_replicas: 2 }, /2 replicas/],
  ]
  for (const [change, fault] of unsafe) {
    const faults = streamFaults({ ...SAFE, ...change }, SUBJECT, 'sync')
    t.equal(faults.length, 1, JSON.stringify(change))
    t.match(faults[0], fault)
  }
  t.same(streamFaults({ ...SAFE, num_replicas: 1 }, SUBJECT, 'async'), [], 'async may have one replica')
})

t.test('whether servers sync', async t => {
  const answer = (name: string, always: boolean | undefined) =>
    serverSync({ server: { name }, data: { config: { sync_always: always } } }) ?? t.fail('not read')
  t.equal(serverSync({ server: { name: 'n1' }, data: {} }), undefined, 'a server that keeps it to itself')
  t.equal(serverSync(undefined), undefined)
  const [synced, not] = [
    { name: 'n1', syncAlways: true },
    { name: 'n2', syncAlways: false },
  ]
  t.same(answer('n1', true), synced)
  t.same(answer('n2', undefined), not)
  const third = { name: 'n3', syncAlways: true }
  const other = { name: 'n4', syncAlways: true }
  const keepers = ['n1', 'n2', 'n3']
  t.equal(syncFault([synced, { ...not, syncAlways: true }, third], keepers), undefined)
  t.match(syncFault([synced, third], keepers), /2 of 3 servers answered .*not n2/)
  t.match(syncFault([synced, not, third], keepers), /^n2 acknowledge before the disk/)
  t.match(syncFault([synced, third, other], keepers), /not n2/, 'another server of the cluster is not asked')
  t.equal(syncFault([synced, third, not], ['n1', 'n3']), undefined, 'nor is what it does of interest')
})

t.test('with real servers', { skip: NO_NATS }, async t => {
  const accounts = `accounts { SYS: { users: [{ user: sys, password: s }] }
  APP: { jetstream: enabled, users: [{ user: app, password: a }] } }
system_account: SYS`
  const { url } = await startNats(t, 3, { more: accounts })
  const warnings: string[] = []
  const login = { kind: 'user', user: 'app', password: 'a' } as const
  const common = { place: natsPlace(`${url}/x`), name: 'unused', login }
  const open = (more: Partial<Parameters<typeof openStream>[0]>) =>
    openStream({ ...common, mode: 'sync', warn: message => warnings.push(message), ...more })

  await t.rejects(open({ login: { ...login, password: 'wrong' } }), /[Aa]uthorization/)
  await t.rejects(open({}), /set --replicate-system-login/)
  const systemLogin = { kind: 'user', user: 'sys', password: 's' } as const
  await t.rejects(open({ systemLogin: login }), /0 of 3 servers|does not work/, 'not the system account')
  // Debian's server has no such setting: it does not sync.
  await t.rejects(open({ systemLogin }), /acknowledge before the disk has it|0 of 3/)
  t.same(warnings, [])
  const { connection, info, name } = await open({ systemLogin, allowUnsynced: true })
  t.equal(name, 'x')
  t.match(info.config, SAFE)
  t.match(warnings, [/a power failure of all servers/])
  await connection.close()

  const { connection: other, manager } = await open({ mode: 'async', place: natsPlace(`${url}/loose`) })
  await manager.streams.update('loose', { max_age: 3_600_000_000_000 })
  await other.close()
  await t.rejects(
    open({ mode: 'async', place: natsPlace(`${url}/loose`) }),
    /loose cannot be used: it has a max age/,
  )
})

t.test('servers that have yet to meet are asked again, and those that refuse are not', async t => {
  const asked = (code: number, err_code: number) => {
    let times = 0
    const answer = oncePassed(async () => {
      times++
      if (times === 1) throw new JetStreamApiError({ code, err_code, description: '' })
      return 'well'
    })
    return answer.catch((error: JetStreamApiError) => `${error.code} after ${times}`)
  }
  const [noPeers, noLeader, noStream] = [
    [400, 10_005],
    [503, 10_008],
    [404, 10_059],
  ] as const
  t.equal(await asked(...noPeers), 'well')
  t.equal(await asked(...noLeader), 'well')
  t.equal(await asked(...noStream), '10059 after 1')
})
