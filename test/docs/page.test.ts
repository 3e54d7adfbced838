import { execFileSync } from 'node:child_process'
import type { Hono } from 'hono'
import type { Test } from 'tap'
import t from 'tap'

import type { Sequence } from '../../src/core/units.js'
import { AppliedBatches } from '../../src/exchange/reads/applied-batches.js'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { keptDocuments } from '../../src/docs/documents.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import type { Json } from '../../src/docs/openapi/schema-shelf.js'
import { pythonSample, typescriptSample } from '../../src/docs/page/code-samples.js'
import { schemaHtml } from '../../src/docs/page/page-schema.js'
import { curlCommand, sampleRequest } from '../../src/docs/page/sample-request.js'
import type { Binding } from '../../src/http/routing/handle.js'
import { RouteTable } from '../../src/http/routing/route-table.js'
import { appServing } from '../../src/http/routing/serve.js'
import { docsPages } from '../../src/docs/page/page.js'
import type { OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import { accessFor } from '../fixtures/http-scenario.js'

const app = serving(docsHandlers('1.2.3'))
const openApi = openApiDocument('1.2.3')
const asyncApi = asyncApiDocument('1.2.3')
const api = new DocumentedApi(JSON.parse(JSON.stringify(openApi)) as OpenApi)

function serving(handlers: readonly Binding[]): Hono {
  return appServing({
    table: new RouteTable(handlers),
    exchange: { leads: true, applied: new AppliedBatches(0 as Sequence) },
    access: accessFor(),
    limits: undefined,
    missing: undefined,
  })
}

async function read(path: string, host = 'localhost:3000'): Promise<{ page: string; headers: Headers }> {
  const response = await app.request(`http://${host}${path}`)
  return { page: await response.text(), headers: response.headers }
}

t.test(
  'documents are made at their first request, once, again after a failure, and not at the start',
  async t => {
    let made = 0
    const make = async () => {
      made++
      if (made === 1) throw new Error('no memory')
      return { openApi: '{"a":1}', asyncApi: '{"b":1}', pages: { '': '<p>http://exchange.invalid/docs' } }
    }
    const lazy = serving(docsHandlers('1.2.3', keptDocuments('1.2.3', make)))
    lazy.onError((_, c) => c.text('', 500))
    await lazy.request('/docs/style.css')
    t.equal(made, 0)
    t.equal((await lazy.request('/openapi.json')).status, 500)
    const both = await Promise.all([lazy.request('/openapi.json'), lazy.request('/openapi.json')])
    for (const answer of both) t.equal(await answer.text(), '{"a":1}')
    t.equal(await (await lazy.request('/asyncapi.json')).text(), '{"b":1}')
    for (const host of ['a.example', 'b.example', 'a.example']) {
      t.match(await (await lazy.request(`http://${host}/docs`)).text(), `http://${host}/docs`)
    }
    t.equal(made, 2)
  },
)

t.test('the thread makes the documents that the schemas say, and the main thread goes on', async t => {
  const answers = ['/openapi.json', '/asyncapi.json'].map(path => app.request(path))
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  const [first, second] = await Promise.all(answers.map(async answer => (await answer).json()))
  clearInterval(turn)
  t.same(first, JSON.parse(JSON.stringify(openApi)))
  t.same(second, JSON.parse(JSON.stringify(asyncApi)))
  t.ok(turns > 5, 'requests are answered meanwhile')
})

function idsIn(page: string): Set<string> {
  return new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id))
}

const ADDRESSES = ['/docs', ...Object.keys(docsPages(openApi, asyncApi, 'http://localhost')).map(partAddress)]

function partAddress(name: string): string {
  return name === '' ? '/docs' : `/docs/api/${name}`
}

t.test('the pages load nothing from other origins and run no inline script', async t => {
  for (const address of ADDRESSES) {
    const { page, headers } = await read(address)
    const policy = headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none';/)
    t.notMatch(policy, /unsafe|https?:|\*/)
    t.notMatch(page, /<style|\sstyle=|\son[a-z]+=|<script(?! src=)|javascript:/i)
    const loaded = Array.from(
      page.matchAll(/<(?:link|script|img|iframe)[^>]*(?:href|src)="([^"]*)"/g),
      m => m[1],
    )
    t.same(loaded, ['/icon.svg', '/assets/first-look.js', '/docs/style.css', '/docs/copy.js', '/icon.svg'])
    const links = Array.from(page.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href = '']) => href)
    t.same(
      links.filter(href => !/^#content$|^\/(?:openapi|asyncapi)\.json$|^\/(?:docs(?:[/#].+)?)?$/.test(href)),
      [],
    )
  }
})

t.test('the pages show everything in both documents once, and every link between them resolves', async t => {
  const shown = new Map<string, string>()
  for (const address of new Set(ADDRESSES)) shown.set(address, (await read(address)).page)
  const tags = (openApi.tags as { name: string }[]).map(({ name }) => name)
  t.strictSame(
    [...shown.keys()],
    ['/docs', ...[...tags, 'WebSocket', 'Schemas'].map(name => partAddress(name.toLowerCase()))],
    'a page for each group of routes',
  )
  const ids = new Set([...shown.values()].flatMap(page => [...idsIn(page)]))
  for (const id of api.places.keys()) t.ok(ids.has(id), `the operation ${id}`)
  const { schemas } = openApi.components as { schemas: Json }
  for (const name of Object.keys(schemas)) t.ok(ids.has(`schema-${name}`), `the schema ${name}`)
  for (const { messages } of Object.values(asyncApi.channels as Record<string, { messages: Json }>)) {
    for (const name of Object.keys(messages)) t.ok(ids.has(`message-${name}`), `the message ${name}`)
  }
  for (const [address, page] of shown) {
    for (const [, href = ''] of page.matchAll(/href="([^"]*)"/g)) {
      const [path = '', id] = href.split('#')
      const target = path === '' ? page : shown.get(path)
      if (path.startsWith('/docs/api/') || path === '/docs') t.type(target, 'string', href)
      if (id !== undefined && target !== undefined && !idsIn(target).has(id)) t.fail(`${href} of ${address}`)
    }
    const count = Array.from(page.matchAll(/ id="([^"]+)"/g)).length
    t.equal(count, idsIn(page).size, `${address}: no id is there twice`)
  }
})

t.test('no page is as long as all were together, and unknown names are 404', async t => {
  for (const address of ADDRESSES) {
    t.ok((await read(address)).page.length < 600_000, address)
  }
  for (const name of ['nothing', 'constructor', 'guides']) {
    t.equal((await app.request(`http://localhost/docs/api/${name}`)).status, 404, name)
  }
})

t.test('text of the documents is never markup', async t => {
  const evil = '<img src=x onerror=alert(1)> "quoted" & `<b>`'
  const marked = JSON.parse(
    JSON.stringify(openApi).replaceAll('Place an order', JSON.stringify(evil).slice(1, -1)),
  ) as Json
  const { orders: page } = docsPages(marked, asyncApi, 'http://localhost')
  t.notMatch(page, /<img src=x|<b>/)
  t.match(page, '&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp;')
})

t.test('the lines to copy use the address that served the page', async t => {
  for (const [host, base] of [
    ['localhost:3000', 'http://localhost:3000'],
    ['raay.example.org', 'http://raay.example.org'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ["a'$(id)b", 'http://127.0.0.1:3000'],
  ] as const) {
    const { page } = await read('/docs', host)
    t.match(page, `curl -s &#39;${base}/events&#39;`, host)
    t.notMatch(page, /exchange\.invalid|\$\(id\)/, host)
  }
})

t.test('a length is a range in words', async t => {
  for (const [schema, words] of [
    [{ type: 'string', minLength: 1, maxLength: 64 }, 'string 1 to 64 characters'],
    [{ type: 'string', minLength: 7, maxLength: 7 }, 'string 7 characters'],
    [{ type: 'string', maxLength: 500, format: 'uri' }, 'string at most 500 characters, uri'],
    [{ type: 'array', items: { type: 'number' }, minItems: 1 }, 'at least 1 item<'],
  ] as const)
    t.match(String(await schemaHtml(schema)), words)
})

t.test('a shell parses a command to copy as intended', async t => {
  const evil = `it's "$HOME" \`id\` \\ $(id) !`
  const operation = {
    parameters: [
      { name: 'userid', in: 'path', required: true, example: evil },
      { name: 'q', in: 'query', required: true, example: evil },
      { name: 'limit', in: 'query', required: false, example: 7 },
    ],
    requestBody: { content: { 'application/json': { examples: { one: { value: { note: evil } } } } } },
  }
  const args = argumentsOf(
    t,
    curlCommand(sampleRequest('http://localhost', 'post', '/users/{userid}', operation)),
  )
  t.same(args, [
    '-s',
    `http://localhost/users/${encodeURIComponent(evil)}?q=${encodeURIComponent(evil)}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({ note: evil }),
  ])
  const long = { note: evil, more: 'a body of many fields is in lines of its own', quantity: 5 }
  const command = curlCommand({ method: 'post', url: 'http://localhost', body: long, isGuarded: false })
  t.match(command, /\n {2}"quantity": 5\n\}'$/)
  t.same(JSON.parse(argumentsOf(t, command).at(-1) ?? ''), long)
  const guarded = curlCommand(
    sampleRequest('http://localhost', 'delete', '/x', { security: [{ bearer: [] }] }),
  )
  const sometimes = curlCommand(
    sampleRequest('http://localhost', 'delete', '/x', { security: [{}, { bearer: [] }] }),
  )
  t.notMatch(sometimes, 'Authorization', 'most callers need no key')
  t.same(argumentsOf(t, guarded), [
    '-s',
    '-X',
    'DELETE',
    'http://localhost/x',
    '-H',
    'Authorization: Bearer T',
  ])
})

/** Returns the arguments that a shell would pass to curl. */
function argumentsOf(t: Test, command: string): string[] {
  t.match(command, /^curl /)
  const script = `curl() { printf '%s\\0' "$@"; }; cat() { [ "$1" = data/operator.key ] && echo T; }; ${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

t.test('samples in other languages send the same request, whatever is in it', async t => {
  const body = {
    text: `it's "${'$'}{id}" \n`,
    limit: 5,
    none: null,
    is: true,
    list: [{ a: 1 }, []],
    empty: {},
  }
  const request = { method: 'post', url: 'http://localhost/x?q=1', body, isGuarded: true }
  const sent: unknown[] = []
  const fetch = async (url: string, options: { method: string; headers: object; body: string }) => {
    sent.push([url, options.method, options.headers, JSON.parse(options.body)])
    return { json: async () => 'answer' }
  }
  const run = new Function(
    'fetch',
    'console',
    'process',
    `return (async () => {${typescriptSample(request)}})()`,
  )
  await run(fetch, { log: (answer: string) => sent.push(answer) }, { env: { RAAY_KEY: 'K' } })
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer K' }
  t.same(sent, [['http://localhost/x?q=1', 'POST', headers, body], 'answer'])
  const plain = { method: 'get', url: 'http://localhost/x', body: undefined, isGuarded: false }
  t.equal(
    typescriptSample(plain),
    'const answer = await fetch("http://localhost/x")\nconsole.log(await answer.json())',
  )
  t.equal(
    pythonSample(plain),
    'import requests\n\nanswer = requests.get("http://localhost/x")\nprint(answer.json())',
  )
  const python = pythonSample(request)
  t.match(python, /^import os\nimport requests\n/)
  for (const line of ['"none": None,', '"is": True,', '"empty": {},', JSON.stringify(body.text)])
    t.match(python, line)
})
