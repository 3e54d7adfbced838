import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { S3Server } from '../fixtures/s3/s3-server.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

const KEYS = await newKeys()

/** A place for a replica, by its settings. */
interface Place {
  readonly settings: Readonly<Record<string, string>>
  /** Returns the names of the files there. */
  readonly names: () => readonly string[]
}

function directoryAt(path: string): Place {
  return { settings: { 'replicate-to': path }, names: () => readdirSync(path) }
}

async function openBucket(t: Test): Promise<Place & { readonly s3: S3Server }> {
  const s3 = await S3Server.start(t)
  const { endpoint, region, bucket } = s3.place()
  // A setting has no spaces.
  const { keyId, secret } = Object.assign(s3.credentials, { secret: 'a-secret/with+signs' })
  const settings = {
    'replicate-to': `s3://${bucket}/replica`,
    ...{ 'backup-s3-endpoint': endpoint, 'backup-s3-region': region },
    ...{ 'backup-s3-key-id': keyId, 'backup-s3-secret': secret },
  }
  return { settings, names: () => [...s3.objects.keys()].map(key => key.slice('replica/'.length)), s3 }
}

/** A server beside an encrypted replica, which leads or follows; `failed` resolves to why it must stop. */
async function started(t: Test, { settings: texts }: Place, follows: boolean, data = roomyDirectory(t)) {
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<Error>(resolve => {
    fail = resolve
  })
  const usual = { port: '0', shards: '2', 'rate-limits': 'off', 'backup-recipient': KEYS.recipient }
  const config = { ...readConfig({ ...usual, ...texts }, {}), data }
  const log = pino({ level: 'silent' })
  const standby = follows ? { standby: { identities: [KEYS.identity] } } : {}
  const server = await startServer({ config, version: '0.0.0-test', log, fail, ...standby })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  t.teardown(close)
  const client = new ServerClient(server.url, readOperatorKey(data))
  const { exchange } = server
  return { server, client, exchange, data, failed, close }
}

type Running = Awaited<ReturnType<typeof started>>

async function trade({ client }: Running, event: string, orders: number): Promise<void> {
  for (let count = 0; count < orders; count++) {
    const offer = { userid: count % 2 === 0 ? 'asha' : 'ben', price: 5, l1_order_quantity: 1 }
    await client.placeOrder(event, { ...offer, offer_type: 'buy', outcome: count % 2 ? 'yes' : 'no' })
  }
}

/** Waits until a standby has all batches of another exchange. */
async function caughtUp({ exchange }: Running, leader: Running): Promise<void> {
  while (exchange.sequence < leader.exchange.sequence) await sleep(20)
}

const promote = ({ client }: Running) => client.post('/admin/promote', {})

for (const kind of ['directory', 'bucket']) {
  t.test(`a standby of an encrypted ${kind} follows, refuses writes, and leads once promoted`, async t => {
    const place = kind === 'directory' ? directoryAt(roomyDirectory(t)) : await openBucket(t)
    const leader = await started(t, place, false)
    const event = await leader.client.createEvent()
    await trade(leader, event, 10)
    while (!place.names().includes('raay-replica.json')) await sleep(20)
    const standby = await started(t, place, true)
    t.notOk(standby.exchange.leads)
    await trade(leader, event, 4)
    await caughtUp(standby, leader)
    const bookOf = async ({ client }: Running) =>
      (await client.get(`/events/${event}/orderbook`)).body.additional
    t.same(await bookOf(standby), await bookOf(leader))
    t.equal((await standby.client.post(`/events/${event}/halt`, {})).status, 503)

    t.match(await promote(standby), {
      status: 200,
      body: { additional: { sequence: standby.exchange.sequence } },
    })
    t.ok(standby.exchange.leads)
    await trade(standby, event, 2)
    t.match(await promote(standby), { status: 200 }, 'it leads already')
    if (kind === 'directory') await trade(leader, event, 2)
    t.match((await leader.failed).message, /which this exchange does not have|has another one/)
    await leader.close()
    const { sequence } = standby.exchange
    await standby.close()

    // The old leader comes back as a standby: what the replica went on without is set aside.
    const again = await started(t, place, false, standby.data)
    t.equal(again.exchange.sequence, sequence, 'the one that took over starts again to lead')
    const old = await started(t, place, true, leader.data)
    await caughtUp(old, again)
    const isOrphaned = readdirSync(leader.data).some(name => name.startsWith('replaced-'))
    t.equal(isOrphaned, kind === 'directory', 'of an idle leader nothing is set aside')
    if (isOrphaned) t.equal(readdirSync(join(leader.data, 'orphans')).length, 1)
    t.same(await bookOf(old), await bookOf(again))
  })
}

t.test('a standby of a bucket follows while answers are lost, and hears when it is back', async t => {
  const { s3, ...place } = await openBucket(t)
  const leader = await started(t, place, false)
  const event = await leader.client.createEvent()
  while (!place.names().includes('raay-replica.json')) await sleep(20)
  const standby = await started(t, place, true)
  let requests = 0
  s3.misfortune = ({ method }) => {
    requests++
    if (requests % 5 === 0) return 'reset'
    if (requests % 7 === 0) return method === 'PUT' ? 'reset afterwards' : { status: 503, code: 'SlowDown' }
    return undefined
  }
  await trade(leader, event, 6)
  await caughtUp(standby, leader)
  const failure = async () => {
    const health = (await standby.client.get('/admin/health')).body.additional
    return (health as { readonly following: { readonly failure: string | null } }).following.failure
  }
  // The look that has just ended may be the next one that failed.
  while ((await failure()) !== null) await sleep(20)
  t.ok(requests > 7)
  while (!place.names().some(name => name.startsWith('standby-'))) await sleep(20)
  s3.misfortune = () => undefined
  t.match(await promote(standby), { status: 200 })
  t.notOk(
    place.names().some(name => name.startsWith('standby-')),
    'one that leads needs no mark',
  )
})

t.test('a journal that is ahead of the replica is not followed', async t => {
  const path = roomyDirectory(t)
  const place = directoryAt(path)
  const leader = await started(t, place, false)
  const event = await leader.client.createEvent()
  await trade(leader, event, 2)
  await leader.close()
  const copy = join(roomyDirectory(t), 'place')
  cpSync(path, copy, { recursive: true })
  const further = await started(t, place, false, leader.data)
  await trade(further, event, 2)
  await further.close()
  await t.rejects(started(t, directoryAt(copy), true, leader.data), { message: /start it with raay start/ })
})
