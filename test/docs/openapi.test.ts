import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import { routes } from '../../src/api/routes.js'
import { samples } from '../../src/api/samples.js'
import type { Json, OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import { appOn } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { undocumentedRoutes } from './undocumented-routes.js'

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as OpenApi
const api = new DocumentedApi(document)
/** The bodies of requests, which clients send. */
const BODIES = ['Amendment', 'OrderBatch', 'Resolution', 'SignUp', 'Login', 'PasswordChange', 'Recovery']
/** The schemas that only clients send, and what browsers exchange with authenticators. */
const SENT = Object.keys(document.components.schemas).filter(
  name => name.startsWith('New') || name.startsWith('Passkey') || BODIES.includes(name),
)
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))

t.test('the document is OpenAPI 3.1', async t => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  t.ok(valid, 'it is valid', { errors })
  const broken = { ...structuredClone(document), paths: { '/x': { get: { parameters: 7 } } } }
  t.notOk((await new Validator().validate(broken as never)).valid, 'and detects an invalid one')
})

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const noRedocly = major === 20 && minor < 19 ? 'Redocly needs Node 20.19 or later' : false

t.test('the document passes Redocly', { skip: noRedocly }, async t => {
  const [passed, failed] = await Promise.all([
    redoclyFaults(document),
    redoclyFaults(withoutSecurity(document)),
  ])
  // A WebSocket upgrade gets a 101, and no order has the id by-client-id.
  t.same(passed.map(fault => fault.split(' ')[0]).sort(), ['no-ambiguous-paths', 'operation-2xx-response'])
  t.ok(
    failed.some(fault => fault.startsWith('security-defined ')),
    'and detects one without security',
  )
})

t.test('tools that ignore prefixItems accept a book that is not empty', async t => {
  const older = JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'prefixItems' ? undefined : value,
  ) as OpenApi
  const { OrderBook: book } = older.components.schemas
  const olderApi = new DocumentedApi(older)
  const level = (...values: unknown[]) => ({ ...samples.book, bids: [values], asks: [values] })
  t.same(olderApi.faultsOf(book ?? {}, level(6.5, 4)), [])
  t.not(olderApi.faultsOf(book ?? {}, level(6.5, '4')).length, 0)
  t.not(api.faultsOf(document.components.schemas.OrderBook ?? {}, level(6.5, 4, 1)).length, 0)
  const arrays = objectsIn(document).filter(({ type }) => type === 'array')
  t.ok(arrays.length > 10, `${arrays.length} arrays`)
  for (const { items, prefixItems } of arrays) t.type(items, Object, JSON.stringify(prefixItems))
})

t.test(
  'no request schema has a default, which generated clients would turn into a required field',
  async t => {
    const requests = [...api.places.values()].flatMap(({ operation: { parameters = [], requestBody } }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    ])
    const sent = [...requests, ...SENT.map(name => document.components.schemas[name] ?? {})]
    t.same(
      sent.flatMap(objectsIn).filter(schema => 'default' in schema),
      [],
    )
    t.match(JSON.stringify(document.components.schemas.NewOrder), /`taker` where it is left out/)
  },
)

t.test('the documented routes are exactly those of the app', async t => {
  const test = await TestExchange.open(t)
  const { table } = appOn(test, undefined, docsHandlers('1.2.3'))
  t.same(undocumentedRoutes(table, document), [])

  const secret = { method: 'GET', path: '/events/:code/secret', needs: 'visit', isAtRootOnly: true } as const
  const more = { bindings: [...table.bindings, { route: secret }] }
  t.same(undocumentedRoutes(more, document), ['GET /events/{code}/secret is in no document'])
  const fewer = {
    ...document,
    paths: { ...document.paths, '/gone': { get: api.place('getOrder').operation } },
  }
  t.same(undocumentedRoutes(table, fewer), ['GET /gone is no route', 'GET /api/v1/gone is no route'])
})

t.test('a method that a path lacks is answered as documented', async t => {
  const test = await TestExchange.open(t)
  const { app } = appOn(test, undefined, docsHandlers('1.2.3'))
  for (const [id, { path }] of api.places) {
    const response = await app.request(path.replace(/\{\w+\}/g, '1000001'), { method: 'SEARCH' })
    const { status, headers } = response
    t.same(api.faultsIn(id, { status, headers, text: await response.text() }), [], path)
    t.equal(status, 405, path)
  }
})

t.test('no request needs a header beside its credentials', async t => {
  for (const { path, method, operation } of api.places.values()) {
    const headers = (operation.parameters ?? []).filter(parameter => parameter.in === 'header')
    t.same(
      headers.filter(({ required }) => required).map(({ name }) => name),
      [],
      `${method} ${path}`,
    )
  }
})

t.test('every example fits its schema', async t => {
  let count = 0
  for (const { path, method, operation } of api.places.values()) {
    for (const { name, schema, example } of operation.parameters ?? []) {
      t.same(api.faultsOf(schema, example), [], `${method} ${path} ${name}`)
      count++
    }
    const bodies = [operation.requestBody, ...Object.values(operation.responses)]
    for (const body of bodies) {
      for (const { schema, example, examples } of Object.values(body?.content ?? {})) {
        const values = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value)
        t.not(values.length, 0, `${method} ${path} has an example of each body`)
        for (const value of values) t.same(api.faultsOf(schema, value), [], `${method} ${path}`)
        count += values.length
      }
    }
  }
  t.ok(count > 200, `${count} examples`)
})

/** Conditions between fields, which the JSON Schemas here do not express. */
const BETWEEN_FIELDS = [
  'placeOrder without expires_at',
  'setEventImage without emoji',
  'saveSchedule without weekdays',
]

t.test('the document marks the optional fields of a body as optional', async t => {
  const told: string[] = []
  for (const { id, body } of routes) {
    if (body === undefined) continue
    const { schema } = api.place(id).operation.requestBody?.content['application/json'] ?? { schema: {} }
    for (const [name, sample] of Object.entries(body.samples)) {
      t.ok(body.schema.safeParse(sample).success, `${id}: ${name}`)
      for (const field of Object.keys(sample as Json)) {
        const { [field]: _, ...less } = sample as Json
        const isDocumented = api.faultsOf(schema, less).length === 0
        const isTaken = body.schema.safeParse(less).success
        if (isDocumented !== isTaken) told.push(`${id} without ${field}`)
      }
    }
  }
  t.same(told, BETWEEN_FIELDS)
})

t.test('no response may have an undocumented field', async t => {
  const loose = ['getOpenApi', 'getAsyncApi']
  for (const [id, { operation }] of api.places) {
    for (const [code, { content }] of Object.entries(operation.responses)) {
      if (loose.includes(id) && code === '200') continue
      for (const { schema } of Object.values(content ?? {})) {
        for (const open of openObjects(schema)) t.fail(`${id} ${code}: ${JSON.stringify(open)}`)
      }
    }
  }
  for (const name of Object.keys(document.components.schemas).filter(name => !SENT.includes(name))) {
    t.same(openObjects(document.components.schemas[name] ?? {}), [], name)
  }
})

function openObjects(schema: Json): Json[] {
  return objectsIn(schema).filter(
    ({ type, additionalProperties }) =>
      type === 'object' && additionalProperties !== false && !isMap(additionalProperties),
  )
}

/** Returns whether the values of an object are described, whatever their names. */
function isMap(values: unknown): boolean {
  return typeof values === 'object' && values !== null && 'type' in values
}

/** Yields the value, if it is an object, and all objects inside it. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Json, ...inside]
}

function withoutSecurity(document: object): object {
  return JSON.parse(JSON.stringify(document, (name, value) => (name === 'security' ? undefined : value)))
}

/** Returns the findings of Redocly's recommended rules: rule and location. */
async function redoclyFaults(document: object): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'raay-redocly-'))
  const path = join(directory, 'openapi.json')
  writeFileSync(path, JSON.stringify(document))
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = [REDOCLY, 'lint', '--format=json', path]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: directory }).catch(
      (error: { readonly stdout: string }) => error,
    )
    const { problems } = JSON.parse(stdout) as {
      readonly problems: readonly {
        readonly ruleId: string
        readonly location: readonly [{ readonly pointer: string }]
      }[]
    }
    return problems.map(({ ruleId, location: [{ pointer }] }) => `${ruleId} ${pointer}`)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
