import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import type { Identity } from '../../src/backup/encryption/age-keys.js'
import { restorePast } from '../../src/backup/past/restore-past.js'
import type { StoreSettings } from '../../src/backup/stores/open-store.js'
import type { FoundReplica } from '../../src/replication/objects/fetch-replica.js'
import { openReplicaAt } from '../../src/replication/objects/fetch-replica.js'
import { objectFrom } from '../../src/replication/objects/journal-object.js'
import { readOperatorKey } from '../../src/access/operator-key.js'
import type { Config } from '../../src/server/config/config.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { rowsIn } from '../fixtures/restore/past-states.js'
import { runRaay } from '../fixtures/raay-command.js'
import { S3Server } from '../fixtures/s3/s3-server.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

interface Health {
  readonly backups: { readonly last_verified: { readonly name: string } | null }
  readonly sequence: number
  readonly replication: {
    readonly through: number | null
    readonly batches_behind: number | null
    readonly kept_from: number | null
    readonly kept_bytes: number | null
    readonly failure: { readonly message: string } | null
  } | null
}

const inDirectory = (directory: string): StoreSettings => ({ directory, s3: undefined, recipients: [] })

/** A server that is replicated to a place; `failed` resolves to the reason for which it must stop. */
async function started(
  t: Test,
  replica: StoreSettings | undefined,
  data = roomyDirectory(t),
  more: Partial<Config> = {},
) {
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<Error>(resolve => {
    fail = resolve
  })
  const config = {
    ...readConfig({ port: '0', shards: '2', 'rate-limits': 'off' }, {}),
    data,
    replica,
    ...more,
  }
  const server = await startServer({ config, version: '0.0.0-test', log: pino({ level: 'silent' }), fail })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  t.teardown(close)
  const client = new ServerClient(server.url, readOperatorKey(data))
  const health = async () => (await client.get('/admin/health')).body.additional as Health
  /** Waits until health is as wanted. */
  const until = async (isWanted: (found: Health) => boolean) => {
    for (;;) {
      const found = await health()
      if (isWanted(found)) return found
      await sleep(50)
    }
  }
  const isThrough = ({ sequence, replication }: Health) => replication?.through === sequence
  return { server, client, data, failed, close, health, until, isThrough }
}

async function trade(client: ServerClient, orders = 20): Promise<void> {
  const event = await client.createEvent()
  for (let count = 0; count < orders; count++) {
    const offer = { userid: count % 2 === 0 ? 'asha' : 'ben', price: 5 }
    await client.placeOrder(event, { ...offer, l1_order_quantity: 1, offer_type: count % 2 ? 'sell' : 'buy' })
  }
}

async function replicaAt(
  settings: StoreSettings,
  identities: readonly Identity[] = [],
): Promise<FoundReplica> {
  const replica = await openReplicaAt(settings, { identities, now: Date.now })
  if (replica === undefined) throw new Error('there is no replica')
  return replica
}

/** Restores a replica to a new directory; returns that. */
async function restored(
  t: Test,
  replica: FoundReplica,
  identities: readonly Identity[] = [],
  takesOver = false,
) {
  const directory = join(roomyDirectory(t), 'restored')
  const source = (folder: string) => replica.fetch({ folder, identities, takesOver })
  await restorePast({ source, point: 'end', directory, overwrite: false, now: Date.now }, () => undefined)
  return directory
}

t.test('a replica in a directory restores to the last batch, and follows a restart', async t => {
  const place = roomyDirectory(t)
  const first = await started(t, inDirectory(place))
  await trade(first.client)
  const { sequence } = await first.until(first.isThrough)
  t.ok(sequence > 20)
  const directory = await restored(t, await replicaAt(inDirectory(place)))
  await first.close()
  t.equal(rowsIn(join(directory, 'raay.db')), rowsIn(join(first.data, 'raay.db')))

  const second = await started(t, inDirectory(place), first.data)
  await trade(second.client, 3)
  await second.close()
  const objects = readdirSync(place).filter(name => objectFrom(name) !== undefined)
  t.ok(objects.length >= 2)
  t.equal(readdirSync(place).filter(name => /^raay-2.*\.json$/.test(name)).length, 1, 'one backup')
  t.notOk(
    readdirSync(place).some(name => /partial|probe/.test(name)),
    'nothing is left of the probes',
  )
  const again = join(roomyDirectory(t), 'restored')
  const argv = ['backup', 'restore', '--from', place, '--data', again]
  t.match(await runRaay(argv), { code: 0, stdout: /the last one there\.\n/ })
  t.equal(rowsIn(join(again, 'raay.db')), rowsIn(join(second.data, 'raay.db')))
  t.match(await runRaay(['backup', 'restore', '--to-sequence', '3', '--take-over', '--from', place]), {
    code: 2,
  })
})

t.test(
  'an encrypted replica in a bucket: the store fails at first, and restores with the key only',
  async t => {
    const s3 = await S3Server.start(t)
    const { identity, recipient } = await newKeys()
    const settings = {
      directory: undefined,
      s3: { place: s3.place('replica/'), credentials: s3.credentials },
      recipients: [recipient],
    }
    s3.misfortune = () => ({ status: 403, code: 'AccessDenied' })
    const running = await started(t, settings)
    t.match(await running.health(), { replication: { through: null, failure: { message: /AccessDenied/ } } })
    await trade(running.client)
    // Every second answer to a put of batches is lost.
    let puts = 0
    s3.misfortune = ({ method, key }) =>
      method === 'PUT' && objectFrom(key.slice('replica/'.length)) !== undefined && puts++ % 2 === 0
        ? 'reset afterwards'
        : undefined
    t.match(await running.until(running.isThrough), { replication: { failure: null, batches_behind: 0 } })
    await trade(running.client)
    await running.until(running.isThrough)
    t.ok(puts >= 2)
    const text = Buffer.concat([...s3.objects.values()]).toString('latin1')
    t.notMatch(text, /asha|SQLite format/)
    await t.rejects(restored(t, await replicaAt(settings)), { message: /--identity/ })
    const directory = await restored(t, await replicaAt(settings, [identity]), [identity])
    await running.close()
    t.equal(rowsIn(join(directory, 'raay.db')), rowsIn(join(running.data, 'raay.db')))
  },
)

t.test(
  'a take-over ends the exchange that wrote the replica though nobody trades, and it cannot be started again',
  async t => {
    const place = roomyDirectory(t)
    const old = await started(t, inDirectory(place))
    await trade(old.client)
    await old.until(old.isThrough)
    const replica = await replicaAt(inDirectory(place))
    const directory = await restored(t, replica, [], true)
    t.match(await old.failed, { message: /was taken over behind batch/ })
    await old.close()
    await t.rejects(started(t, inDirectory(place), old.data), { message: /was taken over/ })
    await t.rejects(restored(t, replica, [], true), { message: /was taken over already/ })
    t.ok(existsSync(await restored(t, replica)), 'it can still be restored')
    const next = await started(t, undefined, directory)
    await trade(next.client, 2)
  },
)

t.test('a trimmed replica restores to its end, and to any batch that its backup has', async t => {
  const place = roomyDirectory(t)
  const { backups } = readConfig({ 'backup-to': place, 'backup-every': '0' }, {})
  const trimming = { backups, replicaKeepMs: 0 }
  const first = await started(t, inDirectory(place), undefined, trimming)
  for (let count = 0; count < 3; count++) {
    await trade(first.client, 2)
    await first.until(first.isThrough)
  }
  const { name } = (await first.client.post('/admin/backup', {})).body.additional as { readonly name: string }
  await first.until(({ backups }) => backups.last_verified?.name === name)
  await trade(first.client, 2)
  await first.close()
  const objects = () => readdirSync(place).flatMap(name => objectFrom(name) ?? [])
  const all = objects().sort((one, other) => one - other)
  const second = await started(t, inDirectory(place), first.data, trimming)
  const { replication } = await second.until(({ replication }) => replication?.kept_from !== null)
  const from = replication?.kept_from ?? 0
  t.ok(from > (all[0] ?? 0), 'the first objects are deleted')
  t.equal(Math.min(...objects()), from)
  t.ok((replication?.kept_bytes ?? 0) > 0)
  await second.close()
  const directory = await restored(t, await replicaAt(inDirectory(place)))
  t.equal(rowsIn(join(directory, 'raay.db')), rowsIn(join(first.data, 'raay.db')))
  const argv = ['backup', 'restore', '--from', place, '--data', join(roomyDirectory(t), 'past')]
  t.match(await runRaay([...argv, '--to-sequence', '3']), { code: 0 })
  t.ok(from > 3, 'which no object has')
  t.match(await runRaay([...argv, '--to-sequence', '100000']), { code: 1 })
})

t.test('a disk that is not mounted ends no exchange, and gets no new copy in its place', async t => {
  const place = join(roomyDirectory(t), 'replica')
  const away = `${place}-away`
  mkdirSync(place)
  const { backups } = readConfig({ 'backup-to': `${place}/.`, 'backup-every': '0' }, {})
  const running = await started(t, inDirectory(place), undefined, { backups })
  await trade(running.client, 2)
  await running.until(running.isThrough)
  renameSync(place, away)
  const failing = await running.until(({ replication }) => replication?.failure !== null)
  t.match(failing.replication?.failure, { message: /is not there: mount its disk/ })
  await trade(running.client, 2)
  t.match(await running.client.post('/admin/backup', {}), {
    status: 500,
    body: { message: /mount its disk/ },
  })
  t.notOk(existsSync(place), 'nothing makes the directory again')
  mkdirSync(place)
  await running.until(({ replication }) =>
    / no longer has journal-/.test(replication?.failure?.message ?? ''),
  )
  rmSync(place, { recursive: true })
  renameSync(away, place)
  await running.until(at => running.isThrough(at) && at.replication?.failure === null)
  await running.close()

  renameSync(place, away)
  mkdirSync(place)
  await t.rejects(started(t, inDirectory(place), running.data), {
    message: /had the copy .* is empty: mount/,
  })
  t.same(readdirSync(place), [])
  rmdirSync(place)
  renameSync(away, place)
  const back = await started(t, inDirectory(place), running.data)
  await back.until(back.isThrough)
  await back.close()
  renameSync(place, away)
  mkdirSync(place)
  rmSync(join(running.data, 'raay.replicated'))
  const again = await started(t, inDirectory(place), running.data)
  await again.until(again.isThrough)
  t.ok(existsSync(await restored(t, await replicaAt(inDirectory(place)))), 'a new copy, as the message says')
})

t.test('refuses places that cannot be a replica of this exchange', async t => {
  const place = roomyDirectory(t)
  const one = await started(t, inDirectory(place))
  await trade(one.client, 2)
  await one.close()
  await t.rejects(started(t, inDirectory(place)), {
    message: /is a replica of exchange .+: name an empty place/,
  })
  await t.rejects(started(t, inDirectory(join(place, 'missing'))), {
    message: /is not there: mount its disk/,
  })
  const s3 = await S3Server.start(t)
  s3.ignoresConditions = true
  const bucket = { place: s3.place('replica/'), credentials: s3.credentials }
  const settings = { directory: undefined, s3: bucket, recipients: [] }
  await t.rejects(started(t, settings), { message: /ignores If-None-Match/ })
  t.same([...s3.objects.keys()], [], 'the probe is deleted')
  const empty = join(place, 'empty')
  mkdirSync(empty)
  t.equal(await openReplicaAt(inDirectory(empty), { identities: [], now: Date.now }), undefined)
})

t.test(
  'a start puts what was decided without the replica; a copy that goes another way is refused',
  async t => {
    const place = roomyDirectory(t)
    const first = await started(t, inDirectory(place))
    await trade(first.client, 4)
    await first.close()
    const copy = join(roomyDirectory(t), 'copy')
    cpSync(first.data, copy, { recursive: true })
    const alone = await started(t, undefined, first.data)
    await trade(alone.client, 2)
    t.equal((await alone.health()).replication, null)
    await alone.close()
    const back = await started(t, inDirectory(place), first.data)
    const { sequence } = await back.until(back.isThrough)
    await back.close()
    await t.rejects(started(t, inDirectory(place), copy), { message: /which this exchange does not have/ })
    const other = await started(t, undefined, copy)
    await trade(other.client, 6)
    t.ok((await other.health()).sequence > sequence)
    await other.close()
    await t.rejects(started(t, inDirectory(place), copy), { message: /and this exchange has another one/ })
  },
)

t.test('the setting names a place that answers do not wait for', t => {
  const replicaOf = (to: string, more: Record<string, string> = {}) =>
    readConfig({ 'replicate-to': to, ...more }, {}).replica
  t.match(replicaOf('/srv/replica'), { directory: '/srv/replica', s3: undefined })
  t.match(replicaOf('/srv/replica', { replication: 'async' }), { directory: '/srv/replica' })
  t.equal(replicaOf('nats://one,two,three'), undefined)
  t.throws(() => replicaOf('/srv/replica', { replication: 'sync' }), {
    message: /cannot wait for \/srv\/replica/,
  })
  t.throws(() => replicaOf('https://store.example'), {
    message: /give nats:\/\/host1,host2,host3, a directory/,
  })
  t.throws(() => replicaOf('s3://bucket/replica'), { message: /also needs --backup-s3-endpoint/ })
  t.throws(() => replicaOf('/srv/replica', { demo: 'yes' }), { message: /a demo is not replicated/ })
  t.end()
})
