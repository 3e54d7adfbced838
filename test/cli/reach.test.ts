import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { reachOf } from '../../src/cli/reach.js'
import { RaayClient } from '../../src/client/node-client.js'
import { localAddress } from '../../src/server/site/listening.js'
import { announceAddress, runningAddress } from '../../src/store/files/running-address.js'
import { callRaay } from '../fixtures/raay-call.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { startTestServer } from '../fixtures/server-process.js'

const PAIRS = fileURLToPath(new URL('../../../test/fixtures/tls/', import.meta.url))
const tlsOf = (name: 'first' | 'public') => ({
  certFile: join(PAIRS, `${name}-cert.pem`),
  keyFile: join(PAIRS, `${name}-key.pem`),
  redirectPort: undefined,
})

t.test('verbs find the exchange on a data directory, on whichever port it listens', async t => {
  const server = await startTestServer(t)
  const raay = (line: string, env = {}) => callRaay(line.split(' '), { RAAY_DATA: server.data, ...env })
  const code = await server.client.createEvent()
  t.match((await raay('event list')).stdout, new RegExp(code))
  t.match((await raay('admin link')).stdout, new RegExp(`^${server.url}/admin`), "with its operator's key")

  const elsewhere = await raay('event list', { RAAY_URL: 'http://127.0.0.1:1' })
  t.match(elsewhere, { code: 1, stderr: /cannot reach http:\/\/127\.0\.0\.1:1 \(/ }, 'an address given wins')
  t.notMatch(elsewhere.stderr, /no exchange runs on/)

  const left = readFileSync(join(server.data, 'raay.address'), 'utf8')
  await server.close()
  t.notOk(existsSync(join(server.data, 'raay.address')), 'it leaves with the exchange')
  writeFileSync(join(server.data, 'raay.address'), left)
  t.equal(runningAddress(server.data), undefined, 'one that a killed exchange left behind is not used')
  const none = await raay('event list')
  t.equal(none.code, 1)
  t.match(none.stderr, `and no exchange runs on ${server.data}: start it with raay start`)
  t.match(none.stderr, /cannot reach http:\/\/127\.0\.0\.1:3000 /, 'says which address was tried')
})

t.test('verbs verify a certificate for the public name on this machine', async t => {
  const network = { publicUrl: 'https://raay.example.org', tls: tlsOf('public') }
  const server = await startTestServer(t, {}, {}, network)
  const raay = (...argv: string[]) => callRaay(argv, { RAAY_DATA: server.data })
  const made = await raay('admin', 'link')
  t.match(made, { code: 0, stdout: /^https:\/\/raay\.example\.org\/admin/ }, made.stderr)
  for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost')]) {
    t.match(await raay('event', 'list', '--url', url), { code: 0 }, url)
  }

  // The same server under a name that its certificate is not for.
  announceAddress(server.data, {
    url: server.url,
    tls: { name: 'other.example.org', certificate: network.tls.certFile },
  })
  t.match(await raay('admin', 'link'), { code: 1, stdout: '', stderr: /ERR_TLS_CERT_ALTNAME_INVALID/ })
  // The right name, on a certificate that nobody vouches for.
  announceAddress(server.data, {
    url: server.url,
    tls: { name: 'raay.example.org', certificate: tlsOf('first').certFile },
  })
  t.match(await raay('admin', 'link'), {
    code: 1,
    stdout: '',
    stderr: /DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO/,
  })
  t.same(server.faults, [])
})

t.test('the WebSocket of a verb verifies it, too', async t => {
  const network = { publicUrl: 'https://raay.example.org', tls: tlsOf('public') }
  const server = await startTestServer(t, {}, {}, network)
  const reach = await reachOf(undefined, server.data)
  t.match(reach, { url: server.url, isOwn: true })
  const client = new RaayClient({ ...reach, adminToken: readOperatorKey(server.data) })
  t.teardown(() => client.close())
  const event_id = await client.operator.createMarket({
    ...{ title: 'Will it rain?', description: 'Resolves YES if it rains.', sot: 'weather', quantity: 100 },
    ...{ start_date: '2026-01-01T00:00:00.000Z', end_date: '2036-01-01T00:00:00.000Z' },
    ...{ min_bet: 0, max_bet: 1000 },
  })
  for await (const book of client.watchOrderBook(event_id)) {
    t.match(book, { event_id, seq: 0 })
    break
  }
})

t.test('an address of all interfaces becomes one of this machine', t => {
  const network = { publicUrl: undefined, allowedHosts: [], corsOrigins: [], tls: undefined }
  for (const [listening, url] of [
    ['http://0.0.0.0:3000', 'http://127.0.0.1:3000'],
    ['http://[::]:3000', 'http://[::1]:3000'],
    ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ] as const) {
    t.same(localAddress(listening, network), { url })
  }
  t.equal(runningAddress(dataDirectory(t)), undefined, 'no exchange ever ran here')
  t.end()
})
