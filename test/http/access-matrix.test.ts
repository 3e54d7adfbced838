import type { Hono } from 'hono'
import type { Test } from 'tap'
import t from 'tap'
import type { AccessOptions } from '../../src/access/access.js'
import type { Needs } from '../../src/api/route.js'
import { success } from '../../src/http/middleware/envelope.js'
import type { Binding } from '../../src/http/routing/handle.js'
import { handle } from '../../src/http/routing/handle.js'
import type { RouteTable } from '../../src/http/routing/route-table.js'
import { CALLERS, callersTokens, SIGNS, tokenOf } from '../fixtures/access-callers.js'
import { CELLS, ROUTES, RULES } from '../fixtures/access-cells.js'
import { accessFor, appOn, peer } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const MODES: Readonly<Record<string, Partial<AccessOptions>>> = {
  open: {},
  accounts: { mode: 'accounts', openCreation: false },
  members: { mode: 'accounts', openCreation: false, publicReads: false },
  jwt: { mode: 'jwt', openCreation: false },
  public: { mode: 'jwt', openCreation: false, publicReads: true },
}

const ORDER = {
  userid: 'asha',
  event_id: '1000009',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
}
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /order/initiate': ORDER,
  'POST /order/batch': { orders: [ORDER] },
  'POST /order/:id/amend': { quantity: 2 },
  'POST /order/preview': ORDER,
  'POST /order/cancel-after': { userid: 'asha', timeout_s: 0 },
  'PUT /order/quotes': { userid: 'asha', event_id: '1000001', quotes: [] },
  'POST /groups/:code/convert': { userid: 'asha', outcomes: [], quantity: 1 },
  'POST /events/:code/comments': { userid: 'asha', text: 'Rain is likely.' },
}
const ADDED = { method: 'GET' } as const
/** The exchange of the test is in memory: there is nothing to back up. */
const NO_DISK = 'POST /admin/backup'
const ASHAS = [
  'GET /order/queue',
  'GET /order',
  'DELETE /order',
  'GET /order/by-client-id/:key',
  'DELETE /order/by-client-id/:key',
  'DELETE /events/:code/comments/:number',
]

t.test('each route answers each caller in each mode as the table says', async t => {
  for (const [mode, options] of Object.entries(MODES)) {
    const stage = await openMode(t, options)
    const { table, test } = stage
    const routes = routesOf(table)
    t.same(
      routes.filter(name => !(name in ROUTES)),
      [],
      'every route is in the table',
    )
    t.same(
      Object.keys(ROUTES).filter(name => !routes.includes(name)),
      [],
      'and no other',
    )
    for (const name of routes) {
      const expected = cellsIn(mode, ruleOf(name))
      const row = (await rowOf(stage, name, expected.split(' '), t)).join(' ')
      t.equal(row, expected, `${mode}: ${name}`)
    }
    t.ok(test.exchange.moneyIsAllThere())
  }
})

t.test('a route that is added is guarded as it says, without an entry in any table', async t => {
  const added = Object.keys(RULES).map(needs => {
    const path = `/added/${needs.replace(':', '-')}` as const
    return { ...ADDED, path, needs: needs as Needs }
  })
  const more = added.map(route => handle(route, call => success(call, 200, 'Added')))
  for (const [mode, options] of Object.entries(MODES)) {
    const stage = await openMode(t, options, more)
    for (const { path, needs } of added) {
      const name = `GET ${path}`
      t.ok(routesOf(stage.table).includes(name))
      const expected = cellsIn(mode, RULES[needs])
      t.equal((await rowOf(stage, name, expected.split(' '), t)).join(' '), expected, `${mode}: ${needs}`)
    }
  }
})

/** Returns the cells of a rule: where only members read, most are as in other exchanges with accounts. */
function cellsIn(mode: string, rule: string): string {
  const cells = CELLS[rule]
  return cells?.[mode] ?? cells?.accounts ?? ''
}

interface Stage {
  readonly app: Hono
  readonly table: RouteTable
  readonly test: TestExchange
  /** An open order of asha. */
  readonly order: string
}

async function openMode(
  t: Test,
  options: Partial<AccessOptions>,
  more: readonly Binding[] = [],
): Promise<Stage> {
  const test = await TestExchange.open(t)
  const tokens = callersTokens()
  const { app, table } = appOn(test, accessFor({ ...options, finder: tokens, verifier: tokens }), more)
  await test.create()
  const placed = await app.request('/order/initiate', {
    method: 'POST',
    headers: headersOf('key'),
    body: JSON.stringify({ ...ORDER, event_id: '1000001', client_order_id: '1000009' }),
  })
  const order = placed.headers.get('x-order-id') ?? ''
  t.equal(placed.status, 201)
  return { app, table, test, order }
}

/** Returns the names of the routes that are served to programs. */
function routesOf({ bindings }: RouteTable): string[] {
  return bindings.map(({ route: { method, path } }) => `${method} ${path}`)
}

/**
 * Sends a request as each caller, at the bare address and below /api/v1; returns the cells. Those who are to be
 * refused come first, and nothing may be written for them.
 */
async function rowOf(stage: Stage, name: string, expected: readonly string[], t: Test): Promise<string[]> {
  const cells: string[] = []
  const isRefused = (index: number) => expected[index] !== '+'
  const all = CALLERS.map((_, index) => index)
  const before = stage.test.journalled().length
  for (const index of all.filter(isRefused)) cells[index] = await cellOf(stage, name, index, t)
  await stage.test.exchange.drain()
  t.equal(stage.test.journalled().length, before, `${name}: a refused request writes nothing`)
  for (const index of all.filter(index => !isRefused(index)))
    cells[index] = await cellOf(stage, name, index, t)
  return cells
}

async function cellOf({ app, order }: Stage, name: string, index: number, t: Test): Promise<string> {
  const [method = '', route = ''] = name.split(' ')
  const path = route
    .replace('/profiles/:userid', '/profiles/nobody')
    .replace(':userid', 'asha')
    .replace(/^(\/order\/):id/, `$1${order}`)
    .replace(/^\/events\/:code/, method === 'GET' ? '/events/1000001' : '/events/1000009')
    .replace(/:\w+(?:\{[^}]*\})?/g, '1000009')
  const event = name === 'GET /order/queue' ? '&event_id=1000009' : ''
  const query = ASHAS.includes(name) ? `?userid=asha${event}` : ''
  const headers = headersOf(CALLERS[index]?.[0] ?? '')
  const init = { method, headers, ...(method !== 'GET' && { body: bodyOf(name) }) }
  const answer = await app.request(path + query, init, peer('127.0.0.1'))
  const reason = answer.headers.get('raay-reason') ?? ''
  const isRefused = answer.status === 401 || answer.status === 403 || reason in SIGNS
  if (name !== NO_DISK) t.ok(answer.status < 500, `${name}: ${answer.status}`)
  if (!isRefused) {
    const [, status] = (ROUTES[name] ?? 'added 200').split(' ')
    if (status !== undefined || name !== NO_DISK) t.equal(String(answer.status), status, `${name} passes`)
    return '+'
  }
  const again = await app.request(`/api/v1${path}${query}`, init, peer('127.0.0.1'))
  const isThere = again.headers.get('raay-reason') !== 'route_not_found'
  if (isThere) t.equal(again.headers.get('raay-reason'), reason, `${name} below /api/v1`)
  return SIGNS[reason] ?? reason
}

function ruleOf(name: string): string {
  return (ROUTES[name] ?? '').split(' ')[0] ?? ''
}

function headersOf(caller: string): Record<string, string> {
  const headers = { Host: 'localhost', 'Content-Type': 'application/json' }
  const token = tokenOf(caller)
  return token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` }
}

function bodyOf(name: string): string {
  return JSON.stringify(BODIES[name] ?? {})
}
