import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MESSAGES } from '../../src/api/channels/messages.js'
import type { Standing } from '../../src/api/operator/health-reading.js'
import type { RouteFacts } from '../../src/api/route.js'
import { routes } from '../../src/api/routes.js'
import { pageRoutes } from '../../src/api/site/page-routes.js'
import { readConfig } from '../../src/server/config/config.js'
import { standbyChecks } from '../../src/server/doctor/standby-check.js'
import { standingOf } from '../../src/server/health/host-standing.js'
import { appOn, QUIET_HOST } from '../fixtures/http-scenario.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** The routes of the API that a standby answers; all others are for the exchange that leads. */
const ANSWERED = [
  ...['getTradeSummary', 'listEvents', 'listCategories', 'getEvent', 'getOrderBook', 'listTrades'],
  ...['listCandles', 'listGroups', 'getGroup', 'listComments', 'listSeasons', 'getSeason', 'getActivity'],
  ...['getLeaderboard', 'getProfile', 'getSession', 'getAdminHealth', 'getHealthHistory', 'getDoctor'],
  'promote',
  ...['getMetrics', 'getDoors', 'openWebSocket', 'getHealth', 'getReadiness', 'getTime', 'getVersion'],
  ...['getOpenApi', 'getAsyncApi', 'getDocs', 'getDocsStyle', 'getDocsScript'],
]
const VALUES: Readonly<Record<string, string>> = { userid: 'asha', number: '1', tab: 'orders', name: 'asha' }

/** A reply to a message. */
interface Answer {
  readonly event: string
  readonly reason?: string
}

interface Standby extends TestServer {
  readonly code: string
  /** The session cookie of asha, who signed up while this exchange led. */
  readonly asha: Readonly<Record<string, string>>
  /** Lets the exchange lead, or follow. */
  lead(leads: boolean): void
}

/** Starts an exchange with an open order, which then says that it follows another one. */
async function startStandby(t: Parameters<typeof startTestServer>[0], texts = {}): Promise<Standby> {
  const { access, startingBalance } = readConfig(
    { auth: 'accounts', 'sign-up': 'open', 'starting-balance': '1000', ...texts },
    {},
  )
  const server = await startTestServer(t, { access, startingBalance })
  const nobody = new ServerClient(server.url)
  const { headers } = await nobody.post('/auth/sign-up', { name: 'asha', password: 'correct horse battery' })
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  const code = await server.client.createEvent()
  await server.client.placeOrder(code, { userid: 'asha' })
  await server.exchange.drain()
  let leads = false
  // The exchange itself would take commands: what refuses them is in front of it.
  Object.defineProperty(server.exchange, 'leads', { get: () => leads })
  const lead = (now: boolean) => {
    leads = now
  }
  return { ...server, code, asha: { cookie }, lead }
}

/** Returns a hash of all files that a write could have changed. */
function filesOf({ data }: Standby): string[] {
  const names = ['access.db', 'site.db', 'journal.db'].flatMap(name => [name, `${name}-wal`])
  return names.map(name =>
    createHash('sha256')
      .update(readFileSync(join(data, name)))
      .digest('hex'),
  )
}

t.test('a standby answers what is public and about itself, and changes nothing', async t => {
  const standby = await startStandby(t)
  const { url, client, exchange, code, asha } = standby
  const [files, sequence] = [filesOf(standby), exchange.sequence]
  const pages = Object.values(pageRoutes).flat() as readonly RouteFacts[]
  const answered: string[] = []
  const key = await client.get('/admin/health')
  t.equal(key.status, 200)
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)(?:\{[^/]*\})?/g, (_, name: string) => VALUES[name] ?? code)
    const init = { method: route.method, ...(route.body && { body: '{}' }) }
    const type = { 'content-type': 'application/json' }
    for (const headers of [asha, {}]) {
      const { status, headers: given } = await fetch(url + path, {
        ...init,
        headers: { ...type, ...headers },
      })
      const isRefused = given.get('raay-reason') === 'not_leader'
      t.equal(isRefused, !ANSWERED.includes(route.id), `${route.id} ${status}`)
      if (isRefused) t.same([status, given.get('retry-after')], [503, '1'])
      else answered.push(route.id)
    }
  }
  t.same([...new Set(answered)].sort(), [...ANSWERED].sort(), 'each of them is a route')
  for (const { path } of pages) {
    const { headers } = await fetch(url + path.replace(/:\w+(?:\{[^/]*\})?/g, code), {
      headers: { accept: 'text/html' },
    })
    t.not(headers.get('raay-reason'), 'not_leader', path)
  }
  t.equal((await client.send('PUT', '/nowhere', '{}')).status, 404)
  t.same([filesOf(standby), exchange.sequence], [files, sequence], 'nothing was written')
})

t.test('credentials are not looked at, since the exchange that leads may have ended them', async t => {
  const standby = await startStandby(t)
  const { url, asha, code } = standby
  const forged = { authorization: 'Bearer rk_forged' }
  const nobody = new ServerClient(url)
  for (const headers of [asha, forged, {}]) {
    t.match((await nobody.get(`/events/${code}/orderbook`, headers)).body.additional, { bids: [[5, 1]] })
    const session = (await nobody.get('/auth/session', headers)).body.additional
    t.match(session, { caller: null, needs_admin: false }, 'nobody is to be the first admin here')
  }
  t.equal((await nobody.get('/admin/health', forged)).status, 401, 'only of those who ask about the process')
  standby.lead(true)
  t.equal((await nobody.get('/events', forged)).status, 401)
  const leading = (await nobody.get('/auth/session', asha)).body.additional
  t.match(leading, { caller: { userid: 'asha' }, needs_admin: true })
})

t.test('where only members read, a standby shows nothing', async t => {
  const { url, asha, code } = await startStandby(t, { reads: 'members' })
  const nobody = new ServerClient(url)
  for (const headers of [asha, {}]) {
    const { status, headers: given } = await nobody.get(`/events/${code}/orderbook`, headers)
    t.same([status, given.get('raay-reason')], [503, 'not_leader'])
  }
  const socket = await WsClient.connect(t, nobody.wsUrl(), { headers: asha })
  t.match(await socket.ask(['subscribe_orderbook', code]), { reason: 'not_leader' })
})

t.test('sockets follow the books of a standby, and nothing else', async t => {
  const standby = await startStandby(t)
  const { client, exchange, asha, code } = standby
  const before = exchange.sequence
  const [visitor, signedIn] = await Promise.all(
    [{}, asha].map(headers => WsClient.connect(t, client.wsUrl(), { headers })),
  )
  const answers = new Map<string, unknown>()
  for (const { verb, sample } of MESSAGES) {
    const data = typeof sample === 'string' && /^\d+$/.test(sample) ? code : sample
    for (const socket of [visitor, signedIn]) {
      const answer = (await socket?.ask({ event: verb, data, id: verb })) as Answer | undefined
      if (answer?.reason === 'not_leader') t.match(answer, { event: 'error', retry_after_ms: 1000 }, verb)
      else answers.set(verb, answer?.event)
    }
  }
  t.same(Object.fromEntries(answers), {
    subscribe_orderbook: 'subscribed',
    unsubscribe_orderbook: 'unsubscribed',
    subscribe_group: 'error',
    unsubscribe_group: 'error',
    unsubscribe_user: 'unsubscribed',
  })
  t.equal(exchange.sequence, before)

  standby.lead(true)
  t.match(await signedIn?.closed, { code: 1013 }, 'it connects again, and is known then')
  t.match(await visitor?.ask(['subscribe_orderbook', code]), { event: 'subscribed' }, 'strangers stay')
})

const STANDING: Standing = { leads: false, sequence: 7, logEnd: 9, lagMs: 0, failure: undefined }
const live = { current: { standbyLagMaxMs: 2000 } } as Parameters<typeof standingOf>[1]
/** Standings of an exchange, and why it is not ready. */
const STANDINGS: readonly (readonly [Partial<Standing>, string | undefined])[] = [
  [{}, undefined],
  [{ lagMs: 2000 }, undefined],
  [{ lagMs: 2001 }, 'This standby has not had all of its log for 2 s'],
  [{ logEnd: undefined }, 'This standby has not heard from its log yet'],
  [
    { lagMs: 60_000, failure: 'nats://user:secret@n1 refused' },
    'This standby has not had all of its log for 60 s',
  ],
  [{ leads: true, logEnd: undefined }, undefined],
]

t.test('a standby that is too far behind is not ready, and operators see how far', async t => {
  const test = await TestExchange.open(t)
  for (const [change, expected] of STANDINGS) {
    const standing = { ...STANDING, ...change }
    const { read, isBehind } = standingOf(test.exchange, live, () => standing)
    const { app } = appOn(test, undefined, [], undefined, { ...QUIET_HOST, standing: read, isBehind })
    const { status, headers } = await app.request('/readyz')
    const { message } = (await (await app.request('/readyz')).json()) as { readonly message: string }
    t.same([status, headers.get('raay-reason')], expected === undefined ? [200, null] : [503, 'behind'])
    t.equal(message, expected ?? 'Ready')
    t.equal((await app.request('/healthz')).status, 200)
    const { leads, logEnd, lagMs, failure } = standing
    const { additional } = (await (await app.request('/admin/health')).json()) as { additional: object }
    const following = { log_end: logEnd ?? null, batches_behind: logEnd ? 2 : null, lag_ms: lagMs }
    t.match(additional, {
      role: leads ? 'leader' : 'standby',
      following: leads ? null : { ...following, failure: failure ?? null },
    })
    const metrics = await (await app.request('/metrics')).text()
    t.match(metrics, `\nraay_leads ${Number(leads)}\n`)
    t.equal(metrics.includes('\nraay_standby_lag_seconds '), !leads)
    const checks = standbyChecks({ read, isBehind }).map(({ result }) => result)
    t.same(checks, leads ? [] : [expected === undefined ? 'ok' : 'warn'])
  }
})

t.test('an exchange without a standing of its own leads', async t => {
  const { exchange } = await TestExchange.open(t)
  const { read, isBehind } = standingOf(exchange, live)
  t.match([read(), isBehind()], [{ leads: true, sequence: exchange.sequence, lagMs: 0 }, false])
})
