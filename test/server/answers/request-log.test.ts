import { IncomingMessage } from 'node:http'
import { BlockList, Socket } from 'node:net'
import pino from 'pino'
import t from 'tap'
import { ClientAddresses } from '../../../src/access/limits/client-address.js'
import { RequestLog } from '../../../src/server/answers/request-log.js'
import { RawConnection } from '../../fixtures/server/server-raw.js'
import { spawnTestServer, startTestServer } from '../../fixtures/server-process.js'

const SECRET = 'hush-7c1f'
const HOST = 'Host: localhost\r\n'
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const SECRETS =
  `Authorization: Bearer ro_${SECRET}\r\nCookie: raay_session=rs_${SECRET}; __Host-raay_session=${SECRET}\r\n` +
  `Sec-WebSocket-Protocol: raay, bearer.${SECRET}\r\nReferer: http://localhost/?code=${SECRET}\r\n` +
  `Idempotency-Key: ${SECRET}\r\nX-Api-Key: ${SECRET}\r\n`
const BODY = `{"password":"${SECRET}","token":"${SECRET}","userid":"${SECRET}"}`

/** Requests of every outcome, each with secrets wherever a client can put them. */
const REQUESTS = [
  `GET /events?token=${SECRET} HTTP/1.1\r\n${HOST}${SECRETS}\r\n`,
  `GET /time?token=${SECRET} HTTP/1.1\r\n${HOST}${SECRETS}\r\n`,
  `GET /admin/health?token=${SECRET} HTTP/1.1\r\n${HOST}${SECRETS}\r\n`,
  `POST /auth/login HTTP/1.1\r\n${HOST}${SECRETS}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST /order/initiate?a=${SECRET} HTTP/1.1\r\n${HOST}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST /order/initiate HTTP/1.1\r\n${HOST}${SECRETS}Origin: http://x.example\r\nContent-Length: 2\r\n\r\n{}`,
  `GET /version?token=${SECRET} HTTP/1.1\r\nHost: x.example\r\n${SECRETS}\r\n`,
  `GET /ws?token=${SECRET} HTTP/1.1\r\n${HOST}${UPGRADE}${SECRETS}Origin: http://x.example\r\n\r\n`,
  `GET /ws?q=${SECRET} HTTP/1.1\r\n${HOST}${UPGRADE}${SECRETS}\r\n`,
  `GET http://localhost/events?token=${SECRET}#${SECRET} HTTP/1.1\r\n${HOST}\r\n`,
  `GET /events?token=${SECRET} HTTP/9\r\n${HOST}${SECRETS}\r\n`,
  `POST /order/initiate HTTP/1.1\r\n${HOST}${SECRETS}Content-Length: 200000\r\n\r\n${BODY}`,
]

for (const [mode, status] of [
  ['open', 422],
  ['accounts', 401],
] as const) {
  t.test(`in ${mode} mode no log holds a token, password, cookie, body or query`, async t => {
    const server = await spawnTestServer(t, { flags: ['--access-log', '--auth', mode] })
    for (const [index, text] of REQUESTS.entries()) {
      const connection = await RawConnection.open(Number(new URL(server.url).port))
      connection.write(text.replace(HOST, `${HOST}X-Request-Id: r-${index}\r\n`))
      await connection.answered()
      await connection.reset()
    }
    t.equal(await server.kill('SIGTERM'), 0)
    const log = server.stderr()
    t.notMatch(log, SECRET)
    const lines = log
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    const answered = lines.filter(({ msg }) => msg === 'answered')
    t.match(answered[0], { request: 'r-0', method: 'GET', path: '/events', status, ms: Number })
    t.match(answered[0]?.address, /^127\.0\.0\.1$/)
    const opened = lines.filter(({ msg }) => msg === 'opened').map(({ request }) => request)
    t.same(opened, mode === 'open' ? ['r-8'] : [])
    const refused = lines.filter(({ msg }) => msg === 'refused')
    t.match(
      refused.filter(({ reason }) => reason === 'cross_site').map(({ path }) => path),
      ['/order/initiate', '/ws'],
    )
    t.match(
      refused.find(({ request }) => request === 'r-2'),
      { status: 401, path: '/admin/health', reason: 'token_wrong' },
    )
    t.ok(
      lines.every(({ level }) => (level as number) < 50),
      'none of it is a fault of the exchange',
    )
  })
}

t.test('every answer names its request: by the client’s id, or by a new one', async t => {
  const server = await startTestServer(t, { socketIo: true })
  const ids = new Set<string>()
  const ask = async (text: string) => {
    const connection = await RawConnection.open(server.port)
    connection.write(text)
    const [answer] = await connection.answered()
    await connection.reset()
    return answer?.headers ?? {}
  }
  const texts = [
    `GET /events HTTP/1.1\r\n${HOST}\r\n`,
    `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Accept: text/html\r\n\r\n`,
    `OPTIONS /events HTTP/1.1\r\n${HOST}\r\n`,
    `GET /ws HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`,
    `GET /nowhere HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`,
    `GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\n${HOST}\r\n`,
    'GET /events HTTP/1.1\r\n\r\n',
    'GET /events HTTP/1.1\r\nHost: x.example\r\n\r\n',
    'nothing\r\n\r\n',
  ]
  for (const text of texts) {
    const { 'x-request-id': id = '' } = await ask(text)
    t.match(id, /^[\w.-]{1,64}$/, text)
    ids.add(id)
  }
  t.equal(ids.size, texts.length, 'each its own')
  for (const id of ['a', 'A-1.b_c', 'x'.repeat(64)]) {
    t.match(await ask(`GET /events HTTP/1.1\r\n${HOST}X-Request-Id: ${id}\r\n\r\n`), { 'x-request-id': id })
  }
  for (const id of ['', 'x'.repeat(65), 'a b', '"a"', 'é', 'a, b']) {
    const headers = await ask(`GET /events HTTP/1.1\r\n${HOST}X-Request-Id: ${id}\r\n\r\n`)
    t.not(headers['x-request-id'], id)
    t.match(headers['x-request-id'], /^[\w.-]{1,64}$/)
  }
})

t.test('every answer has the headers of security; what is private is not stored', async t => {
  const server = await startTestServer(t, { socketIo: true })
  const common = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  }
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['GET /events', undefined],
    ['GET /events/7', undefined],
    ['GET /order?userid=a', 'no-store'],
    ['GET /api/v1/order?userid=a', 'no-store'],
    ['POST /order/initiate', 'no-store'],
    ['GET /portfolio/a/balance', 'no-store'],
    ['GET /admin/actions', 'no-store'],
    ['GET /ledger/verify', 'no-store'],
    ['GET /auth/session', 'no-store'],
    ['GET /metrics', 'no-store'],
    ['GET /orders', undefined],
    ['POST /socket.io/?EIO=4&transport=polling&sid=x', undefined],
  ]
  for (const [request, caching] of rows) {
    const connection = await RawConnection.open(server.port)
    connection.write(`${request} HTTP/1.1\r\n${HOST}\r\n`)
    const [answer] = await connection.answered()
    t.match(answer?.headers, common, request)
    t.equal(answer?.headers['cache-control'], caching, request)
    t.notOk('strict-transport-security' in (answer?.headers ?? {}))
    await connection.reset()
  }
  for (const bytes of [
    'nothing\r\n\r\n',
    `GET /events HTTP/1.1\r\n${HOST}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
  ]) {
    const connection = await RawConnection.open(server.port)
    connection.write(bytes)
    t.match((await connection.answered())[0]?.headers, common, 'refusals without the app')
  }
  for (const path of ['/', '/admin', '/portfolio']) {
    const connection = await RawConnection.open(server.port)
    connection.write(`GET ${path} HTTP/1.1\r\n${HOST}Accept: text/html\r\n\r\n`)
    const [page] = await connection.answered()
    t.match(page, { status: 200, headers: { ...common, 'cache-control': 'no-cache' } }, `the page ${path}`)
    t.match(page?.headers['content-security-policy'], /^default-src 'none'/)
  }
})

t.test('a fault is logged under the id of its request', async t => {
  // The beat of the gateway, which reads the clock too, waits until long after the test.
  const server = await startTestServer(t, {}, { beatMs: 1e9 })
  server.exchange.now = () => {
    throw new Error('the clock is gone')
  }
  const { status } = await server.client.get('/time', { 'X-Request-Id': 'mine-1' })
  t.equal(status, 500)
  t.match(JSON.parse(server.faults[0] ?? '{}'), { request: 'mine-1', err: { message: 'the clock is gone' } })
})

t.test('a flood of refusals fills no disk: few lines a second, and how many are missing', t => {
  const lines: string[] = []
  let now = 0
  const proxies = new BlockList()
  proxies.addAddress('127.0.0.1')
  const log = new RequestLog({
    log: pino({}, { write: (line: string) => lines.push(line) }),
    watch: () => now,
    addresses: new ClientAddresses(() => proxies),
    logsAll: false,
  })
  const request = new IncomingMessage(new Socket())
  Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' })
  request.method = 'GET'
  request.url = `/${'x'.repeat(10_000)}?secret`
  request.headers = { 'x-forwarded-for': '6.6.6.6, 9.9.9.9' }
  for (let count = 0; count < 1000; count++) log.refused(request, 'a', 403, 'cross_site')
  t.ok(lines.length <= 20, String(lines.length))
  const before = lines.length
  now = 1000
  log.refused(request, 'b', 401)
  t.match(JSON.parse(lines.at(-1) ?? ''), { request: 'b', unlogged: 1000 - before, address: '9.9.9.9' })
  t.ok(lines.every(line => line.length < 500 && !line.includes('secret')))
  now = 60_000
  for (const status of [400, 404, 405, 409, 413, 415, 422]) log.refused(request, 'c', status)
  t.equal(lines.length, before + 1, 'everyday refusals are not worth a line')
  const counted = [403, 401, 503, 404].map(status => log.counts.get(status))
  t.same(counted, [1000, 1, 0, undefined], 'those without a line are counted as well')
  t.end()
})
