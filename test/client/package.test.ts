import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Test } from 'tap'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const BUNDLE_BYTES_MAX = 46_000
const run = promisify(execFile)

/** A program as its author would write it; the compiler must reject each marked line. */
const PROGRAM = `
import type { Health, Order, OrderBook, StatementEntry, Trade, Watch } from 'raay-client'
import { RaayClient, RaayError } from 'raay-client'

const client = new RaayClient({ url: 'http://127.0.0.1:3000', userid: 'asha' })
const watch: Watch<OrderBook> = client.watchOrderBook('1000001')
const price: number | undefined = watch.state?.bids[0]?.[0]
client.watchTrades('1000001', { after: '1000001-1' }, { onUpdate: (trade: Trade) => trade.qty, onError: () => {} })
const order: Promise<Order> = client.createOrder({ event_id: '1', offer_type: 'buy', price: 5, quantity: 1 })
order.catch((error: unknown) => error instanceof RaayError && error.retryable)
for (const result of await client.createOrders([])) if (!(result instanceof RaayError)) result.state
export const seen = [price, order]
export const health: Promise<Health> = client.operator.fetchHealth()
export const type = (entry: StatementEntry): 'deposit' | undefined => (entry.type === 'deposit' ? entry.type : undefined)
// @ts-expect-error
client.createOrder({ event_id: '1', offer_type: 'hold', price: 5, quantity: 1 })
// @ts-expect-error
client.watchOrderBook('1000001', { onUpdate: () => {} })
// @ts-expect-error
new RaayClient({})
`

const PACKAGES = t.testdir()
await run(process.execPath, [join(ROOT, 'bin/build-packages.js'), '--only', 'raay-client', '--out', PACKAGES])

/** Creates a project with the package raay-client, and with no other package. */
function projectWith(t: Test, name: string, text: string): string {
  const root = t.testdir({ 'package.json': '{"type":"module"}', [name]: text })
  cpSync(join(PACKAGES, 'raay-client'), join(root, 'node_modules/raay-client'), { recursive: true })
  return root
}

t.test('TypeScript programs get its types, in Node and in a page, with no other package', async t => {
  for (const [name, options] of Object.entries({
    node: ['--module', 'nodenext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
    page: ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', ''],
  })) {
    const project = projectWith(t, 'program.ts', PROGRAM)
    const flags = ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2023', ...options, 'program.ts']
    const { stdout } = await run(process.execPath, [TSC, ...flags], { cwd: project }).catch(error => error)
    t.equal(stdout, '', name)
  }
})

t.test('bundles small for a page, without any Node code', async t => {
  const entry = "import { RaayClient } from 'raay-client'\nnew RaayClient({ url: location.origin })\n"
  const project = projectWith(t, 'page.js', entry)
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['page.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  const size = outputFiles[0]?.contents.length ?? 0
  t.ok(size > 0 && size < BUNDLE_BYTES_MAX, `${size} bytes`)
  t.same(Object.keys(metafile.inputs), ['node_modules/raay-client/client/client.js', 'page.js'])
})

t.test('Node imports it, with or without a WebSocket of its own', async t => {
  const program = `
    import { RaayClient, RaayError } from 'raay-client'
    const client = new RaayClient({ url: 'http://127.0.0.1:3000' })
    client.close()
    process.stdout.write(typeof client.createOrder + ' ' + new RaayError(503, 'a', 'b').retryable)`
  const given = 'globalThis.WebSocket = class {}\n'
  for (const prelude of ['delete globalThis.WebSocket\n', given]) {
    const project = projectWith(t, 'first.mjs', prelude)
    writeFileSync(join(project, 'a.mjs'), `import './first.mjs'\n${program}`)
    const { stdout } = await run(process.execPath, [join(project, 'a.mjs')])
    t.equal(stdout, 'function true', prelude)
  }
})

t.test('a package without the copy of ws still works where Node has a WebSocket', async t => {
  const program = `
    import { RaayClient } from 'raay-client'
    globalThis.WebSocket = class {}
    new RaayClient({ url: 'http://127.0.0.1:3000' }).close()`
  const project = projectWith(t, 'a.mjs', program)
  rmSync(join(project, 'node_modules/raay-client/client/ws.cjs'))
  const { stderr } = await run(process.execPath, [join(project, 'a.mjs')])
  t.equal(stderr, '', 'Node from 22 on never loads it')
})

t.test('the checkout exports the same client as raay/client', t => {
  const { exports, imports, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const built = JSON.parse(readFileSync(join(PACKAGES, 'raay-client/package.json'), 'utf8'))
  t.same(Object.keys(exports['./client']), Object.keys(built.exports['.']), 'under the same conditions')
  t.same([Object.keys(imports), version], [Object.keys(built.imports), built.version])
  t.end()
})
