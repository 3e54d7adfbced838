import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BlockList } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import t from 'tap'
import type { Resolved } from '../../src/webhooks/sending.js'
import { send } from '../../src/webhooks/sending.js'
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/webhook-secret.js'

const NONE = new BlockList()
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
const HERE: Resolved = { address: '127.0.0.1', family: 4 }

/** Listens here until the test ends; returns the port. */
async function receiver(t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const status =
  (code: number, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(code, headers).end('x'.repeat(10_000))

t.test("the standard's own library verifies a request, under either secret while they change", async t => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const received: { headers: Record<string, string>; body: string }[] = []
  const port = await receiver(t, async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) })
    response.writeHead(204).end()
  })
  const body = JSON.stringify({ type: 'event.created', data: { title: 'वर्षा?' } })
  const headers = signedHeaders({ id: 'evt_12_0', timestamp: Math.floor(Date.now() / 1000), body }, secrets)
  const url = `http://127.0.0.1:${port}/hook?key=1`
  t.match(await send({ url, headers, body }, { allowed: LOOPBACK }), { status: 204 })
  const [got] = received
  t.equal(got?.headers['webhook-id'], 'evt_12_0')
  for (const secret of secrets) {
    t.same(new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {}), JSON.parse(body))
  }
  t.throws(() => new Webhook(newWebhookSecret()).verify(got?.body ?? '', got?.headers ?? {}))
  t.throws(() => new Webhook(secrets[0] ?? '').verify(`${got?.body} `, got?.headers ?? {}))
})

t.test('a name is resolved once, and none of its addresses may be another than allowed', async t => {
  let reached = 0
  const port = await receiver(t, (_, response) => {
    reached++
    response.end()
  })
  const asked: string[] = []
  // The first answer is allowed; each later one leads elsewhere.
  const rebinding = async (host: string) => {
    asked.push(host)
    return asked.length === 1 ? [HERE] : [{ address: '169.254.169.254', family: 4 }]
  }
  const delivery = { url: `http://chat.example.org:${port}/`, headers: {}, body: '{}' }
  t.match(await send(delivery, { allowed: LOOPBACK, resolve: rebinding }), { status: 200 })
  t.same(asked, ['chat.example.org'])
  t.match(await send(delivery, { allowed: LOOPBACK, resolve: rebinding }), { fault: /may not be reached/ })
  const both = async () => [HERE, { address: '10.0.0.1', family: 4 }]
  t.match(await send(delivery, { allowed: LOOPBACK, resolve: both }), { fault: /may not be reached/ })
  const global = async () => [{ address: '1.1.1.1', family: 4 }]
  t.match(await send(delivery, { allowed: LOOPBACK, resolve: global }), { fault: /may not/ }, 'plain HTTP')
  t.match(await send(delivery, { allowed: LOOPBACK, resolve: async () => [] }), { fault: /no address/ })
  t.equal(reached, 1)
})

t.test('a public name with a private address is refused, in each way to write one', async t => {
  const addresses = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
  ]
  for (const address of [
    ...addresses,
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
  ]) {
    const resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ]
    const delivery = { url: 'https://rebind.example.org/secret', headers: {}, body: '{}' }
    const attempt = await send(delivery, { allowed: NONE, resolve })
    t.same(attempt, { fault: 'rebind.example.org has an address that may not be reached' }, address)
  }
})

t.test('a redirect is an answer, and is not followed', async t => {
  let reached = 0
  const inner = await receiver(t, (_, response) => {
    reached++
    response.end()
  })
  for (const code of [301, 302, 307, 308]) {
    const port = await receiver(t, status(code, { location: `http://127.0.0.1:${inner}/` }))
    const delivery = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' }
    t.match(await send(delivery, { allowed: LOOPBACK }), { status: code })
  }
  t.equal(reached, 0)
})

t.test('of an answer 4 KB are read, and Retry-After', async t => {
  const port = await receiver(t, status(503, { 'retry-after': '120' }))
  const delivery = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' }
  const attempt = await send(delivery, { allowed: LOOPBACK })
  t.match(attempt, { status: 503, retryAfter: '120', answer: 'x'.repeat(4096) })
  t.equal('answer' in attempt && attempt.answer.length, 4096)
})

t.test('a receiver that drips its answer, or gives none, is left at the deadline', async t => {
  const port = await receiver(t, ({ url }, response) => {
    if (url === '/silent') return
    response.writeHead(500)
    const drip = setInterval(() => response.write('.'), 5)
    response.on('close', () => clearInterval(drip))
  })
  for (const path of ['/silent', '/drip']) {
    const delivery = { url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '{}' }
    const attempt = await send(delivery, { allowed: LOOPBACK, timeoutMs: 100 })
    t.ok('fault' in attempt, path)
    t.notMatch(JSON.stringify(attempt), path, 'no path is in the fault')
  }
  const never = () => new Promise<Resolved[]>(() => undefined)
  const delivery = { url: `http://chat.example.org:${port}/`, headers: {}, body: '{}' }
  t.ok(
    'fault' in (await send(delivery, { allowed: LOOPBACK, timeoutMs: 50, resolve: never })),
    'nor a resolver',
  )
})

t.test('a receiver that refuses the connection is a fault that names no path', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const delivery = { url: `http://127.0.0.1:${port}/secret`, headers: {}, body: '{}' }
  t.same(await send(delivery, { allowed: LOOPBACK }), { fault: 'ECONNREFUSED' })
})
