import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../../src/access/operator-key.js'
import { SiteDoor } from '../../../src/server/site/site-door.js'
import { readCertificate } from '../../../src/server/tls/certificate.js'
import { CertificateWatch } from '../../../src/server/tls/certificate-watch.js'
import type { RedirectOptions } from '../../../src/server/tls/redirect-server.js'
import { createRedirect } from '../../../src/server/tls/redirect-server.js'
import { RawConnection, wrongAnswers } from '../../fixtures/server/server-raw.js'
import type { TestServer } from '../../fixtures/server-process.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { acceptedSockets } from '../../fixtures/sockets/server-sockets.js'
import { WsClient } from '../../fixtures/sockets/ws-client.js'

const PAIRS = fileURLToPath(new URL('../../../../test/fixtures/tls/', import.meta.url))
const pair = (name: 'first' | 'second') => ({
  certFile: join(PAIRS, `${name}-cert.pem`),
  keyFile: join(PAIRS, `${name}-key.pem`),
})
const ca = readFileSync(pair('first').certFile)
const FIRST = 'CN=raay test first'
const SECOND = 'CN=raay test second'
const NEVER = 3_600_000

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function get(server: TestServer, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<Answered>((resolve, reject) => {
    const { port } = server
    const sent = request({ host: '127.0.0.1', port, ca, path, method, headers, agent: false }, answer => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      answer.on('error', reject)
    })
    sent.on('error', reject).end()
  })
}

/** Opens an encrypted connection; rejects if the handshake fails. */
async function shake(port: number, more: object = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, ...more })
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  return socket
}

const encrypted = (t: Test, limits: Parameters<typeof startTestServer>[2] = {}, config = {}) =>
  startTestServer(t, config, limits, { tls: { ...pair('first'), redirectPort: undefined } })

t.test('serves HTTP, pages and WebSocket over TLS', async t => {
  const server = await encrypted(t)
  t.match(server.url, /^https:/)
  const { status, headers } = await get(server, '/events')
  t.match(headers, { 'strict-transport-security': /^max-age=\d{8}$/, 'x-content-type-options': 'nosniff' })
  t.equal(status, 200)
  const page = await get(server, '/', { Accept: 'text/html' })
  t.match(page, { status: 200, body: /<html/ })
  const missing = await get(server, '/nowhere')
  t.match(missing, { status: 404, headers: { 'strict-transport-security': /^max-age/ } })
  const client = await WsClient.connect(t, `wss://127.0.0.1:${server.port}/ws`, { ca })
  t.match(await client.ask(['subscribe_orderbook', '7']), { event: 'error' })
  client.socket.terminate()
  await client.closed
  const key = { Authorization: `Bearer ${readOperatorKey(server.data)}` }
  const expires = Date.parse(new X509Certificate(readFileSync(pair('first').certFile)).validTo) / 1000
  t.match(
    (await get(server, '/metrics', key)).body,
    `\nraay_certificate_expires_timestamp_seconds ${expires}\n`,
    'a certificate that expires can be watched',
  )
  t.same(server.faults, [])
})

t.test('its own pages are those of https, not of http', async t => {
  const server = await encrypted(t)
  const own = `https://127.0.0.1:${server.port}`
  t.match(await get(server, '/order', { Origin: own }, 'POST'), { status: 405 })
  for (const origin of [own.replace('https', 'http'), 'https://127.0.0.1']) {
    t.match(await get(server, '/order', { Origin: origin }, 'POST'), { status: 403 }, origin)
    await t.rejects(WsClient.connect(t, own.replace('https', 'wss'), { ca, origin }), /403/)
  }
})

t.test('refuses versions before TLS 1.2, and plain HTTP, without harm', async t => {
  const server = await encrypted(t)
  for (const maxVersion of ['TLSv1', 'TLSv1.1']) {
    const old = { minVersion: 'TLSv1', maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' }
    await t.rejects(shake(server.port, old), maxVersion)
  }
  const socket = await shake(server.port, { maxVersion: 'TLSv1.2' })
  t.equal(socket.getProtocol(), 'TLSv1.2')
  socket.destroy()
  const plain = await RawConnection.open(server.port)
  plain.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await plain.closed
  t.same(plain.answers, [], 'nothing is said in the clear')
  t.match(await get(server, '/healthz'), { status: 200 })
  t.same(server.faults, [])
})

t.test('a handshake that is late ends its connection', async t => {
  const server = await encrypted(t, { handshakeMs: 100 })
  const silent = [await RawConnection.open(server.port), await RawConnection.open(server.port)]
  await Promise.all(silent.map(({ closed }) => closed))
  t.same(server.faults, [])
})

t.test('handshakes count as connections', async t => {
  const server = await encrypted(t, { connectionsMax: 2 })
  const silent = [await RawConnection.open(server.port), await RawConnection.open(server.port)]
  await t.rejects(shake(server.port), 'there is no room for a third')
  await Promise.all(silent.map(connection => connection.end()))
  const sockets = [await shakeAtLast(server.port), await shakeAtLast(server.port)]
  await t.rejects(shake(server.port), 'encrypted connections count once')
  for (const socket of sockets) {
    socket.destroy()
    await once(socket, 'close')
  }
  t.match(await answerAtLast(server), { status: 200 }, 'closed ones free their slots')
})

t.test('a client that stops reading is closed, under TLS as without', async t => {
  const server = await encrypted(t, { stalledMs: 200, sweepMs: 20, keepAliveMs: NEVER })
  const accepted = acceptedSockets(t)
  const socket = await shake(server.port)
  socket.pause()
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(90))
  const [connection] = accepted
  t.ok(connection)
  if (connection !== undefined && !connection.closed) await once(connection, 'close')
  socket.destroy()
  t.match(await get(server, '/healthz'), { status: 200 })
  t.same(server.faults, [])
})

t.test('pipelined requests are bounded under TLS', async t => {
  const server = await encrypted(t, { pipelinedMax: 5 })
  const socket = await shake(server.port)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(6))
  await once(socket, 'close')
  t.same(received.match(/HTTP\/1\.1 \d+/g), [
    ...Array.from({ length: 5 }, () => 'HTTP/1.1 200'),
    'HTTP/1.1 503',
  ])
})

t.test('puts a changed certificate into use, and never a bad one', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'raay-tls-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') }
  const put = (name: 'first' | 'second', what: 'certFile' | 'keyFile') =>
    copyFileSync(pair(name)[what], files[what])
  put('first', 'certFile')
  put('first', 'keyFile')
  const lines: string[] = []
  const watch = new CertificateWatch(files, pino({}, { write: (line: string) => lines.push(line) }))
  const server = createServer({ ...watch.current })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const shown = async () => {
    const socket = await shake(port, { rejectUnauthorized: false })
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return `CN=${subject.CN}`
  }
  t.equal(await shown(), FIRST)

  put('second', 'certFile')
  watch.check(server)
  t.equal(await shown(), FIRST, 'a certificate without its key is not used')
  t.match(lines.at(-1), /not usable.*/)
  const count = lines.length
  watch.check(server)
  t.equal(lines.length, count, 'and is reported once')
  put('second', 'keyFile')
  watch.check(server)
  t.equal(await shown(), SECOND)

  writeFileSync(files.certFile, 'nothing')
  watch.check(server)
  rmSync(files.certFile)
  watch.check(server)
  symlinkSync(files.certFile, files.certFile)
  watch.check(server)
  t.match(lines.at(-1), /cannot be read: ELOOP/, 'a path that the system does not follow')
  t.equal(await shown(), SECOND)
  t.notMatch(lines.join(''), /PRIVATE|BEGIN/, 'the key is never logged')
})

t.test('redirects reads to https, and takes nothing else over http', async t => {
  const server = await encrypted(t)
  const redirect = async (options: Partial<RedirectOptions> = {}) => {
    const made = createRedirect({
      tlsPort: () => server.port,
      publicUrl: undefined,
      door: new SiteDoor({
        publicUrl: undefined,
        allowedHosts: ['raay.example'],
        corsOrigins: [],
        tls: undefined,
      }),
      connections: { admit: () => true },
      ...options,
    })
    made.listen(0, '127.0.0.1')
    await once(made, 'listening')
    t.teardown(() => made.close())
    return made
  }
  const ask = async (to: Server, text: string) => {
    const connection = await RawConnection.open((to.address() as AddressInfo).port)
    connection.write(text)
    await connection.closed
    return connection.answers
  }
  const plain = await redirect()
  const named = await redirect({ publicUrl: 'https://raay.example' })
  const rows: readonly (readonly [Server, string, string, string])[] = [
    [plain, '/events?q=a%20b', '127.0.0.1', `https://127.0.0.1:${server.port}/events?q=a%20b`],
    [plain, '//evil.example/x', 'localhost:80', `https://localhost:${server.port}//evil.example/x`],
    [plain, 'http://evil.example/x', 'raay.example', `https://raay.example:${server.port}/`],
    [named, '/market/1000001', '127.0.0.1:80', 'https://raay.example/market/1000001'],
  ]
  for (const [to, path, host, location] of rows) {
    for (const method of ['GET', 'HEAD']) {
      const [answer, ...more] = await ask(to, `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(3))
      t.match(answer, { status: 308, headers: { location, 'x-request-id': String } }, path)
      t.notOk('strict-transport-security' in (answer?.headers ?? {}), 'not over http (RFC 6797, 7.2)')
      t.same(more, [], 'one answer ends the connection')
    }
  }
  const order = `POST /order/initiate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`
  const upgrade = 'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (const text of [order, upgrade]) {
    const answers = await ask(plain, text)
    t.match(answers, [{ status: 403, headers: { 'raay-reason': 'tls_required' } }])
    t.same(wrongAnswers(answers), [])
  }
  for (const host of ['evil.example', '[']) {
    const answers = await ask(plain, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    t.match(answers, [{ status: 421 }], 'never to a name that someone made up')
  }
  t.same(await ask(plain, '\u0016\u0003\u0001'), [])
  const full = await redirect({ connections: { admit: () => false } })
  t.same(await ask(full, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), [])
})

t.test('does not start with a certificate that cannot be used', t => {
  const [first, second] = [pair('first'), pair('second')]
  t.throws(() => readCertificate({ ...first, keyFile: second.keyFile }), /not a certificate and its key/)
  t.throws(() => readCertificate({ ...first, keyFile: first.certFile }), /not a certificate and its key/)
  t.throws(() => readCertificate({ ...first, certFile: '/nowhere.pem' }), /--tls-cert \/nowhere.pem .*ENOENT/)
  t.match(readCertificate(first), { names: 'DNS:localhost, IP Address:127.0.0.1' })
  t.end()
})

/** Tries again until the server has noticed that others have left. */
async function shakeAtLast(port: number): Promise<TLSSocket> {
  for (;;) {
    const socket = await shake(port).catch(() => undefined)
    if (socket !== undefined) return socket
  }
}

/** Asks until the server has noticed that others have left. */
async function answerAtLast(server: TestServer): Promise<Answered> {
  for (;;) {
    const answer = await get(server, '/healthz').catch(() => undefined)
    if (answer !== undefined) return answer
  }
}
