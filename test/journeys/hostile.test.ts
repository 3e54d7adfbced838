import type { Test } from 'tap'
import t from 'tap'
import { RawConnection, wrongAnswers } from '../fixtures/server/server-raw.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'

const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'
const SOCKET =
  'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const WEBSOCKET = `Upgrade: websocket\r\n${SOCKET}`
const ORDER = 'POST /order/initiate HTTP/1.1\r\n'

/** A name, the bytes, and the status of the first response. */
type Case = readonly [name: string, bytes: string, status: number]

t.test('a bad request gets an error envelope, and the next request succeeds', async t => {
  const cases: Case[] = [
    ['no Host', `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, 400],
    ['an empty Host', `GET /healthz HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`, 400],
    ['half an address as Host', `GET /healthz HTTP/1.1\r\nHost: [\r\n${CLOSE}\r\n`, 400],
    ['a Host with a space', `GET /healthz HTTP/1.1\r\nHost: a b\r\n${CLOSE}\r\n`, 400],
    ['a Host with a user', `GET /healthz HTTP/1.1\r\nHost: me@raay\r\n${CLOSE}\r\n`, 400],
    ['a Host with a path', `GET /healthz HTTP/1.1\r\nHost: localhost/x\r\n${CLOSE}\r\n`, 400],
    // Node's URL rejects all of these, and the adapter lets them through.
    ...['raay1.1', '256.1.1.1', 'xn--a'].map(
      (host): Case => [
        `${host} as Host`,
        `GET /order?userid=a HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`,
        400,
      ],
    ),
    ['an address as Host', `GET /healthz HTTP/1.1\r\nHost: 10.0.0.1:80\r\n${CLOSE}\r\n`, 200],
    ['an encoded Host', `GET /healthz HTTP/1.1\r\nHost: xn--bcher-kva.de\r\n${CLOSE}\r\n`, 200],
    ['two slashes', `GET // HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404],
    ['a backslash', `GET /a\\b HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['a broken escape', `GET /events/%zz%ff HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['a broken escape in the query', `GET /events?q=%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
    ['a star', `GET * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['half an address in full', `GET http://[/ HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['another scheme', `GET ftp://raay/ HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['a method nobody knows', `BREW /healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['a method nobody has', `TRACE /healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 405],
    ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/3.7', `GET / HTTP/3.7\r\n${HOST}\r\n`, 400],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
    ['nothing that makes sense', '\u0000\u0001\u0002\u0003 \r\n\r\n', 400],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${HOST}A: \u0000\r\n\r\n`, 400],
    ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}colonless\r\n\r\n`, 400],
    ['a very long URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 431],
    ['a very long header', `GET / HTTP/1.1\r\n${HOST}A: ${'x'.repeat(300_000)}\r\n\r\n`, 431],
    ['a thousand headers', `GET / HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(10_000)}\r\n`, 431],
    ['odd header names', `GET / HTTP/1.1\r\n${HOST}__proto__: x\r\nconstructor: y\r\n${CLOSE}\r\n`, 200],
    ['an expectation nobody knows', `GET / HTTP/1.1\r\n${HOST}Expect: money\r\n${CLOSE}\r\n`, 200],
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['two Hosts', `GET / HTTP/1.1\r\n${HOST}Host: 127.0.0.1\r\n${CLOSE}\r\n`, 400],
    ['a Host twice', `GET / HTTP/1.1\r\n${HOST}hOST: localhost\r\n${CLOSE}\r\n`, 400],
    [
      'two keys',
      `GET /portfolio HTTP/1.1\r\n${HOST}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n${CLOSE}\r\n`,
      401,
    ],
    [
      'another Host than in the target',
      `GET http://127.0.0.1/time HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}\r\n`,
      200,
    ],
    ['the target in full', `GET http://localhost/events HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
  ]
  await check(t, await startTestServer(t), cases)
})

t.test('refuses an impossible upgrade with an error envelope', async t => {
  const cases: Case[] = [
    ['h2c', `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`, 400],
    ['h2c with a body', `${ORDER}${HOST}${SOCKET}Upgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['an empty name', `GET /ws HTTP/1.1\r\n${HOST}${SOCKET}Upgrade: ,\r\n\r\n`, 400],
    ['another route', `GET /events HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 404],
    ['the route of an order', `${ORDER}${HOST}${WEBSOCKET}\r\n`, 404],
    ['no route', `GET /ws/ HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 404],
    ['two slashes', `GET // HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 404],
    ['two slashes and a path', `GET //ws HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 404],
    ['a way around', `GET /x/../ws HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 400],
    ['half an address in full', `GET http://[/ws HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 400],
    ['a backslash in full', `GET http://localhost/x\\..\\ws HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 400],
    ['a star', `GET * HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 404],
    ['no Host', `GET /ws HTTP/1.1\r\n${WEBSOCKET}\r\n`, 400],
    ['two Hosts', `GET /ws HTTP/1.1\r\n${HOST}${HOST}${WEBSOCKET}\r\n`, 400],
    ['half an address as Host', `GET /ws HTTP/1.1\r\nHost: [\r\n${WEBSOCKET}\r\n`, 400],
    ['a Host with a space', `GET /ws HTTP/1.1\r\nHost: a b\r\n${WEBSOCKET}\r\n`, 400],
    ['a number that is no address', `GET /ws HTTP/1.1\r\nHost: 999.999.999.999\r\n${WEBSOCKET}\r\n`, 400],
    ['an address in other words', `GET /ws HTTP/1.1\r\nHost: 0x7f.1:80\r\n${WEBSOCKET}\r\n`, 400],
    ['a POST', `POST /ws HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, 400],
    ['no key', `GET /ws HTTP/1.1\r\n${HOST}${WEBSOCKET.replace(/Sec-WebSocket-Key.*\r\n/, '')}\r\n`, 400],
    ['a short key', `GET /ws HTTP/1.1\r\n${HOST}${WEBSOCKET.replace('dGhl', '')}\r\n`, 400],
    ['an old version', `GET /ws HTTP/1.1\r\n${HOST}${WEBSOCKET.replace(': 13', ': 7')}\r\n`, 400],
    ['a bad protocol', `GET /ws HTTP/1.1\r\n${HOST}${WEBSOCKET}Sec-WebSocket-Protocol: ,\r\n\r\n`, 400],
    ['no Connection', `GET /ws HTTP/1.1\r\n${HOST}Upgrade: websocket\r\n${CLOSE}\r\n`, 426],
  ]
  await check(t, await startTestServer(t), cases)
})

t.test('accepts an upgrade with any valid form of its target and Host', async t => {
  const site = { allowedHosts: ['raay', 'elsewhere', 'a_b.example'] }
  const { port, client, faults } = await startTestServer(t, {}, {}, site)
  const targets = ['/ws', '/', '/?x=%zz', '/api/v1/ws', 'http://raay/ws', 'https://elsewhere:8443/ws?x=1']
  const hosts = ['raay', 'RAAY:80', '127.0.0.1:3000', '[::1]', '[::1]:8080', 'a_b.example']
  for (const [index, target] of targets.entries()) {
    const connection = await RawConnection.open(port)
    connection.write(`GET ${target} HTTP/1.1\r\nHost: ${hosts[index]}\r\n${WEBSOCKET}\r\n`)
    const [answer] = await connection.answered()
    t.match(answer, { status: 101 }, `${target} at ${hosts[index]}`)
    await connection.end()
  }
  await isWell(t, { client, faults })
})

t.test('a body that contradicts its headers is refused or cut off, and does no harm', async t => {
  const json = '{"event_id":"1000001"}'
  const flood = `${'1000\r\n'}${'x'.repeat(0x1000)}\r\n`.repeat(50)
  const chunked = `${ORDER}${HOST}Transfer-Encoding: chunked\r\n`
  const cases: Case[] = [
    ['a length far too large', `${ORDER}${HOST}Content-Length: 1000000000\r\n\r\n{}`, 413],
    ['a length beyond all numbers', `${ORDER}${HOST}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`, 400],
    ['a negative length', `${ORDER}${HOST}Content-Length: -1\r\n\r\n{}`, 400],
    ['an invalid length', `${ORDER}${HOST}Content-Length: two\r\n\r\n{}`, 400],
    ['two lengths', `${ORDER}${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a length and chunks', `${chunked}Content-Length: 2\r\n\r\n0\r\n\r\n`, 400],
    ['a length too small', `${ORDER}${HOST}Content-Length: 5\r\n${CLOSE}\r\n${json}`, 400],
    ['no body', `${ORDER}${HOST}${CLOSE}\r\n`, 400],
    ['an empty body', `${ORDER}${HOST}Content-Length: 0\r\n${CLOSE}\r\n`, 400],
    ['chunks over the limit', `${chunked}${CLOSE}\r\n${flood}`, 413],
    ['a chunk of no length', `${chunked}\r\nxyz\r\n`, 400],
    ['a chunk longer than memory', `${chunked}\r\n${'f'.repeat(20)}\r\n`, 400],
    ['a coding nobody knows', `${ORDER}${HOST}Transfer-Encoding: gzip\r\n${CLOSE}\r\n{}`, 400],
    ['bytes that are no UTF-8', `${ORDER}${HOST}Content-Length: 2\r\n${CLOSE}\r\n\u00c3\u0028`, 400],
    ['a body that GET has', `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 5\r\n${CLOSE}\r\nhello`, 200],
  ]
  await check(t, await startTestServer(t), cases)
})

t.test('a client that disconnects in the middle of its body is not logged as a fault', async t => {
  const server = await startTestServer(t)
  const heads = [
    `${ORDER}${HOST}Content-Length: 50\r\n\r\n{"event_id":`,
    `${ORDER}${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"eve`,
    `POST /events/create HTTP/1.1\r\n${HOST}Content-Length: 90000\r\n\r\n{`,
  ]
  for (const head of heads) {
    for (const leave of ['end', 'reset'] as const) {
      const connection = await RawConnection.open(server.port)
      connection.write(head)
      await server.client.get('/healthz')
      await connection[leave]()
      t.same(wrongAnswers(connection.answers), [])
    }
  }
  await isWell(t, server)
})

t.test('answers pipelined requests in order, and garbage after them closes the connection', async t => {
  const server = await startTestServer(t)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`
  const connection = await RawConnection.open(server.port)
  connection.write(`${get('/healthz')}${get('/nowhere')}${get('/version')}`)
  const answers = await connection.answered(3)
  t.same(
    answers.map(({ status }) => status),
    [200, 404, 200],
  )
  connection.write(`${get('/healthz')}}}}} garbage {{{{\r\n\r\n`)
  await connection.closed
  t.match(connection.answers.at(-1), { status: 400 })
  t.same(wrongAnswers(connection.answers), [])
  await isWell(t, server)
})

t.test('answers 100-continue and reads the body that follows', async t => {
  const server = await startTestServer(t)
  const connection = await RawConnection.open(server.port)
  connection.write(`${ORDER}${HOST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
  t.match(await connection.answered(), [{ status: 100 }])
  connection.write('{}')
  t.match(await connection.answered(2), [{ status: 100 }, { status: 422 }])
  await connection.end()
  await isWell(t, server)
})

/** Sends each case on its own connection, and checks the response and the server afterwards. */
async function check(t: Test, server: TestServer, cases: readonly Case[]): Promise<void> {
  for (const [name, bytes, status] of cases) {
    const connection = await RawConnection.open(server.port)
    connection.write(Buffer.from(bytes, 'latin1'))
    const answers = await connection.answered()
    t.equal(answers[0]?.status, status, name)
    t.same(wrongAnswers(answers), [], `${name}: the envelope`)
    connection.socket.destroy()
    await connection.closed
  }
  await isWell(t, server)
}

async function isWell(t: Test, { client, faults }: Pick<TestServer, 'client' | 'faults'>): Promise<void> {
  t.match(await client.get('/healthz'), { status: 200 }, 'the next request is answered')
  t.same(faults, [], 'and none of it was a fault of the exchange')
}
