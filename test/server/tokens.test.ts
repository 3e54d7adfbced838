import type { Test } from 'tap'
import t from 'tap'
import type { AccessConfig } from '../../src/server/config/access-config.js'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { routes } from '../../src/api/routes.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'
import { bearer, TOKENS } from '../fixtures/tokens.js'

const ORDER = { l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy', order_type: 'LO' }
const EVENT = {
  title: 'Will it happen?',
  description: 'It happens or it does not.',
  start_date: '2020-01-01T00:00:00.000Z',
  end_date: '2120-01-01T00:00:00.000Z',
  min_bet: 0,
  max_bet: 1_000_000,
  sot: 'test',
  quantity: 1_000_000,
}

async function start(t: Test, access: Partial<AccessConfig> = {}) {
  const server = await startTestServer(t, { access: { ...TOKENS, ...access } })
  const client = new ServerClient(server.url)
  const created = await client.post('/events/create', EVENT, bearer({ sub: 'root', role: 'operator' }))
  return { ...server, client, code: String(created.body.additional) }
}

t.test('a token decides who trades, no matter whom the body names', async t => {
  const { client, code, exchange, faults } = await start(t)
  const deposit = { amount: 100, txn_id: 'first' }
  const operator = bearer({ sub: 'root', role: 'operator' })
  t.match(await client.post('/portfolio/asha/deposit', deposit, operator), { status: 201 })
  const order = { ...ORDER, event_id: code }
  const own = await client.post('/order/initiate', order, bearer({ sub: 'asha' }))
  t.match(own, { status: 201 })
  t.match(await client.get('/portfolio/asha/balance', bearer({ sub: 'asha' })), {
    status: 200,
    body: { additional: { held: 5 } },
  })

  const refused: readonly (readonly [number, string, Record<string, string>, object])[] = [
    [401, 'token_missing', {}, order],
    [401, 'token_wrong', bearer({ sub: 'asha' }, 'another-secret-of-thirty-two-bytes!'), order],
    [401, 'token_wrong', { authorization: 'Bearer a.b.c' }, order],
    [401, 'token_expired', bearer({ sub: 'asha', exp: 1 }), order],
    [403, 'other_user', bearer({ sub: 'ravi' }), { ...order, userid: 'asha' }],
    [403, 'scope_missing', bearer({ sub: 'asha', scope: 'read' }), order],
    [403, 'scope_missing', bearer({ sub: 'asha', role: 'viewer' }), order],
  ]
  for (const [status, reason, headers, body] of refused) {
    const answer = await client.post('/order/initiate', body, headers)
    t.equal(answer.status, status, JSON.stringify(answer.body))
    t.equal(answer.headers.get('raay-reason'), reason)
    t.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
  }
  t.match(await client.post('/portfolio/asha/deposit', deposit, bearer({ sub: 'asha' })), { status: 403 })
  const { orders } = (await client.get('/order', bearer({ sub: 'asha' }))).body.additional as {
    orders: unknown[]
  }
  t.equal(orders.length, 1)
  t.ok(exchange.moneyIsAllThere())
  t.same(faults, [])
})

t.test('without a token only health and documents are served, and market data if it is public', async t => {
  for (const publicReads of [false, true]) {
    const { client, code } = await start(t, { publicReads })
    for (const path of ['/healthz', '/readyz', '/version', '/openapi.json']) {
      t.equal((await client.get(path)).status, 200, path)
    }
    for (const path of ['/events', `/events/${code}/orderbook`, `/events/${code}/trades`]) {
      t.equal((await client.get(path)).status, publicReads ? 200 : 401, path)
    }
    for (const path of ['/portfolio/asha/balance', '/order?userid=asha', '/metrics']) {
      t.equal((await client.get(path)).status, 401, path)
    }
    t.equal((await client.get('/events', { authorization: 'Bearer a.b.c' })).status, 401, 'a wrong token')
  }
})

/** One grey pixel. */
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA='

t.test('what a page shows of the site itself needs no token in any mode', async t => {
  const modes: readonly Partial<AccessConfig>[] = [
    { mode: 'open', openCreation: true, publicReads: true },
    { mode: 'accounts', publicReads: true },
    { publicReads: true },
    {},
  ]
  for (const access of modes) {
    const server = await startTestServer(t, { access: { ...TOKENS, ...access } })
    const name = `${access.mode ?? 'jwt'} ${access.publicReads ?? ''}`
    const code = await server.client.createEvent()
    const put = await server.client.send('PUT', `/events/${code}/image`, JSON.stringify({ picture: JPEG }))
    const { image } = put.body.additional as { readonly image: string }
    t.match(image, /^\/pictures\//)
    const icons = ['/icon.svg', '/favicon.ico', '/apple-touch-icon.png', '/icon-192.png', '/icon-512.png']
    for (const path of [...icons, '/manifest.webmanifest', '/', '/assets/fonts.css']) {
      for (const headers of [{}, { accept: 'text/html' }]) {
        t.equal((await fetch(server.url + path, { headers })).status, 200, `${name} ${path}`)
      }
    }
    t.equal((await fetch(`${server.url}/logo`)).status, 404, `${name}: there is none, which is no secret`)

    const isOpen = access.publicReads === true
    t.equal((await fetch(server.url + image)).status, isOpen ? 200 : 401, `${name} ${image}`)
    const feed = await fetch(`${server.url}/feed.xml`, { headers: isOpen ? {} : bearer({ sub: 'asha' }) })
    t.equal(feed.headers.get('cache-control'), `${isOpen ? 'public' : 'private'}, max-age=60`, name)
    t.equal((await fetch(`${server.url}/feed.xml`)).status, isOpen ? 200 : 401, name)
  }
})

t.test('no answer has a header twice', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const put = await server.client.send('PUT', `/events/${code}/image`, JSON.stringify({ picture: JPEG }))
  const { image } = put.body.additional as { readonly image: string }
  const pages = ['/market/1000001', '/admin', '/sign-in', '/embed/1000001', '/docs/guides', '/nowhere', '//']
  const files = [
    image,
    '/icon.svg',
    '/manifest.webmanifest',
    '/assets/fonts.css',
    '/docs/copy.js',
    '/feed.xml',
  ]
  const reads = routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const connection = await RawConnection.open(server.port)
  for (const path of [...pages, ...files, ...reads.map(path => path.replace(':code', code))]) {
    connection.write(
      `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: keep-alive\r\n\r\n`,
    )
  }
  connection.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await connection.closed
  const heads = connection.received.toString('latin1').split('HTTP/1.1 ').slice(1)
  t.equal(heads.length, pages.length + files.length + reads.length + 1)
  for (const head of heads) {
    const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase())
    const twice = names.filter((name, index) => name !== 'vary' && names.indexOf(name) !== index)
    t.same(twice, [], head)
  }
})

t.test('no cache keeps what only operators read', async t => {
  const server = await startTestServer(t)
  await server.client.createEvent()
  const reads = routes.filter(({ method, needs }) => method === 'GET' && needs.startsWith('operator:'))
  t.ok(reads.length >= 10)
  const key = readOperatorKey(server.data)
  for (const { path } of reads) {
    const address = server.url + path.replace(':code', '1000001').replace(/:\w+/, 'asha')
    const { headers } = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    t.equal(headers.get('cache-control'), 'no-store', path)
  }
})
