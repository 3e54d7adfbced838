import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { isAccepted, readLineage } from '../../src/store/companions/companion-outbox.js'
import { Driver } from '../../src/store/driver.js'
import { runRaay } from '../fixtures/raay-command.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'

const FLAGS = ['--auth', 'accounts', '--sign-up', 'open', '--starting-balance', '1000']
const ASHA = { name: 'asha', password: 'correct horse battery' }

interface Answered {
  readonly status: number
  readonly reason: string | null
  readonly additional: Readonly<Record<string, unknown>> | undefined
}

async function ask({ url }: SpawnedServer, path: string, body?: unknown): Promise<Answered> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url + path, { ...init, headers: { 'Content-Type': 'application/json' } })
  const { additional } = (await answer.json()) as Partial<Answered>
  return { status: answer.status, reason: answer.headers.get('raay-reason'), additional }
}

const start = (t: Test, data?: string) =>
  spawnTestServer(t, { flags: FLAGS, ...(data !== undefined && { data }) })

/** Waits for a line of the log, which comes within seconds. */
async function logged(server: SpawnedServer, text: RegExp): Promise<void> {
  while (!text.test(server.stderr())) await new Promise(resolve => setTimeout(resolve, 50))
}

/** Trading goes on, and operators act with their key. */
async function trades(t: Test, server: SpawnedServer): Promise<void> {
  const event = await server.client.createEvent()
  t.type(await server.client.placeOrder(event), 'string')
  t.same((await ask(server, '/readyz')).status, 200)
}

t.test(
  'lost while stopped: trading goes on with sign-in closed, until an operator says what counts',
  async t => {
    const first = await start(t)
    t.equal((await ask(first, '/auth/sign-up', ASHA)).status, 201)
    t.same((await ask(first, '/readyz')).additional, undefined)
    await first.kill('SIGTERM')
    const path = join(first.data, 'access.db')
    renameSync(path, `${path}.copy`)

    const second = await start(t, first.data)
    t.match(
      second.stderr(),
      /"level":50.*access\.db: it is missing or empty: sign-in is closed.*raay access accept/,
    )
    t.match(await ask(second, '/auth/login', ASHA), { status: 503, reason: 'sign_in_closed' })
    t.match(await ask(second, '/auth/sign-up', { ...ASHA, name: 'ben' }), {
      status: 503,
      reason: 'sign_in_closed',
    })
    t.match(await ask(second, '/auth/session'), { status: 200, additional: { is_closed: true } })
    t.same((await ask(second, '/readyz')).additional, { closed: ['sign_in'] })
    await trades(t, second)
    const { body } = await second.client.get('/admin/doctor')
    t.match(JSON.stringify(body), /"name":"access","result":"fail"/)
    t.equal(existsSync(path), false, 'no empty file takes its place')
    t.equal((await runRaay(['access', 'accept', '--data', first.data])).code, 1, 'not while it runs')
    await second.kill('SIGTERM')

    t.match(await runRaay(['access', 'accept', '--data', first.data]), {
      code: 1,
      stderr: /there is no .*access\.db/,
    })
    renameSync(`${path}.copy`, path)
    const third = await start(t, first.data)
    t.equal((await ask(third, '/auth/login', ASHA)).status, 200, 'the file that was put back counts')
    await third.kill('SIGTERM')

    rmSync(path)
    t.match(await runRaay(['access', 'new', '--data', first.data]), {
      code: 0,
      stdout: /begins without accounts/,
    })
    const fourth = await start(t, first.data)
    t.equal((await ask(fourth, '/auth/login', ASHA)).status, 401)
    t.equal((await ask(fourth, '/auth/sign-up', { ...ASHA, name: 'ben' })).status, 201)
    t.equal(await fourth.kill('SIGTERM'), 0)
  },
)

t.test('an older copy closes sign-in until it is accepted', async t => {
  const first = await start(t)
  t.equal((await ask(first, '/auth/sign-up', ASHA)).status, 201)
  await first.kill('SIGTERM')
  const path = join(first.data, 'access.db')
  copyFileSync(path, `${path}.copy`)
  const second = await start(t, first.data)
  t.equal((await ask(second, '/auth/sign-up', { ...ASHA, name: 'ben' })).status, 201)
  await second.kill('SIGTERM')
  renameSync(`${path}.copy`, path)
  const doctor = await runRaay(['doctor', '--data', first.data, '--port', '0'])
  t.match(doctor, { code: 1, stdout: /FAIL {2}access +it lacks the last \d+ changes that were answered/ })
  const site = new Driver(join(first.data, 'site.db'))
  site.exec('ALTER TABLE replicated DROP COLUMN epoch; PRAGMA user_version = 14')
  t.match(await runRaay(['access', 'accept', '--data', first.data]), {
    code: 0,
    stdout: /with 1 accounts, although it lacks/,
  })
  t.ok(isAccepted(readLineage(site)), 'so is a site of the version before')
  site.close()
  const third = await start(t, first.data)
  t.equal((await ask(third, '/auth/login', ASHA)).status, 200)
  t.equal(await third.kill('SIGTERM'), 0)
})

t.test(
  'deleted while it runs: nothing about access changes any more, and a copy has what was answered',
  async t => {
    const server = await start(t)
    t.equal((await ask(server, '/auth/sign-up', ASHA)).status, 201)
    for (const end of ['', '-wal', '-shm']) rmSync(join(server.data, `access.db${end}`))
    await logged(server, /access\.db was deleted or renamed/)
    t.match(await ask(server, '/auth/sign-up', { ...ASHA, name: 'ben' }), {
      status: 503,
      reason: 'sign_in_closed',
    })
    await trades(t, server)
    t.equal(await server.kill('SIGTERM'), 0)
    const copy = readdirSync(server.data).find(name => name.startsWith('access-rescued-')) ?? ''
    renameSync(join(server.data, copy), join(server.data, 'access.db'))
    const again = await start(t, server.data)
    t.equal((await ask(again, '/auth/login', ASHA)).status, 200)
    t.equal(await again.kill('SIGTERM'), 0)
  },
)

t.test('a damaged site leaves out the site alone', async t => {
  const first = await start(t)
  t.equal((await ask(first, '/auth/sign-up', ASHA)).status, 201)
  await first.kill('SIGTERM')
  writeFileSync(join(first.data, 'site.db'), 'SQLite format 3\0'.padEnd(5000, 'x'))
  const second = await start(t, first.data)
  t.match(second.stderr(), /site\.db: it is damaged.*the exchange runs without the site/)
  t.equal((await ask(second, '/auth/login', ASHA)).status, 200)
  t.same((await ask(second, '/readyz')).additional, { closed: ['site'] })
  await trades(t, second)
  const announcement = { en: 'Hello' }
  const key = readOperatorKey(first.data)
  const put = await fetch(`${second.url}/admin/announcement`, {
    method: 'PUT',
    body: JSON.stringify(announcement),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
  })
  t.equal(put.headers.get('raay-reason'), 'site_closed')
  t.equal(await second.kill('SIGTERM'), 0)
})
