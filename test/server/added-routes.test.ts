import pino from 'pino'
import t from 'tap'
import type { RouteFacts } from '../../src/api/route.js'
import { success } from '../../src/http/middleware/envelope.js'
import { handle } from '../../src/http/routing/handle.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { rawRequest } from '../fixtures/server/raw-request.js'

const GET = { method: 'GET' } as const
/** Each differs from the first in one fact. */
const ADDED: readonly RouteFacts[] = [
  { ...GET, path: '/added', needs: 'visit' },
  { ...GET, path: '/added/read', needs: 'read' },
  { ...GET, path: '/added/private', needs: 'visit', isPrivate: true },
  { ...GET, path: '/added/shared', needs: 'visit', isShared: true },
  { ...GET, path: '/added/monitor', needs: 'visit', isProbe: true },
  { method: 'POST', path: '/added/change', needs: 'trade' },
  { method: 'POST', path: '/added/orders', needs: 'trade', placesOrders: true },
]

t.test('the server sheds, caches and shares an added route by its declaration alone', async t => {
  let handled = 0
  const server = await startServer({
    config: { ...readConfig({ port: '0', shards: '1' }, {}), data: dataDirectory(t) },
    version: '0.0.0-test',
    log: pino({ level: 'silent' }),
    fail: error => t.fail(String(error.stack)),
    limits: { orderWaitMsMax: -1 },
    moreRoutes: ADDED.map(route =>
      handle(route, call => {
        handled++
        return success(call, 200, 'Added')
      }),
    ),
  })
  t.teardown(() => server.close())
  for (const { path, needs, isPrivate, isShared, isProbe } of ADDED.slice(0, 5)) {
    for (const address of [path, `/api/v1${path}`, path.replace('added', 'add%65d')]) {
      const { status, headers } = await rawRequest(server.url, address, {})
      t.equal(status, 200, address)
      t.equal(headers['cache-control'], isPrivate || needs === 'read' ? 'no-store' : undefined, address)
      const readers = isShared ? 'cross-origin' : 'same-origin'
      t.equal(headers['cross-origin-resource-policy'], readers, address)
      const elsewhere = await rawRequest(server.url, address, { host: 'rebound.example' })
      t.equal(elsewhere.status, isProbe ? 200 : 421, address)
    }
  }
  t.equal(handled, 5 * 3 + 3)

  const client = new ServerClient(server.url)
  t.match(await client.post('/added/change', {}), { status: 200 })
  t.equal(handled, 19)
  for (const path of ['/added/orders', '/api/v1/added/orders', '/add%65d/orders', '/added/orders?x=1']) {
    const { status, headers } = await client.post(path, {})
    t.same([status, headers.get('raay-reason'), headers.get('retry-after')], [503, 'busy', '1'], path)
  }
  t.equal(handled, 19, 'an order that is shed reaches no handler')
  const other = await client.send('DELETE', '/added/orders')
  t.match(other, { status: 405 })
  t.equal(other.headers.get('allow'), 'POST, OPTIONS')
})
