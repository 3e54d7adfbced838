import { Validator } from '@seriousme/openapi-schema-validator'
import { Hono } from 'hono'
import t from 'tap'
import { docsRoutes } from '../../src/docs/docs-routes.js'
import { openApiDocument } from '../../src/docs/openapi.js'
import { operations } from '../../src/docs/operations.js'
import type { Json, OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import { appOn } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { undocumentedRoutes } from '../fixtures/undocumented-routes.js'

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as OpenApi
const api = new DocumentedApi(document)

t.test('the document is OpenAPI 3.1', async t => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  t.ok(valid, 'it is valid', { errors })
  const broken = { ...structuredClone(document), paths: { '/x': { get: { parameters: 7 } } } }
  t.notOk((await new Validator().validate(broken as never)).valid, 'and one that is not is told')
})

t.test('every route is documented, and nothing else is', async t => {
  const test = await TestExchange.open(t)
  const { app } = appOn(test, undefined, docsRoutes('1.2.3'))
  t.same(undocumentedRoutes(app, document), [])

  const more = new Hono().route('/', app).get('/events/:code/secret', c => c.text(''))
  t.same(undocumentedRoutes(more, document), ['GET /events/{code}/secret is in no document'])
  const fewer = {
    ...document,
    paths: { ...document.paths, '/gone': { get: api.place('getOrder').operation } },
  }
  t.same(undocumentedRoutes(app, fewer), ['GET /gone is no route', 'GET /api/v1/gone is no route'])
})

t.test('every example is one of its schema', async t => {
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

/** What one field needs of another no JSON Schema says here. */
const BETWEEN_FIELDS = [
  'placeOrder without expires_at',
  'amendOrder without quantity',
  'batchOrders without orders',
  'batchOrders without cancels',
]

t.test('what may be left out of a body the document knows, too', async t => {
  const told: string[] = []
  for (const { id, body } of operations) {
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

t.test('no answer may have a field that is not documented', async t => {
  const loose = ['getOpenApi', 'getAsyncApi']
  for (const [id, { operation }] of api.places) {
    for (const [code, { content }] of Object.entries(operation.responses)) {
      if (loose.includes(id) && code === '200') continue
      for (const { schema } of Object.values(content ?? {})) {
        for (const open of openObjects(schema)) t.fail(`${id} ${code}: ${JSON.stringify(open)}`)
      }
    }
  }
  const answered = Object.keys(document.components.schemas).filter(name => !name.startsWith('New'))
  const sent = ['Amendment', 'OrderBatch', 'Resolution']
  for (const name of answered.filter(name => !sent.includes(name))) {
    t.same(openObjects(document.components.schemas[name] ?? {}), [], name)
  }
})

function openObjects(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inside = Object.values(schema).flatMap(openObjects)
  const { type, additionalProperties } = schema as Json
  return type === 'object' && additionalProperties !== false ? [schema as Json, ...inside] : inside
}
