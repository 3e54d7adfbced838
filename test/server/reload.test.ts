import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { networksIn } from '../../src/access/networks.js'
import { configSources, openConfig } from '../../src/server/config/open-config.js'
import { reloadConfig } from '../../src/server/config/reload.js'
import type { SettingTexts } from '../../src/server/config/settings.js'
import { rowOf, SETTING_NAMES } from '../../src/server/config/settings.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer, startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { bearer, TOKENS } from '../fixtures/tokens.js'

const EVENT = {
  title: 'Will it happen?',
  description: 'It happens or it does not.',
  start_date: '2020-01-01T00:00:00.000Z',
  end_date: '2120-01-01T00:00:00.000Z',
  min_bet: 0,
  max_bet: 1_000_000,
  sot: 'test',
  quantity: 1_000_000,
}
const LOOK_MS = 20
const LOOKS_MAX = 3000
const SECOND_SECRET = 'another-secret-of-thirty-two-bytes!'

/** A data directory with a file of settings, read as at the start. */
async function started(t: Test, content: object, flags: SettingTexts = {}, env = {}) {
  const data = t.testdir()
  const path = join(data, 'config.json')
  const write = (next: object | string) =>
    writeFileSync(path, typeof next === 'string' ? next : JSON.stringify(next), { mode: 0o600 })
  write(content)
  const sources = configSources({ data, ...flags }, env)
  const opened = await openConfig(sources)
  return { path, write, reload: (inUse = opened) => reloadConfig(sources, inUse) }
}

t.test('a reload takes what may change, and reports the rest', async t => {
  const { write, reload } = await started(t, { port: 1, 'events-max': 5 }, {}, { RAAY_ACCESS_LOG: 'no' })
  write({ port: 2, 'events-max': 6, 'cors-origin': ['https://a.example'], 'access-log': true })
  const first = await reload()
  t.same([first?.changed, first?.waiting], [['events-max', 'cors-origin'], ['port']])
  t.match(first?.config, { port: 1, eventsMax: 6, accessLog: false }, 'a variable still wins')

  write({ port: 2, 'cors-origin': ['https://a.example'] })
  const second = await reload(first?.opened)
  t.same([second?.changed, second?.waiting], [['events-max'], ['port']], 'the restart is still to come')
  t.match(second?.config, { port: 1, eventsMax: 20_000 }, 'a key that is gone has its default again')
  t.same((await reload(second?.opened))?.changed, [])
})

t.test('a reload changes nothing unless everything is valid', async t => {
  const secret = 'a-secret-of-at-least-thirty-two-bytes'
  const { path, write, reload } = await started(t, { auth: 'jwt', 'jwt-secret': secret, 'events-max': 5 })
  const rows: readonly (readonly [object | string, RegExp])[] = [
    ['{"events-max": 6', /line 1, column 17/],
    [{ 'events-max': 6, prot: 1 }, /Did you mean "port"/],
    [{ 'events-max': 0 }, /is 0: give a whole number/],
    [{ 'events-max': 6, auth: 'jwt' }, /--jwt-secret \(RAAY_JWT_SECRET\) is missing/],
    [{ 'events-max': 6, host: '0.0.0.0' }, /in open mode anyone/],
    [{ 'events-max': 6 }, /--jwt-secret .* is missing/],
    [{ 'events-max': 6, data: '/elsewhere' }, /cannot choose another/],
  ]
  for (const [content, message] of rows) {
    write(content)
    await t.rejects(reload(), { name: 'ConfigError', message }, JSON.stringify(content))
  }
  rmSync(path)
  await t.rejects(reload(), { name: 'ConfigError', message: /is missing/ }, 'not taken for an empty file')
})

t.test('what decides how data is kept, and who may reach it, needs a restart', t => {
  const live = SETTING_NAMES.filter(name => rowOf(name).isLive === true)
  for (const name of [
    'data',
    'host',
    'port',
    'auth',
    'allow-open-network',
    'admin-token',
    'starting-balance',
  ]) {
    t.notOk(live.includes(name as (typeof live)[number]), name)
  }
  t.end()
})

t.test('SIGHUP reloads the file; without one, or with a broken one, the exchange goes on', async t => {
  const server = await spawnTestServer(t, { flags: ['--connections-max', '50'] })
  const path = join(server.data, 'config.json')
  const hangUp = async (logged: string) => {
    const before = server.stderr().length
    process.kill(server.pid, 'SIGHUP')
    await untilLogged(server, before, logged)
  }
  await hangUp('there is no file of settings to reload')
  writeFileSync(path, '{"access-log": yes}')
  await hangUp('line 1, column 16')
  t.notMatch(server.stderr(), '"answered"')

  writeFileSync(
    path,
    '{"access-log": true, "shards": 1, "connections-max": 1, "cors-origin": "https://a.example"}',
  )
  await hangUp('shards: changed by a restart only')
  t.match(server.stderr(), /"changed":\["cors-origin","access-log"\],"msg":"reloaded /)
  const shared = await server.client.get('/events', { Origin: 'https://a.example' })
  t.equal(shared.headers.get('access-control-allow-origin'), 'https://a.example')

  rmSync(path)
  await hangUp('config.json is missing; the settings stay as they were')
  t.match(await server.client.get('/events'), { status: 200 })
  t.equal(await server.kill('SIGTERM'), 0)
  t.match(server.stderr(), '"path":"/events"', 'the log of all requests was turned on')
})

/** Waits for a text in the log; only a test that fails waits for long. */
async function untilLogged(server: SpawnedServer, from: number, text: string): Promise<void> {
  for (let look = 0; !server.stderr().slice(from).includes(text); look++) {
    if (look === LOOKS_MAX) throw new Error(`"${text}" is not in ${server.stderr()}`)
    await Promise.race([
      new Promise(resolve => setTimeout(resolve, LOOK_MS)),
      server.ended.then(end => Promise.reject(new Error(`it ended with ${end}: ${server.stderr()}`))),
    ])
  }
}

t.test('a withdrawn secret and withdrawn public reads end at once, for sockets as well', async t => {
  const { reconfigure, url, faults } = await startTestServer(t, { access: { ...TOKENS, publicReads: true } })
  const client = new ServerClient(url)
  const ws = `${url.replace('http', 'ws')}/ws`
  const [former, next] = [bearer({ sub: 'asha' }), bearer({ sub: 'asha' }, SECOND_SECRET)]
  const withSecrets = (secrets: readonly string[], publicReads = true) =>
    reconfigure(config => {
      const { jwt } = config.access
      return { ...config, access: { ...config.access, publicReads, jwt: jwt && { ...jwt, secrets } } }
    })
  const statuses = async () => {
    const answers = await Promise.all([former, next, {}].map(headers => client.get('/events', headers)))
    return answers.map(({ status }) => status)
  }
  const [own = ''] = TOKENS.jwt?.secrets ?? []
  const socket = await WsClient.connect(t, ws, { headers: former })
  const stranger = await WsClient.connect(t, ws)
  t.same(await statuses(), [200, 401, 200])

  withSecrets([SECOND_SECRET, own])
  t.same(await statuses(), [200, 200, 200], 'both while secrets change')
  t.equal(socket.socket.readyState, socket.socket.OPEN)

  withSecrets([SECOND_SECRET], false)
  t.match(await socket.closed, { code: 4401 })
  t.match(await stranger.closed, { code: 4401 })
  t.same(await statuses(), [401, 200, 401])
  t.same(faults, [])
})

t.test('each setting that may change is read again by those who hold it', async t => {
  const { reconfigure, client, url, port } = await startTestServer(t, { eventsMax: 1 })
  const create = (title: string, headers = {}) =>
    new ServerClient(url).post('/events/create', { ...EVENT, title }, headers)
  t.match(await create('One'), { status: 201 })
  t.match(await create('Two'), { status: 503 })
  reconfigure(config => ({ ...config, eventsMax: 2, access: { ...config.access, openCreation: false } }))
  t.match(await create('Two'), { status: 401 }, 'operators only')
  t.match(await new ServerClient(url).post('/events/create?x=1', EVENT), { status: 401 })
  const second = await client.post('/events/create', { ...EVENT, title: 'Two' })
  t.equal(second.status, 201, JSON.stringify(second))

  const hostile = { host: 'evil.example', origin: 'https://friend.example' }
  const fetchAs = (headers: Record<string, string>) => rawStatus(port, headers)
  t.equal(await fetchAs({ host: hostile.host }), 421)
  reconfigure(config => ({ ...config, network: { ...config.network, allowedHosts: [hostile.host] } }))
  t.equal(await fetchAs({ host: hostile.host }), 200)
  reconfigure(config => ({ ...config, network: { ...config.network, allowedHosts: [] } }))
  t.equal(await fetchAs({ host: hostile.host }), 421)

  t.equal((await client.get('/events')).headers.get('ratelimit'), null)
  reconfigure(config => ({ ...config, rateLimits: 'on' }))
  t.ok((await new ServerClient(url).get('/events')).headers.get('ratelimit'))
  reconfigure(config => ({ ...config, rateLimits: 'off' }))
  t.equal((await new ServerClient(url).get('/events')).headers.get('ratelimit'), null)

  const trusted = networksIn(['192.0.2.1'])
  reconfigure(config => ({ ...config, trustedProxies: trusted, connectionsPerAddressMax: 1 }))
  const sockets = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map(() => WsClient.connect(t, `${url.replace('http', 'ws')}/ws`)),
  )
  t.ok(
    sockets.some(({ status }) => status === 'rejected'),
    'this machine is no longer exempt',
  )
})

t.test('a reload with a logo that cannot be read leaves everything as it was', async t => {
  const { reconfigure, client } = await startTestServer(t, { eventsMax: 5 })
  const facts = async () => (await client.get('/')).body.additional
  const before = await facts()
  const change = (file: string) => () =>
    reconfigure(config => ({
      ...config,
      eventsMax: 1,
      site: { ...config.site, name: 'Other', timeZone: 'Europe/Paris', logo: { file } },
    }))
  t.throws(change('/nowhere.png'), { message: '--site-logo /nowhere.png cannot be read: ENOENT' })
  t.same(await facts(), before, 'neither name nor time zone')
  t.match(await client.post('/events/create', { ...EVENT, title: 'One' }), { status: 201 })
  t.match(await client.post('/events/create', { ...EVENT, title: 'Two' }), { status: 201 }, 'nor a bound')
})

t.test('the heads of pages name a market only while everybody may read about it', async t => {
  const { reconfigure, client, url } = await startTestServer(t, { access: { ...TOKENS, publicReads: true } })
  const created = await client.post('/events/create', { ...EVENT, title: 'Will it snow?' })
  const page = async () =>
    (await fetch(`${url}/events/${created.body.additional}`, { headers: { Accept: 'text/html' } })).text()
  const open = (publicReads: boolean) =>
    reconfigure(config => ({ ...config, access: { ...config.access, publicReads } }))
  t.match(await page(), 'Will it snow?')
  open(false)
  t.notMatch(await page(), 'Will it snow?')
  open(true)
  t.match(await page(), 'Will it snow?')
})

t.test('who may sign up changes without a restart', async t => {
  const access = { ...TOKENS, mode: 'accounts', publicReads: true, jwt: undefined } as const
  const { reconfigure, client } = await startTestServer(t, { access })
  const signUp = async () => (await client.get('/auth/session')).body.additional
  t.match(await signUp(), { sign_up: 'invitation' })
  reconfigure(config => ({ ...config, access: { ...config.access, signUp: 'open' } }))
  t.match(await signUp(), { sign_up: 'open' })
  const draft = { name: 'asha', password: 'correct horse battery' }
  t.match(await client.post('/auth/sign-up', draft, { host: 'localhost' }), { status: 201 })
  reconfigure(config => ({ ...config, access: { ...config.access, signUp: 'invitation' } }))
  const late = await client.post('/auth/sign-up', { ...draft, name: 'ravi' })
  t.match(late, { status: 403, body: { status: false } })
})

async function rawStatus(port: number, headers: Record<string, string>): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/events', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

t.test('a start says that new accounts have nothing until there is one', async t => {
  const flags = ['--auth', 'accounts', '--sign-up', 'open']
  const advice = 'new accounts have ₹0'
  let server = await spawnTestServer(t, { flags })
  t.match(server.stderr(), advice)
  const { data } = server
  await server.kill('SIGTERM')
  server = await spawnTestServer(t, { flags, data })
  t.match(server.stderr(), advice, 'again, as nobody has signed up')
  const body = { name: 'asha', password: 'correct horse battery' }
  t.equal((await new ServerClient(server.url).post('/auth/sign-up', body)).status, 201)
  await server.kill('SIGTERM')
  server = await spawnTestServer(t, { flags, data })
  t.notMatch(server.stderr(), advice)
})
