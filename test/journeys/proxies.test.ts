import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { caddyfile } from '../../src/cli/init/caddyfile.js'
import { nginxSite } from '../../src/cli/init/nginx-site.js'
import type { Config } from '../../src/server/config/config.js'
import { readConfig } from '../../src/server/config/config.js'
import type { NetworkConfig } from '../../src/server/config/network-config.js'
import { deploymentOf } from '../fixtures/deployment.js'
import { openForwarder } from '../fixtures/server/forwarder.js'
import { NO_CADDY, NO_NGINX, startCaddy, startNginx, startNginxSite } from '../fixtures/server/proxies.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import type { RawAnswer } from '../fixtures/server/server-raw.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

const PAIR = fileURLToPath(new URL('../../../test/fixtures/tls/first', import.meta.url))
const certificate = { certFile: `${PAIR}-cert.pem`, keyFile: `${PAIR}-key.pem` }
const ca = readFileSync(certificate.certFile)

type Headers = Readonly<Record<string, string>>

/** A way to the exchange that makes every connection come from this machine. */
interface Way {
  readonly name: string
  readonly skip: string | false
  /** Opens it to the exchange's address, and returns its own. */
  readonly open: (t: Test, url: string) => Promise<string>
  /** Set if the exchange sees the Host that the client sent. */
  readonly keepsHost: boolean
  readonly passesUpgrades: boolean
  /** Set if it adds its client's address to X-Forwarded-For. */
  readonly forwardsAddress?: true
  /** Set if it answers other names than its own by itself. */
  readonly knowsItsName?: true
}

/** Returns what `raay init` is given for a proxy of this machine at a port. */
const behind = (url: string, publicUrl: string) => deploymentOf(Number(new URL(url).port), publicUrl)

const WAYS: readonly Way[] = [
  {
    name: 'nginx with nothing but proxy_pass',
    skip: NO_NGINX,
    open: (t, url) => startNginx(t, `proxy_pass ${url};`),
    keepsHost: false,
    passesUpgrades: false,
  },
  {
    name: 'nginx that keeps the host',
    skip: NO_NGINX,
    open: (t, url) =>
      startNginx(
        t,
        `proxy_pass ${url};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;`,
      ),
    keepsHost: true,
    passesUpgrades: true,
    forwardsAddress: true,
  },
  {
    name: 'the nginx of raay init',
    skip: NO_NGINX,
    open: (t, url) => startNginxSite(t, port => nginxSite(behind(url, `http://127.0.0.1:${port}`))),
    keepsHost: true,
    passesUpgrades: true,
    forwardsAddress: true,
  },
  {
    name: 'the Caddy of raay init',
    skip: NO_CADDY,
    open: (t, url) => startCaddy(t, port => caddyfile(behind(url, `http://127.0.0.1:${port}`))),
    keepsHost: true,
    passesUpgrades: true,
    forwardsAddress: true,
    knowsItsName: true,
  },
  {
    name: 'a plain TCP forwarder',
    skip: false,
    open: (t, url) => openForwarder(t, () => url),
    keepsHost: true,
    passesUpgrades: true,
  },
]

/** Headers by which a stranger would like to pass for a program on this machine. */
const FORGED: readonly Headers[] = [
  {},
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Real-IP': '127.0.0.1', 'X-Forwarded-Host': 'localhost', 'X-Forwarded-Proto': 'https' },
  { Forwarded: 'for=127.0.0.1;host=localhost' },
  { 'X-Forwarded-For': '::1, 127.0.0.1', Host: 'localhost' },
  { Authorization: 'Bearer ' },
  { Authorization: 'Basic cm86cm8=' },
  { Authorization: `Bearer ro_${'x'.repeat(43)}` },
  { Cookie: `raay_session=rs_${'x'.repeat(43)}` },
]

interface Stage {
  readonly server: TestServer
  readonly url: string
  /** Without the operator's key. */
  readonly stranger: ServerClient
}

async function stage(
  t: Test,
  way: Pick<Way, 'open'>,
  config: Partial<Config> = {},
  network: (url: string) => Partial<NetworkConfig> = () => ({}),
): Promise<Stage> {
  // The way must be known before the exchange starts: it is part of its settings.
  let target = ''
  const url = await way.open(t, await openForwarder(t, () => target))
  const server = await startTestServer(t, config, {}, network(url))
  target = server.url
  return { server, url, stranger: new ServerClient(url) }
}

async function send(
  url: string,
  request: string,
  headers: Headers,
  body = '',
): Promise<RawAnswer | undefined> {
  const { host, port } = new URL(url)
  const all = Object.entries({ Host: host, 'Content-Length': String(Buffer.byteLength(body)), ...headers })
  const connection = await RawConnection.open(Number(port))
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  connection.write(`${request} HTTP/1.1\r\n${head}\r\n${body}`)
  const [answer] = await connection.answered()
  await connection.reset()
  return answer
}

const DEPOSIT = JSON.stringify({ amount: 500_000, txn_id: 'gift' })
const ORDER = JSON.stringify({
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'ada',
})
/** Caddy answers with an empty page where a name is not its own. */
const NOT_ITS_NAME = 200
const JSON_TYPE = { 'Content-Type': 'application/json' }

const eventOf = (title: string) => ({
  title,
  description: 'It is, or it is not.',
  start_date: '2026-01-01T00:00:00Z',
  end_date: '2036-01-01T00:00:00Z',
  min_bet: 0,
  max_bet: 1_000_000,
  sot: 'test',
  quantity: 1_000_000,
})

for (const way of WAYS) {
  const { name, skip, keepsHost, passesUpgrades, knowsItsName = false } = way

  t.test(`behind ${name} nobody becomes an operator without the key`, { skip }, async t => {
    const { server, url, stranger } = await stage(t, way)
    await server.client.createEvent()
    await server.client.placeOrder('1000001', { userid: 'ada' })
    const before = await server.client.get('/portfolio/ada/balance')
    const requests = [
      'POST /portfolio/ada/deposit',
      'POST /portfolio/ada/withdraw',
      'POST /events/1000001/halt',
      'POST /events/1000001/resolve',
      'POST /admin/backup',
      'GET /admin/actions',
      'GET /admin/health',
      'GET /metrics',
      'GET /portfolio',
    ]
    for (const headers of FORGED) {
      for (const asked of requests) {
        const answer = await send(url, asked, { ...JSON_TYPE, ...headers }, DEPOSIT)
        const expected = knowsItsName && 'Host' in headers ? NOT_ITS_NAME : 401
        t.equal(answer?.status, expected, `${asked} ${JSON.stringify(headers)}`)
      }
    }
    t.same((await server.client.get('/portfolio/ada/balance')).body, before.body, 'no money has moved')
    t.match(await stranger.get('/events/1000001'), { body: { additional: { status: 'open' } } })
    const operator = new ServerClient(url, readOperatorKey(server.data))
    t.match(await operator.post('/portfolio/ada/deposit', { amount: 1, txn_id: 'pay' }), { status: 201 })
  })

  t.test(`behind ${name} programs trade, and pages of other sites do not`, { skip }, async t => {
    const { server, url, stranger } = await stage(t, way)
    await server.client.createEvent()
    await stranger.placeOrder('1000001')
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await send(url, 'POST /order/initiate', { ...JSON_TYPE, ...headers }, ORDER)
      t.match(answer, { status: 403, headers: { 'raay-reason': 'cross_site' } })
    }
    // A page whose own name was pointed at the proxy.
    const evil = `evil.example:${new URL(url).port}`
    const rebound = { ...JSON_TYPE, Host: evil, Origin: `http://${evil}`, 'Sec-Fetch-Site': 'same-origin' }
    const answer = await send(url, 'POST /order/initiate', rebound, ORDER)
    t.equal(answer?.status, knowsItsName ? NOT_ITS_NAME : keepsHost ? 421 : 403)

    const wsUrl = `${url.replace('http', 'ws')}/ws`
    if (!passesUpgrades) {
      t.match(await stranger.get('/ws'), { status: 426 })
      return
    }
    const socket = await WsClient.connect(t, wsUrl)
    t.match(await socket.ask(['subscribe_orderbook', '1000001']), { event: 'subscribed' })
    await t.rejects(WsClient.connect(t, wsUrl, { origin: 'https://evil.example' }), /403/)
  })

  t.test(`behind ${name} the exchange's own pages work with --public-url`, { skip }, async t => {
    const { server, url } = await stage(t, way, {}, publicUrl => ({ publicUrl }))
    await server.client.createEvent()
    const own = { ...JSON_TYPE, Origin: url, 'Sec-Fetch-Site': 'same-origin' }
    t.match(await send(url, 'POST /order/initiate', own, ORDER), { status: 201 })
    const other = { ...own, Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }
    t.match(await send(url, 'POST /order/initiate', other, ORDER), { status: 403 })
    if (!passesUpgrades) return
    const socket = await WsClient.connect(t, `${url.replace('http', 'ws')}/ws`, { origin: url })
    t.match(await socket.ask(['subscribe_orderbook', '1000001']), { event: 'subscribed' })
  })

  t.test(`behind ${name} a forged X-Forwarded-For changes nothing`, { skip }, async t => {
    const proxies = new BlockList()
    proxies.addAddress('127.0.0.1')
    const cases: readonly (readonly [BlockList | undefined, string])[] = [
      [undefined, '127.0.0.1'],
      // Only a proxy that writes the header may be trusted.
      ...(way.forwardsAddress ? ([[proxies, '127.0.0.2']] as const) : []),
    ]
    for (const [trustedProxies, address] of cases) {
      const { server, url } = await stage(t, way, { trustedProxies })
      for (const forged of ['6.6.6.6', '6.6.6.6, 127.0.0.1', '127.0.0.1', '::1', 'nonsense', '']) {
        const title = `Is ${forged || 'nothing'} believed?`
        const created = await post(url, '/events/create', eventOf(title), { 'X-Forwarded-For': forged })
        t.equal(created, 201, title)
      }
      const { body } = await server.client.get('/admin/actions')
      const { actions } = body.additional as { actions: readonly { address: string }[] }
      t.same(new Set(actions.map(action => action.address)), new Set([address]))
    }
  })
}

t.test(
  'the nginx of raay init ends TLS: people may sign in, and WebSockets open',
  { skip: NO_NGINX },
  async t => {
    const open = async (t: Test, url: string) => {
      const site = (port: number) => nginxSite({ ...behind(url, `https://127.0.0.1:${port}`), certificate })
      return (await startNginxSite(t, site)).replace('http', 'https')
    }
    const { access } = readConfig({ auth: 'accounts' }, {})
    const { url } = await stage(t, { open }, { access }, publicUrl => ({ publicUrl }))
    const own = { Origin: url, 'Sec-Fetch-Site': 'same-origin' }
    t.equal(await post(url, '/auth/login', { name: 'ada', password: 'not hers at all' }, own), 401)
    const socket = await WsClient.connect(t, `${url.replace('https', 'wss')}/ws`, { ca, origin: url })
    t.match(await socket.ask(['subscribe_orderbook', '7']), { event: 'error' })
  },
)

/** Posts JSON from another address of this machine than the proxies have; returns the status. */
async function post(url: string, path: string, body: unknown, headers: Headers): Promise<number> {
  const options = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, localAddress: '127.0.0.2', ca }
  const sent = (url.startsWith('https:') ? secureRequest : request)(url + path, options)
  sent.end(JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'close')
  return answer.statusCode ?? 0
}

/** The proxies of `raay init` with a standby. */
const SPREADERS = [
  { name: 'nginx', skip: NO_NGINX, start: startNginxSite, site: nginxSite },
  { name: 'Caddy', skip: NO_CADDY, start: startCaddy, site: caddyfile },
] as const

for (const { name, skip, start, site } of SPREADERS) {
  t.test(
    `the ${name} of raay init sends market data to a standby, and all else to the leader`,
    { skip },
    async t => {
      const [leader, standby] = [await startTestServer(t), await startTestServer(t)]
      await leader.client.createEvent({ title: 'Does the leader answer?' })
      await standby.client.createEvent({ title: 'Does the standby answer?' })
      await leader.client.placeOrder('1000001', { userid: 'ada', l1_expected_price: 4 })
      await standby.client.placeOrder('1000001', { userid: 'ada', l1_expected_price: 3 })
      Object.defineProperty(standby.exchange, 'leads', { value: false })
      const standbys = [new URL(standby.url).host]
      const made = (port: number) => site(deploymentOf(leader.port, `http://127.0.0.1:${port}`, { standbys }))
      const client = new ServerClient(await start(t, made), readOperatorKey(leader.data))
      const titleOf = async () => {
        const { additional } = (await client.get('/events/1000001')).body
        return (additional as { readonly title: string }).title
      }
      const bidOf = async (path: string) => {
        const socket = await WsClient.connect(t, client.wsUrl(path))
        const { bids } = (await socket.subscribe('1000001')) as { readonly bids?: readonly unknown[] }
        return bids
      }
      // A health check may not have been made yet.
      while ((await titleOf()) !== 'Does the standby answer?');
      for (const path of ['/events/1000001/orderbook', '/api/v1/events/1000001/orderbook?depth=1']) {
        t.match((await client.get(path)).body.additional, { bids: [[3, 1]] }, path)
      }
      t.same(await bidOf('/ws?channels=markets'), [[3, 1]])
      t.same(await bidOf('/ws'), [[4, 1]])
      t.match(await client.get('/portfolio/ada/positions'), { status: 200 })
      t.match(await client.get('/auth/session'), {
        body: { additional: { caller: { kind: 'operator_key' } } },
      })
      await client.placeOrder('1000001', { userid: 'ada', l1_expected_price: 2 })
      t.match((await leader.client.book('1000001')).bids, [
        [4, 1],
        [2, 1],
      ])
      t.match((await standby.client.book('1000001')).bids, [[3, 1]])

      await standby.close()
      t.equal(await titleOf(), 'Does the leader answer?')
      t.same((await bidOf('/ws?channels=markets'))?.[0], [4, 1])
    },
  )
}
