import t from 'tap'
import { z } from 'zod'
import { ClientAddresses } from '../../src/access/limits/client-address.js'
import { Limiter } from '../../src/access/limits/limiter.js'
import { route } from '../../src/api/route.js'
import { routes } from '../../src/api/routes.js'
import { validate } from '../../src/api/validation.js'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import { readJson } from '../../src/http/middleware/body.js'
import { success } from '../../src/http/middleware/envelope.js'
import { handle } from '../../src/http/routing/handle.js'
import { RouteTable } from '../../src/http/routing/route-table.js'
import { accessFor, AS_OPERATOR, appOn, peer } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const dice = route({
  id: 'rollDice',
  method: 'POST',
  path: '/dice/:count/roll',
  needs: 'operator:money',
  cost: { kind: 'orders', points: 400 },
  group: 'Service',
  summary: 'Roll dice',
  query: z.object({ sides: z.string().optional() }),
  body: { schema: z.object({ name: z.string() }), samples: { roll: { name: 'asha' } } },
  answers: [{ code: 200, message: 'Rolled', additional: z.string(), samples: { six: { additional: '6' } } }],
  refusals: {},
})
const rolled = handle(dice, async call => {
  const { name } = validate(dice.body?.schema ?? z.object({ name: z.string() }), await readJson(call))
  return success(call, 200, 'Rolled', `${name} ${call.params.count} ${call.caller.kind}`)
})

t.test('a route is one declaration and one handler: limits, guards, queries and methods follow', async t => {
  const test = await TestExchange.open(t)
  const limiter = new Limiter(() => 0)
  const limits = { addresses: new ClientAddresses(() => undefined), limiter }
  const { app } = appOn(test, accessFor(), [rolled], limits)
  const ask = async (path: string, method = 'POST', headers: Readonly<Record<string, string>> = {}) => {
    const address = { incoming: { ...peer('203.0.113.7').incoming, headers } }
    const body = method === 'POST' ? { body: JSON.stringify({ name: 'asha' }) } : {}
    const response = await app.request(
      path,
      { method, headers: { Host: 'localhost', ...headers }, ...body },
      address,
    )
    return { status: response.status, reason: response.headers.get('raay-reason'), response }
  }
  const operator = { authorization: AS_OPERATOR.Authorization }
  for (const path of ['/dice/3/roll', '/api/v1/dice/3/roll', '/d%69ce/3/r%6Fll']) {
    const { status, response } = await ask(path, 'POST', operator)
    t.equal(status, 200, path)
    t.match(await response.json(), { additional: 'asha 3 operator_key' })
  }
  t.match(await ask('/dice/3/roll?side=6', 'POST', operator), { status: 422, reason: 'parameter_unknown' })
  t.match(await ask('/dice/3/roll?sides=6', 'POST', operator), { status: 200 })
  for (const path of ['/dice/3/roll/', '/dice//roll', '//dice/3/roll', '/Dice/3/roll', '/dice/3%2Froll']) {
    t.equal((await ask(path, 'GET')).status, 404, path)
  }
  const other = await ask('/dice/3/roll', 'GET')
  t.match([other.status, other.response.headers.get('allow')], [405, 'POST, OPTIONS'])

  t.match(
    await ask('/dice/3/roll'),
    { status: 401, reason: 'token_missing' },
    '400 of the 1000 orders of an address',
  )
  t.match(await ask('/dice/3/roll?side=6'), { status: 401 }, 'a stranger learns nothing of its parameters')
  await ask('/dice/3/roll')
  const limited = await ask('/dice/3/roll')
  t.match(limited, { status: 429 }, 'which are used up')
  t.equal((await ask('/time', 'GET')).status, 200, 'and no other limit is')
})

t.test('an added route is in the document, with its callers and its refusals', t => {
  const { paths } = openApiDocument('1.2.3', [...routes, dice]) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  }
  t.match(paths['/dice/{count}/roll']?.post, {
    operationId: 'rollDice',
    description: 'For operators.',
    security: [{ bearer: [] }, { session: [] }],
    responses: { 200: {}, 401: {}, 403: {}, 422: {}, 429: {} },
  })
  t.end()
})

t.test('every declared route has a handler, and no address has two', async t => {
  const test = await TestExchange.open(t)
  const { table } = appOn(test, accessFor(), docsHandlers('1.2.3'))
  const bound = new Set(table.bindings.map(binding => binding.route))
  for (const declared of routes) t.ok(bound.has(declared), declared.id)
  const ids = routes.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'each by a name of its own')
  t.throws(() => new RouteTable([rolled, rolled]), /has one handler/)
})

t.test('each route is found in each spelling that means its path, and in no other', async t => {
  const test = await TestExchange.open(t)
  const { table } = appOn(test, accessFor(), docsHandlers('1.2.3'))
  const encoded = (text: string) => text.replace(/[\w.-]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)
  for (const { route } of table.bindings) {
    const path = route.path
      .replace(':code{[0-9]{7}}', '1000001')
      .replace(/:version\{.*/, '5.png')
      .replace(/:\w+/g, 'x')
    const found = (spelling: string) => table.match(route.method, spelling).binding?.route
    t.equal(found(path), route, path)
    t.equal(found(encoded(path)), route, `${path} encoded`)
    t.equal(found(`/api/v1${path}`), route.isAtRootOnly ? undefined : route, `/api/v1${path}`)
    t.equal(found(`/api/v1/api/v1${path}`), undefined)
    if (path === '/') continue
    for (const spelling of [
      `/${path}`,
      path.replace(/^\/(.)/, (_, sign: string) => `/${sign.toUpperCase()}`),
    ]) {
      t.equal(found(spelling), undefined, spelling)
    }
    t.not(found(`${path}/`), route, `${path}/`)
    t.not(found(path.replaceAll('/', '%2F')), route)
    t.not(found(path.replace(/^\//, '/%2561'.slice(0, 4))), route)
  }
})
