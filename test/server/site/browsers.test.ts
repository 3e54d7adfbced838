import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import type { Site } from '../../../src/server/site/site-door.js'
import { SiteDoor } from '../../../src/server/site/site-door.js'
import type { RawAnswer } from '../../fixtures/server/server-raw.js'
import { RawConnection, wrongAnswers } from '../../fixtures/server/server-raw.js'
import type { TestServer } from '../../fixtures/server-process.js'
import { startTestServer } from '../../fixtures/server-process.js'

const ORDER = JSON.stringify({
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'ada',
})
const JSON_TYPE = { 'Content-Type': 'application/json' }
const FRIEND = 'https://friend.example'
const EVIL = 'https://evil.example'
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

type Headers = Readonly<Record<string, string>>

/** Sends bytes as no HTTP client would: with any Host, Origin and cookies. */
async function send(
  server: TestServer,
  request: string,
  headers: Headers,
  body?: string,
  host = `localhost:${server.port}`,
): Promise<RawAnswer> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = Object.entries({ Host: host, ...length, ...headers })
  const connection = await RawConnection.open(server.port)
  connection.write(
    `${request} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  if (body !== undefined) connection.write(body)
  const [answer] = await connection.answered()
  await connection.reset()
  if (answer === undefined) throw new Error(`${request}: no answer`)
  return answer
}

const place = (server: TestServer, headers: Headers, host?: string) =>
  send(server, 'POST /order/initiate', { ...JSON_TYPE, ...headers }, ORDER, host)
const connect = (server: TestServer, headers: Headers, host?: string) =>
  send(server, 'GET /ws', { ...UPGRADE, ...headers }, undefined, host)

/** Checks a refusal, its envelope and its reason. */
function refused(t: Test, answer: RawAnswer, status: number, reason: string, what: string): void {
  t.match(answer, { status, headers: { 'raay-reason': reason } }, what)
  t.same(wrongAnswers([answer]), [], what)
}

/** Returns the number of open orders, which must not change by a refusal. */
async function open(server: TestServer): Promise<number> {
  const { body } = await server.client.get('/events/1000001/orderbook')
  return (body.additional as { bids: unknown[] }).bids.length
}

const named = (t: Test, site: Partial<Site> = {}) => startTestServer(t, { socketIo: true }, {}, site)

t.test('a page of another site changes nothing and opens no socket', async t => {
  const server = await named(t)
  await server.client.createEvent()
  const own = `localhost:${server.port}`
  const foreign: readonly Headers[] = [
    { Origin: EVIL },
    { Origin: 'null' },
    { Origin: '' },
    { Origin: `https://${own}` },
    { Origin: 'http://localhost:1' },
    { Origin: 'http://localhost' },
    { Origin: `http://localhost.evil.example:${server.port}` },
    { Origin: `http://${own}`, 'Sec-Fetch-Site': 'cross-site' },
    { Origin: EVIL, 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': '' },
  ]
  for (const headers of foreign) {
    const what = JSON.stringify(headers)
    refused(t, await place(server, headers), 403, 'cross_site', what)
    refused(t, await connect(server, headers), 403, 'cross_site', `upgrade ${what}`)
    for (const request of ['DELETE /order?userid=ada', 'PATCH /order/x', 'POST /nowhere', 'PUT /order']) {
      refused(t, await send(server, request, headers), 403, 'cross_site', `${request} ${what}`)
    }
    for (const method of ['GET', 'POST']) {
      const polling = `${method} /socket.io/?EIO=4&transport=polling`
      refused(t, await send(server, polling, headers), 403, 'cross_site', `${polling} ${what}`)
    }
    const read = await send(server, 'GET /events', headers)
    t.match(read, { status: 200 }, `may be read, but not by the page: ${what}`)
    t.notOk('access-control-allow-origin' in read.headers)
  }
  t.equal(await open(server), 0)
  t.same(server.faults, [])
})

t.test('own pages and programs place orders and open sockets', async t => {
  const server = await named(t)
  await server.client.createEvent()
  const own = `localhost:${server.port}`
  const cases: readonly (readonly [Headers, string?])[] = [
    [{}],
    [{ 'Sec-Fetch-Mode': 'cors' }],
    [{ Referer: EVIL }],
    [{ 'Sec-Fetch-Site': 'same-origin' }],
    [{ 'Sec-Fetch-Site': 'none' }],
    [{ Origin: `http://${own}` }],
    [{ Origin: `http://${own}`, 'Sec-Fetch-Site': 'same-origin' }],
    [{ Origin: `http://${own}` }, own.toUpperCase()],
    [{ Origin: 'http://10.1.2.3' }, '10.1.2.3:80'],
    [{ Origin: 'http://10.1.2.3' }, '10.1.2.3'],
    [{ Origin: 'http://[fd00::1]:8080' }, '[fd00::1]:8080'],
  ]
  for (const [headers, host] of cases) {
    const what = JSON.stringify([headers, host])
    t.match(await place(server, headers, host), { status: 201 }, what)
    t.match(await connect(server, headers, host), { status: 101 }, what)
  }
  t.equal(await open(server), 1)
})

t.test('a body that a browser sends without asking is 415, from its own pages too', async t => {
  const server = await named(t)
  await server.client.createEvent()
  const own = { Origin: `http://localhost:${server.port}`, 'Sec-Fetch-Site': 'same-origin' }
  const types = [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ]
  for (const type of types) {
    for (const browser of [own, { 'Sec-Fetch-Site': 'none' }]) {
      const answer = await send(server, 'POST /order/initiate', { ...browser, 'Content-Type': type }, ORDER)
      refused(t, answer, 415, 'body_not_json', type)
    }
    const program = await send(server, 'POST /order/initiate', { 'Content-Type': type }, ORDER)
    t.match(program, { status: 201 }, `a program's content type is ignored: ${type}`)
  }
  const chunks = { ...own, 'Transfer-Encoding': 'chunked' }
  const [answer, none] = [
    await send(server, 'POST /order/initiate', chunks),
    await send(server, 'POST /order/initiate', own),
  ]
  refused(t, answer, 415, 'body_not_json', 'chunks of no type')
  t.match(none, { status: 400, headers: { 'raay-reason': 'malformed_json' } }, 'no body has no type')
  for (const type of ['application/json', 'Application/JSON;charset=utf-8', 'application/merge-patch+json']) {
    const json = await send(server, 'POST /order/initiate', { ...own, 'Content-Type': type }, ORDER)
    t.match(json, { status: 201 }, type)
  }
})

t.test('answers to its own names only, whatever the port', async t => {
  const publicUrl = 'https://raay.example'
  const NAMES = ['localhost', 'LOCALHOST:80', '127.0.0.1', '127.9.9.9:1', '[::1]:3000']
  const rows: readonly (readonly [Partial<Site>, readonly string[], readonly string[]])[] = [
    [
      {},
      [...NAMES, '10.0.0.1', '[fd00::7]'],
      ['raay', 'raay.example', 'localhost.evil.example', 'evil.localhost'],
    ],
    [
      { allowedHosts: ['Raay.example'] },
      [...NAMES, 'raay.example', 'RAAY.example:8'],
      ['a.raay.example', 'raay'],
    ],
    [
      { publicUrl },
      [...NAMES, 'raay.example', 'raay.example:8443'],
      ['10.0.0.1', '[fd00::7]', 'evil.example'],
    ],
    [{ publicUrl, allowedHosts: ['FD00:0:0::0:7'] }, [...NAMES, '[fd00::7]:80'], ['[fd00::8]']],
    [{ publicUrl, allowedHosts: ['raay'] }, [...NAMES, 'raay.example', 'raay:3000'], ['10.0.0.1', 'raay2']],
  ]
  for (const [site, known, unknown] of rows) {
    const server = await named(t, site)
    for (const host of known) {
      t.match(await send(server, 'GET /version', {}, undefined, host), { status: 200 }, host)
      t.match(await connect(server, {}, host), { status: 101 }, host)
    }
    for (const host of unknown) {
      const answer = await send(server, 'GET /version', {}, undefined, host)
      refused(t, answer, 421, 'host_unknown', host)
      t.match(answer.body, '--allowed-host')
      refused(t, await connect(server, {}, host), 421, 'host_unknown', `upgrade at ${host}`)
      const polling = 'GET /socket.io/?EIO=4&transport=polling'
      refused(t, await send(server, polling, {}, undefined, host), 421, 'host_unknown', `polling at ${host}`)
      refused(
        t,
        await send(server, `GET http://${host}/version`, {}),
        421,
        'host_unknown',
        `in full: ${host}`,
      )
      for (const path of ['/healthz', '/readyz', '/readyz?x=1']) {
        t.match(await send(server, `GET ${path}`, {}, undefined, host), { status: 200 }, `${path} at ${host}`)
      }
    }
    t.same(server.faults, [])
  }
})

t.test('with a public URL, its own pages are those of that URL', async t => {
  const server = await named(t, { publicUrl: 'https://raay.example' })
  await server.client.createEvent()
  const local = `127.0.0.1:${server.port}`
  const rows: readonly (readonly [number, string, string])[] = [
    [201, 'https://raay.example', 'raay.example'],
    [201, 'https://raay.example', local],
    [201, `http://${local}`, local],
    [403, 'http://raay.example', 'raay.example'],
    [403, 'https://raay.example:8443', 'raay.example:8443'],
    [403, 'https://evil.example', local],
  ]
  for (const [status, origin, host] of rows) {
    t.match(await place(server, { Origin: origin }, host), { status }, `${origin} at ${host}`)
    t.match(await connect(server, { Origin: origin }, host), { status: status === 201 ? 101 : 403 })
  }
})

t.test('listed sites use the exchange through CORS, without cookies; no other site does', async t => {
  const server = await named(t, { corsOrigins: [FRIEND] })
  await server.client.createEvent()
  const preflight = (origin: string) =>
    send(server, 'OPTIONS /order/initiate', {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    })
  const granted = await preflight(FRIEND)
  t.match(granted, { status: 204, headers: { 'access-control-allow-origin': FRIEND, vary: 'Origin' } })
  for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'Prefer']) {
    t.match(granted.headers['access-control-allow-headers'], name)
  }
  const friendly = { Origin: FRIEND, 'Sec-Fetch-Site': 'cross-site' }
  const placed = await place(server, friendly)
  t.match(placed, { status: 201, headers: { 'access-control-allow-origin': FRIEND } })
  for (const name of ['X-Order-Id', 'Location', 'Retry-After', 'RateLimit', 'X-Request-Id', 'Raay-Reason']) {
    t.match(placed.headers['access-control-expose-headers'], name)
  }
  t.match(await connect(server, friendly), { status: 101 })
  const text = await send(
    server,
    'POST /order/initiate',
    { ...friendly, 'Content-Type': 'text/plain' },
    ORDER,
  )
  t.match(text, { status: 415, headers: { 'access-control-allow-origin': FRIEND } }, 'it may read why')

  for (const origin of [EVIL, 'https://friend.example.evil.example', 'http://friend.example', 'null']) {
    t.notOk('access-control-allow-origin' in (await preflight(origin)).headers, origin)
    refused(t, await place(server, { Origin: origin }), 403, 'cross_site', origin)
  }
  for (const answer of [granted, placed, await preflight(EVIL)]) {
    t.notOk('access-control-allow-credentials' in answer.headers)
  }
})

t.test('CORS is off by default', async t => {
  const server = await named(t)
  const answer = await send(server, 'OPTIONS /order/initiate', {
    Origin: EVIL,
    'Access-Control-Request-Method': 'POST',
  })
  t.match(answer, { status: 204, headers: { allow: /POST/ } })
  t.same(
    Object.keys(answer.headers).filter(name => name.startsWith('access-control')),
    [],
  )
})

t.test('cookies never count for a page of another site, not even on another port', t => {
  const site = { publicUrl: undefined, allowedHosts: [], corsOrigins: [FRIEND], tls: undefined }
  const door = new SiteDoor(site)
  const asked = (method: string, headers: Headers) => {
    const request = new IncomingMessage(new Socket())
    request.method = method
    request.url = '/portfolio/ada/balance'
    const all = { host: 'localhost:3000', cookie: 'raay_session=rs_x', ...headers }
    request.rawHeaders = Object.entries(all).flat()
    Object.assign(request.headers, all)
    return request
  }
  const seen = ({ headers, rawHeaders }: IncomingMessage) => [
    headers.cookie,
    rawHeaders.includes('raay_session=rs_x'),
  ]
  const other = 'http://localhost:5000'
  const foreign: readonly Headers[] = [
    { origin: other, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: FRIEND },
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    const request = asked('GET', headers)
    t.equal(door.refusal(request), undefined, JSON.stringify(headers))
    t.same(seen(request), [undefined, false], JSON.stringify(headers))
  }
  const order = asked('POST', { origin: FRIEND })
  t.equal(door.refusal(order), undefined)
  t.same(seen(order), [undefined, false])
  const upgrade = asked('GET', { origin: FRIEND })
  t.equal(door.upgradeRefusal(upgrade), undefined)
  t.same(seen(upgrade), [undefined, false])
  for (const headers of [{}, { origin: 'http://localhost:3000' }, { 'sec-fetch-site': 'same-origin' }]) {
    const request = asked('GET', headers)
    t.equal(door.refusal(request), undefined)
    t.same(seen(request), ['raay_session=rs_x', true], JSON.stringify(headers))
  }
  t.end()
})
