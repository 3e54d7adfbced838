import { Hono } from 'hono'
import t from 'tap'
import { adminGuard } from '../../../src/http/middleware/admin-guard.js'
import { readConfig } from '../../../src/server/config.js'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, peer, refusal } from '../../fixtures/http-scenario.js'
import { RawConnection } from '../../fixtures/server/server-raw.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'
const LOCAL_ONLY = refusal(
  403,
  'Only programs on the machine of the exchange may do this, unless it is started with RAAY_ADMIN_TOKEN',
)
const SEND_TOKEN = refusal(401, 'Send the admin token: Authorization: Bearer <token>')
const WRONG_TOKEN = refusal(
  403,
  'This is not the admin token: send the one that the exchange was started with',
)
/** Every operator route, for an event and a user that do not exist. */
const ADMIN_PATHS = [
  ...['halt', 'resume', 'close', 'resolve'].map(move => `/events/1000009/${move}`),
  ...['deposit', 'withdraw'].map(transfer => `/portfolio/nobody/${transfer}`),
  '/admin/backup',
  '/admin/clock/confirm',
].flatMap(path => [path, `/api/v1${path}`])
const READ_PATHS = [
  ...['actions', 'health', 'backups'].map(name => `/admin/${name}`),
  '/events/1000009/settlement',
  '/metrics',
].flatMap(path => [path, `/api/v1${path}`])

const HALT = { path: '/events/1000001/halt', method: 'POST' }
const refused = (name: string, from: object, headers: Record<string, string> = {}): Scenario => {
  return { ...HALT, name, from, headers, status: 403, answer: LOCAL_ONLY }
}

/** Returns `in` if the guard lets the request pass, otherwise the code of the refusal. */
async function pass(
  token: string | undefined,
  from: object | undefined,
  headers: Record<string, string>,
): Promise<unknown> {
  const app = new Hono().post('/', adminGuard(token), c => c.text('in'))
  app.onError((error, c) => c.text(String((error as { code?: unknown }).code)))
  const response = await app.request('/', { method: 'POST', headers }, from)
  return response.text()
}

t.test('without a token only a program on this machine has access', async t => {
  const rows: readonly (readonly [string, string, Record<string, string>])[] = [
    ['in', '127.0.0.1', { Host: 'localhost' }],
    ['in', '127.0.0.1', { Host: '127.0.0.1:3000' }],
    ['in', '127.8.9.1', { Host: 'LOCALHOST:3000' }],
    ['in', '::1', { Host: '[::1]:3000' }],
    ['in', '::ffff:127.0.0.1', { Host: 'localhost:80' }],
    ['in', '127.0.0.1', { Host: 'localhost:3000', Origin: 'http://localhost:3000' }],
    ['in', '127.0.0.1', { Host: 'localhost:3000', Authorization: 'Bearer whatever' }],
    ['403', '10.0.0.1', { Host: 'localhost' }],
    ['403', '192.168.1.127', { Host: 'localhost' }],
    ['403', '1.127.0.0.1', { Host: 'localhost' }],
    ['403', '::2', { Host: 'localhost' }],
    ['403', 'fe80::1', { Host: 'localhost' }],
    ['403', '::ffff:10.0.0.1', { Host: 'localhost' }],
    ['403', '', { Host: 'localhost' }],
    ['403', '127.0.0.1', {}],
    ['403', '127.0.0.1', { Host: 'raay.example.org' }],
    ['403', '127.0.0.1', { Host: 'localhost.example.org' }],
    ['403', '127.0.0.1', { Host: '127.0.0.1.example.org' }],
    ['403', '127.0.0.1', { Host: 'localhost, evil.example' }],
    ['403', '127.0.0.1', { Host: '10.0.0.1:3000' }],
    ['403', '127.0.0.1', { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1' }],
    ['403', '127.0.0.1', { Host: 'localhost', 'X-Forwarded-For': '' }],
    ['403', '127.0.0.1', { Host: 'localhost', Forwarded: 'for=127.0.0.1' }],
    ['403', '127.0.0.1', { Host: 'localhost', 'X-Real-IP': '127.0.0.1' }],
    ['in', '127.0.0.1', { Host: 'localhost:3000', 'Sec-Fetch-Site': 'same-origin' }],
    ['in', '127.0.0.1', { Host: 'localhost:3000', 'Sec-Fetch-Site': 'none' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', 'Sec-Fetch-Site': 'cross-site' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', 'Sec-Fetch-Site': 'same-site' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: 'http://evil.example' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: 'http://localhost:3001' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: 'http://localhost:3000.evil.example' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: 'http://127.0.0.1:3000' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: 'null' }],
    ['403', '127.0.0.1', { Host: 'localhost:3000', Origin: '' }],
  ]
  for (const [wanted, address, headers] of rows) {
    t.equal(await pass(undefined, peer(address), headers), wanted, `${address} ${JSON.stringify(headers)}`)
  }
})

t.test('an unidentified connection does not count as local', async t => {
  const headers = { Host: 'localhost' }
  for (const from of [undefined, {}, { incoming: {} }, { incoming: { socket: {} } }]) {
    t.equal(await pass(undefined, from, headers), '403')
  }
})

t.test('with a token only its holder has access, from any address', async t => {
  const far = { Host: 'raay.example.org', 'X-Forwarded-For': '10.0.0.1', Origin: 'https://admin.example.org' }
  const rows: readonly (readonly [string, Record<string, string>])[] = [
    ['in', { Authorization: `Bearer ${TOKEN}` }],
    ['in', { Authorization: `bearer  ${TOKEN}` }],
    ['in', { ...far, Authorization: `Bearer ${TOKEN}` }],
    ['401', {}],
    ['401', { Authorization: '' }],
    ['401', { Authorization: TOKEN }],
    ['401', { Authorization: 'Bearer' }],
    ['401', { Authorization: `Basic ${TOKEN}` }],
    ['401', { Authorization: `Bearer ${TOKEN} ${TOKEN}` }],
    ['403', { Authorization: `Bearer ${TOKEN}x` }],
    ['403', { Authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['403', { Authorization: `Bearer ${TOKEN.toUpperCase()}` }],
    ['403', { Authorization: 'Bearer x' }],
  ]
  for (const [wanted, headers] of rows) {
    for (const address of ['127.0.0.1', '203.0.113.9']) {
      const found = await pass(TOKEN, peer(address), { Host: 'localhost', ...headers })
      t.equal(found, wanted, `${address} ${JSON.stringify(headers)}`)
    }
  }
})

t.test('each operator route is guarded and reveals nothing else to a stranger', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const headers = { Authorization: 'Bearer of nothing' }
  const row = (path: string, status: number, answer: unknown, more: Partial<Scenario>): Scenario => {
    const name = `${status} ${path}`
    if (READ_PATHS.includes(path)) return { name, path, status, answer, ...more }
    const method = path.endsWith('/1000009') ? 'PATCH' : 'POST'
    return { name, path, method, body: '{"amount"', status, answer, ...more }
  }
  const all = [...ADMIN_PATHS, ...READ_PATHS, '/events/1000009']
  const open = all.map(path => row(path, 403, LOCAL_ONLY, { from: peer('10.0.0.1') }))
  await checkScenarios(t, appOn(test), open)
  await checkScenarios(
    t,
    appOn(test, TOKEN),
    all.flatMap(path => [
      row(path, 401, SEND_TOKEN, {}),
      row(path, 401, SEND_TOKEN, { headers }),
      row(path, 403, WRONG_TOKEN, { headers: { Authorization: 'Bearer nothing' } }),
    ]),
  )
  const { app } = appOn(test, TOKEN)
  const response = await app.request(HALT.path, { method: 'POST' })
  t.equal(response.headers.get('www-authenticate'), 'Bearer')
})

t.test('a refused request changes nothing; an accepted one does', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const host = { Host: 'localhost:3000' }
  await checkScenarios(t, appOn(test), [
    refused('from elsewhere', peer('10.0.0.1')),
    refused('through a proxy', peer('127.0.0.1'), { 'X-Forwarded-For': '10.0.0.1' }),
    refused('for a page elsewhere', peer('127.0.0.1'), { ...host, Origin: 'https://evil.example' }),
    refused('under another name', peer('127.0.0.1'), { Host: 'evil.example' }),
  ])
  t.equal(test.exchange.market(1_000_001 as never)?.progress.status, 'open')
  const { app } = appOn(test, TOKEN)
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const { status } = await app.request(HALT.path, { method: 'POST', headers })
  t.equal(status, 200)
  t.equal(test.exchange.market(1_000_001 as never)?.progress.status, 'halted')
})

t.test('over a socket the address and the Host come from the connection', async t => {
  const { client, port, faults } = await startTestServer(t)
  const code = await client.createEvent()
  const path = `/events/${code}/halt`
  t.equal((await client.post(path, {})).status, 200, 'this is the same machine')
  const head = (host: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Content-Length: 0\r\nConnection: close\r\n\r\n`
  const own = `127.0.0.1:${port}`
  const rows: readonly (readonly [readonly number[], string])[] = [
    [[200], head(`localhost:${port}`)],
    [[200], head(own, `Origin: http://${own}\r\n`)],
    [[403], head('evil.example')],
    [[403], head(own, 'Origin: http://evil.example\r\n')],
    [[403], head(own, `Origin: http://${own}\r\nOrigin: http://evil.example\r\n`)],
    [[403], head(own, `Origin: http://evil.example\r\nOrigin: http://${own}\r\n`)],
    [[403], head(own, 'X-Forwarded-For: 127.0.0.1\r\n')],
    [[400, 403], head(own, 'Host: evil.example\r\n')],
    [[400, 403], head('evil.example', `Host: ${own}\r\n`)],
  ]
  for (const [wanted, text] of rows) {
    const connection = await RawConnection.open(port)
    connection.write(text)
    const [answer] = await connection.answered()
    t.ok(wanted.includes(answer?.status ?? 0), text, { found: answer?.status })
    connection.socket.destroy()
  }
  t.same(faults, [])
})

t.test('a server with a token requires it of local programs, too', async t => {
  const { client } = await startTestServer(t, { adminToken: TOKEN })
  const code = await client.createEvent()
  t.equal((await client.post(`/events/${code}/halt`, {})).status, 401)
  const wrong = { authorization: 'Bearer wrong' }
  t.equal((await client.post(`/events/${code}/halt`, {}, wrong)).status, 403)
  const headers = { authorization: `Bearer ${TOKEN}` }
  t.match((await client.post(`/events/${code}/halt`, {}, headers)).body.additional, { status: 'halted' })
  await t.resolves(client.placeOrder(code), 'who trades needs no token')
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
