import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { restorePast } from '../../src/backup/past/restore-past.js'
import { openReplicaAt } from '../../src/replication/objects/fetch-replica.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { allRows } from '../../src/store/companions/table-rows.js'
import { openReadOnly } from '../../src/store/database.js'
import { PASSWORD } from '../fixtures/access-room.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

const CHEAP = { ln: 4, r: 8, p: 1 }

/** Starts an exchange with accounts whose journal is replicated. */
async function started(t: Test, flags: Record<string, string>, data = roomyDirectory(t), follows = false) {
  const texts = {
    port: '0',
    shards: '2',
    'rate-limits': 'off',
    auth: 'accounts',
    'sign-up': 'open',
    ...flags,
  }
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<Error>(resolve => {
    fail = resolve
  })
  const config = { ...readConfig(texts, {}), data }
  const log = pino({ level: 'silent' })
  const standby = follows ? { standby: { identities: [] } } : {}
  const given = { config, version: '0.0.0-test', log, fail, hashCost: CHEAP, ...standby }
  const server = await startServer(given)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  t.teardown(close)
  const operator = new ServerClient(server.url, readOperatorKey(data))
  return { client: new ServerClient(server.url), operator, data, failed, close }
}

type Started = Awaited<ReturnType<typeof started>>

/** Signs a user up, who makes two keys and revokes the second one; returns the keys. */
async function signUp(t: Test, { client, operator }: Started, name: string) {
  const signedUp = await client.post('/auth/sign-up', { name, password: PASSWORD })
  t.equal(signedUp.status, 201)
  const cookie = {
    cookie: `raay_session=${/raay_session=([\w-]*)/.exec(signedUp.headers.get('set-cookie') ?? '')?.[1]}`,
  }
  const makeKey = async () => {
    const made = await client.post('/auth/keys', { name: 'bot', scopes: ['read'] }, cookie)
    return String((made.body.additional as { key: string }).key)
  }
  const [kept, revoked] = [await makeKey(), await makeKey()]
  const listed = await client.get('/auth/keys', cookie)
  const [newest] = (listed.body.additional as { keys: { id: number }[] }).keys
  const announcement = JSON.stringify({ kind: 'info', en: `${name} came` })
  t.equal((await operator.send('PUT', '/admin/announcement', announcement)).status, 200)
  const revoking = await client.send('DELETE', `/auth/keys/${newest?.id}`, undefined, cookie)
  t.match(revoking, { status: 200 }, 'the log has it')
  return { kept, revoked, cookie }
}

async function holds(
  t: Test,
  { client, operator }: Started,
  name: string,
  keys: { kept: string; revoked: string },
) {
  const who = (key: string) => client.get('/auth/session', { authorization: `Bearer ${key}` })
  t.match(await who(keys.kept), { status: 200 })
  t.equal((await who(keys.revoked)).status, 401, 'a revoked key stays revoked')
  t.equal((await client.post('/auth/login', { name, password: PASSWORD })).status, 200)
  t.match(await operator.get('/admin/announcement'), {
    body: { additional: { announcement: { en: `${name} came` } } },
  })
}

/** All rows of the companions in a data directory, but for those that an open exchange writes by itself. */
function rowsIn(data: string): string[] {
  return ['access.db', 'site.db'].map(name => {
    const database = openReadOnly(join(data, name))
    const rows = [...allRows(database)].map(row => JSON.stringify(row)).sort()
    database.close()
    return rows.join('\n')
  })
}

t.test('accounts and site of a replica in a directory are those of the last moment', async t => {
  const place = roomyDirectory(t)
  const old = await started(t, { 'replicate-to': place })
  await old.operator.createEvent()
  const keys = await signUp(t, old, 'asha')
  const health = async () => {
    const { body } = await old.operator.get('/admin/health')
    return body.additional as { sequence: number; replication: { through: number } }
  }
  for (let found = await health(); found.replication.through < found.sequence; found = await health())
    await sleep(20)
  const settings = { directory: place, s3: undefined, recipients: [] }
  const replica = await openReplicaAt(settings, { identities: [], now: Date.now })
  if (replica === undefined) throw new Error('there is no replica')
  const restored = join(roomyDirectory(t), 'restored')
  const source = (folder: string) => replica.fetch({ folder, identities: [], takesOver: true })
  await restorePast(
    { source, point: 'end', directory: restored, overwrite: false, now: Date.now },
    () => undefined,
  )
  const heir = await started(t, { 'replicate-to': roomyDirectory(t) }, restored)
  await holds(t, heir, 'asha', keys)

  // The old one finds that out at its next change of an account, and does not answer that it is done.
  const late = old.client.send('DELETE', '/auth/keys/1', undefined, keys.cookie).then(
    ({ status }) => status,
    () => 'no answer',
  )
  t.match(await old.failed, { message: /was taken over/ })
  await old.close()
  t.not(await late, 200)
  await t.rejects(started(t, { 'replicate-to': place }, old.data), { message: /was taken over/ })
})

t.test('accounts and site come from the streams', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t, 1)
  const flags = { 'replicate-to': `${url}/orders`, replication: 'async', 'replicate-replicas': '1' }
  const first = await started(t, flags)
  const keys = await signUp(t, first, 'asha')
  await first.close()
  const second = await started(t, flags)
  await holds(t, second, 'asha', keys)
  const more = await signUp(t, second, 'ravi')
  await second.close()

  // The first one comes back, and takes what changed meanwhile instead of what it has.
  const again = await started(t, flags, first.data)
  await holds(t, again, 'ravi', more)
  t.notOk(existsSync(join(first.data, 'orphans')), 'it had nothing that the streams lack')
  await again.close()
  const third = await started(t, flags)
  await third.close()
  t.strictSame(rowsIn(third.data), rowsIn(again.data))

  // It has all that the streams have: it keeps its own.
  const kept = await started(t, flags, third.data)
  await kept.close()
  t.notOk(existsSync(join(third.data, 'orphans')))
})

/** Waits until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** The texts of an event's comments, as everyone sees them: null for a hidden one. */
async function commentsOn({ client }: Started, event: string): Promise<(string | null)[]> {
  const { body } = await client.get(`/events/${event}/comments`)
  return (body.additional as { comments: { text: string | null }[] }).comments.map(({ text }) => text)
}

/** A leader with accounts and comments, of which the standby shows what everyone may see. */
async function followed(t: Test, flags: Record<string, string>) {
  const leader = await started(t, flags)
  const event = await leader.operator.createEvent()
  const keys = await signUp(t, leader, 'asha')
  const path = `/events/${event}/comments`
  for (const text of ['kept', 'removed', 'hidden']) {
    t.equal((await leader.client.post(path, { text }, keys.cookie)).status, 201)
  }
  const standby = await started(t, flags, roomyDirectory(t), true)
  await until(async () => (await commentsOn(standby, event).catch(() => [])).length === 3)
  const { body } = await leader.client.get(path)
  const posted = (body.additional as { comments: { id: number; text: string }[] }).comments
  const numberOf = (text: string) => posted.find(comment => comment.text === text)?.id
  const removed = await leader.client.send('DELETE', `${path}/${numberOf('removed')}`, undefined, keys.cookie)
  t.equal(removed.status, 200)
  t.equal((await leader.operator.post(`${path}/${numberOf('hidden')}/hide`, { reason: 'rude' })).status, 200)
  const shown = [null, 'kept']
  await until(async () => isDeepStrictEqual(await commentsOn(standby, event), shown))
  t.same(await commentsOn(standby, event), shown, 'the standby shows no removed and no hidden comment')
  t.equal((await standby.client.post(path, { text: 'no' }, keys.cookie)).status, 503)
  const suspended = await leader.operator.send(
    'PATCH',
    '/portfolio/asha/limits',
    JSON.stringify({ suspended: true, reason: 'check' }),
  )
  t.equal(suspended.status, 200)
  return { leader, standby, event, keys, path }
}

/** Asserts that a standby which leads now knows what was answered before. */
async function leadsWith(t: Test, { standby, event, keys, path }: Awaited<ReturnType<typeof followed>>) {
  await holds(t, standby, 'asha', keys)
  t.same(await commentsOn(standby, event), [null, 'kept'])
  t.match(await standby.operator.get('/portfolio/asha/limits'), {
    body: { additional: { suspended: true } },
  })
  t.equal((await standby.client.post(path, { text: 'more' }, keys.cookie)).status, 201)
  const more = await signUp(t, standby, 'ravi')
  await holds(t, standby, 'ravi', more)
}

t.test('a standby of a directory shows what its leader shows, and leads with all of it', async t => {
  const place = roomyDirectory(t)
  const flags = { 'replicate-to': place }
  const world = await followed(t, flags)
  const { leader, standby } = world
  t.equal((await standby.operator.post('/admin/promote', {})).status, 200)
  await leadsWith(t, world)

  // The old one finds that out with its next change, and answers nothing that the log lacks.
  const late = leader.client.send('DELETE', '/auth/keys/1', undefined, world.keys.cookie).then(
    ({ status }) => status,
    () => 'no answer',
  )
  await leader.failed
  await leader.close()
  t.not(await late, 200)
  await t.rejects(started(t, flags, leader.data), { message: /was taken over/ })
  const again = await started(t, flags, leader.data, true)
  await until(async () => (await commentsOn(again, world.event)).includes('more'))
  await standby.close()
  await until(async () => isDeepStrictEqual(rowsIn(again.data), rowsIn(standby.data)))
  await again.close()
  const next = await started(t, flags, standby.data)
  t.same(await commentsOn(next, world.event), ['more', null, 'kept'], 'it goes on leading')
})

t.test('a standby of streams leads with all that was acknowledged', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t, 1)
  const flags = { 'replicate-to': `${url}/orders`, replication: 'async', 'replicate-replicas': '1' }
  const world = await followed(t, flags)
  const { leader, standby } = world
  // It makes way: the streams have all of it.
  await leader.close()
  await until(async () => (await standby.client.get('/readyz').catch(() => undefined))?.status === 200)
  await until(async () => (await standby.operator.post('/admin/promote', {})).status === 200)
  await leadsWith(t, world)
  const again = await started(t, flags, leader.data, true)
  await until(async () => (await commentsOn(again, world.event)).includes('more'))
})
