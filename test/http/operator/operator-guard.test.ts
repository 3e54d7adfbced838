import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { CredentialFinder } from '../../../src/access/access.js'
import { callerIn } from '../../../src/http/routing/environment.js'
import type { Identity } from '../../../src/access/identity.js'
import { OneTimeCodes } from '../../../src/access/one-time-codes.js'
import { openOperatorKey, operatorKeyPath } from '../../../src/access/operator-key.js'
import type { Role, Scope } from '../../../src/access/scopes.js'
import { SCOPES_OF } from '../../../src/access/scopes.js'
import { readConfig } from '../../../src/server/config/config.js'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { accessFor, appOn, checkScenarios, peer, refusal } from '../../fixtures/http-scenario.js'
import { dataDirectory } from '../../fixtures/server/server-directory.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'
const NO_TOKEN = refusal(401, 'Sign in, or send a token: Authorization: Bearer <token>')
const WRONG_TOKEN = refusal(401, 'The token is not valid: it is wrong, has expired or was revoked')
const OPERATORS_ONLY = refusal(403, 'Only operators may do this')
const NOBODY = { Authorization: '' }
/** Every operator route, for an event and a user that do not exist. */
const CHANGING_PATHS = [
  ...['halt', 'resume', 'close', 'resolve'].map(move => `/events/1000009/${move}`),
  ...['deposit', 'withdraw'].map(transfer => `/portfolio/nobody/${transfer}`),
  '/admin/backup',
  '/admin/clock/confirm',
  '/admin/promote',
].flatMap(path => [path, `/api/v1${path}`])
const READING_PATHS = [
  ...['actions', 'health', 'doctor', 'backups'].map(name => `/admin/${name}`),
  '/events/1000009/settlement',
  '/ledger/verify',
  '/portfolio',
  '/metrics',
].flatMap(path => [path, `/api/v1${path}`])

const HALT = '/events/1000001/halt'

const identity = (role: Role, scopes: Iterable<Scope> = SCOPES_OF[role]): Identity => ({
  kind: 'api_key',
  userId: 'olga',
  role,
  scopes: new Set(scopes),
  credential: 'key:1',
  expiresAt: undefined,
})

/** Finds `rk_<role>` and `rk_<role>_<scope>`. */
const FINDER: CredentialFinder = {
  find(token) {
    const [, role, scope] = /^rk_(viewer|trader|operator|admin)(?:_(\w+))?$/.exec(token) ?? []
    if (role === undefined) return undefined
    return identity(role as Role, scope === undefined ? undefined : [scope as Scope])
  },
}

async function halt(authorization: string | undefined, from: object | undefined): Promise<number> {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test, accessFor({ operatorKey: TOKEN, finder: FINDER }))
  const headers = authorization === undefined ? {} : { Authorization: authorization }
  const { status } = await app.request(HALT, { method: 'POST', headers }, from)
  t.equal(test.exchange.market(1_000_001 as never)?.progress.status, status === 200 ? 'halted' : 'open')
  return status
}

t.test(
  'only the holder of a right has access, from any address; a loopback address gives no rights',
  async t => {
    const rows: readonly (readonly [number, string | undefined])[] = [
      [200, `Bearer ${TOKEN}`],
      [200, `bearer  ${TOKEN}`],
      [200, 'Bearer rk_operator'],
      [200, 'Bearer rk_admin'],
      [200, 'Bearer rk_operator_operate'],
      [401, undefined],
      [401, ''],
      [401, TOKEN],
      [401, 'Bearer'],
      [401, `Basic ${TOKEN}`],
      [401, `Bearer ${TOKEN} ${TOKEN}`],
      [401, `Bearer ${TOKEN}x`],
      [401, `Bearer ${TOKEN.slice(0, -1)}`],
      [401, `Bearer ${TOKEN.toUpperCase()}`],
      [401, `Bearer ${'ö'.repeat(TOKEN.length)}`],
      [401, 'Bearer x'],
      [401, 'Bearer rk_nobody'],
      [401, 'Bearer a.b.c'],
      [401, `Bearer ${'x'.repeat(100_000)}`],
      [403, 'Bearer rk_trader'],
      [403, 'Bearer rk_viewer'],
      [403, 'Bearer rk_operator_read'],
      [403, 'Bearer rk_operator_money'],
      [403, 'Bearer rk_admin_trade'],
    ]
    for (const [wanted, authorization] of rows) {
      for (const from of [peer('127.0.0.1'), peer('203.0.113.9'), undefined, {}]) {
        t.equal(await halt(authorization, from), wanted, String(authorization).slice(0, 60))
      }
    }
  },
)

t.test('each operator route is guarded and reveals nothing else to a stranger', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const row = (path: string, status: number, answer: unknown, headers: Record<string, string>): Scenario => {
    const more = { status, answer, headers, name: `${status} ${path}` }
    if (READING_PATHS.includes(path)) return { path, ...more }
    const method = path.endsWith('/1000009') ? 'PATCH' : 'POST'
    return { path, method, body: '{"amount"', ...more }
  }
  const all = [...CHANGING_PATHS, ...READING_PATHS, '/events/1000009']
  await checkScenarios(
    t,
    appOn(test, accessFor({ operatorKey: TOKEN, finder: FINDER })),
    all.flatMap(path => [
      row(path, 401, NO_TOKEN, NOBODY),
      row(path, 401, WRONG_TOKEN, { Authorization: 'Bearer of nothing' }),
      row(path, 401, WRONG_TOKEN, { Authorization: 'Bearer nothing' }),
      row(path, 403, OPERATORS_ONLY, { Authorization: 'Bearer rk_trader' }),
    ]),
  )
  const { app } = appOn(test, TOKEN)
  const response = await app.request(HALT, { method: 'POST' })
  t.equal(response.headers.get('www-authenticate'), 'Bearer')
  t.equal(response.headers.get('raay-reason'), 'token_missing')
})

t.test('the first start makes a key that only its owner can read, and later ones keep it', async t => {
  const { data, client, url, close } = await startTestServer(t)
  const path = operatorKeyPath(data)
  const key = readFileSync(path, 'utf8').trim()
  t.match(key, /^ro_[\w-]{43}$/)
  t.equal(statSync(path).mode & 0o777, 0o600)
  const code = await client.createEvent()
  const post = async (headers: Record<string, string>) =>
    (await fetch(`${url}/events/${code}/halt`, { method: 'POST', headers })).status
  t.equal(await post({}), 401, 'a program on this machine is a stranger, too')
  t.equal(await post({ 'X-Forwarded-For': '127.0.0.1', Host: 'localhost' }), 401)
  t.equal(await post({ Authorization: `Bearer ${key}` }), 200)
  await t.resolves(
    client.placeOrder(code).catch(() => undefined),
    'who trades needs no key',
  )
  await close()
  t.equal(openOperatorKey(data), key)
  const again = await startTestServer(t, { data })
  t.equal((await again.client.post(`/events/${code}/resume`, {})).status, 200)
})

t.test('a file without a key is reported, not replaced', async t => {
  const data = dataDirectory(t)
  writeFileSync(operatorKeyPath(data), 'my own words\n')
  await t.rejects(startTestServer(t, { data }), {
    message: /operator\.key does not contain an operator's key/,
  })
  t.equal(readFileSync(join(data, 'operator.key'), 'utf8'), 'my own words\n')
})

t.test('a token of the operator replaces the key', async t => {
  const { client, data } = await startTestServer(t, { adminToken: TOKEN })
  const code = await client.createEvent()
  t.equal((await client.post(`/events/${code}/halt`, {})).status, 200)
  const wrong = { authorization: `Bearer ${openOperatorKey(data)}` }
  t.equal((await client.post(`/events/${code}/resume`, {}, wrong)).status, 401)
})

t.test('a request that nobody has identified gives no rights', async t => {
  for (const environment of [undefined, {}, { caller: undefined }]) {
    t.match(callerIn(environment), { kind: 'anonymous', userId: undefined })
  }
})

t.test('a code signs in once, within a quarter of an hour', async t => {
  let now = 0
  const codes = new OneTimeCodes<string>(() => now)
  const { code, expiresAt } = codes.make('asha')
  t.equal(expiresAt, 900_000)
  t.notOk(codes.use('another'))
  t.same(codes.use(code)?.maker, 'asha')
  t.notOk(codes.use(code), 'once only')
  const late = codes.make('asha')
  now = late.expiresAt
  t.notOk(codes.use(late.code), 'it has expired')
  const first = codes.make('asha')
  for (let count = 0; count < 200; count++) codes.make('asha')
  t.notOk(codes.use(first.code), 'the oldest of too many is dropped')
})

t.test('a token that is easy to guess or does not fit a header is refused and not repeated', async t => {
  const read = (token: string) => readConfig({ 'admin-token': token }, {}).adminToken
  for (const token of [TOKEN, 'x'.repeat(16), '~'.repeat(256)]) t.equal(read(token), token)
  t.equal(readConfig({}, {}).adminToken, undefined, 'there is none by default')
  t.equal(readConfig({}, { RAAY_ADMIN_TOKEN: '' }).adminToken, undefined, 'an empty variable counts as unset')
  t.equal(readConfig({}, { RAAY_ADMIN_TOKEN: TOKEN }).adminToken, TOKEN)
  const bad = [
    '',
    'fifteen-letters',
    'x'.repeat(257),
    'a token with some spaces',
    'tökentökentökentöken',
    `${TOKEN}\n`,
  ]
  for (const token of bad) {
    try {
      read(token)
      t.fail(`"${token}" is refused`)
    } catch (error) {
      const { name, message } = error as Error
      t.equal(name, 'ConfigError')
      t.match(message, /^--admin-token \(RAAY_ADMIN_TOKEN\) is not a valid token: use 16 to 256 /)
      if (token !== '') t.notOk(message.includes(token), 'the message does not show it')
    }
  }
})
