import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const BUNDLE_BYTES_MAX = 31_000
const run = promisify(execFile)

/** A program as its author would write it; the compiler must reject each marked line. */
const PROGRAM = `
import type { Health, Order, OrderBook, StatementEntry, Trade, Watch } from 'raay/client'
import { RaayClient, RaayError } from 'raay/client'

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

/** Creates a project with a copy of this package only: zod is not installed. */
function projectWithout(root: string): string {
  const copy = join(root, 'node_modules/raay')
  for (const part of ['package.json', 'dist/src']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: path => !path.endsWith('.map') })
  }
  return root
}

/** Creates a project with this package only. */
function projectIn(root: string): string {
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(ROOT, join(root, 'node_modules/raay'))
  return root
}

t.test('TypeScript programs get its types, in Node and in a page, without zod', async t => {
  for (const [name, options] of Object.entries({
    node: ['--module', 'nodenext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
    page: ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', ''],
  })) {
    const project = projectWithout(t.testdir({ 'package.json': '{"type":"module"}', 'program.ts': PROGRAM }))
    const flags = ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2023', ...options, 'program.ts']
    const { stdout } = await run(process.execPath, [TSC, ...flags], { cwd: project }).catch(error => error)
    t.equal(stdout, '', name)
  }
})

t.test('bundles small for a page, without any Node code', async t => {
  const entry = "import { RaayClient } from 'raay/client'\nnew RaayClient({ url: location.origin })\n"
  const project = projectIn(t.testdir({ 'page.js': entry }))
  const { outputFiles, metafile } = await build({
    entryPoints: [join(project, 'page.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  const size = outputFiles[0]?.contents.length ?? 0
  t.ok(size > 0 && size < BUNDLE_BYTES_MAX, `${size} bytes`)
  const outside = Object.keys(metafile.inputs).filter(
    path => !/dist\/src\/(?:client|api|core)\b/.test(dirname(path)),
  )
  t.match(outside, [/page\.js$/], 'nothing but the client and the contract is in it')
})

t.test('Node imports it by the same name', async t => {
  const say = "process.stdout.write(typeof RaayClient + ' ' + new RaayError(503, 'a', 'b').retryable)"
  const project = projectIn(
    t.testdir({ 'a.mjs': `import { RaayClient, RaayError } from 'raay/client'\n${say}\n` }),
  )
  const { stdout } = await run(process.execPath, [join(project, 'a.mjs')])
  t.equal(stdout, 'function true')
})
