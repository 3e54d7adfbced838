import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { spawnTestServer } from './fixtures/server-process.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ACTION = /^ *(?:- )?uses: (.*)$/gm
const BLOCK = 512
const run = promisify(execFile)

interface Packed {
  readonly name: string
  readonly mode: number
  readonly bytes: Buffer
}

/** Reads a tarball of npm, whose names are short and whose entries are files. */
function entriesOf(tarball: string): Packed[] {
  const bytes = gunzipSync(readFileSync(tarball))
  const entries: Packed[] = []
  for (let at = 0; bytes[at] !== 0; ) {
    const text = (start: number, end: number) =>
      bytes.toString('utf8', at + start, at + end).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 136), 8)
    const name = [text(345, 500), text(0, 100)].filter(part => part !== '').join('/')
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size)
    entries.push({
      name: name.replace(/^package\//, ''),
      mode: Number.parseInt(text(100, 108), 8),
      bytes: content,
    })
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return entries
}

/** Builds all packages into a folder, with these rights for the files that it makes. */
async function buildInto(folder: string, umask: string): Promise<void> {
  const script = `umask ${umask} && exec "$0" bin/build-packages.js --out "$1"`
  await run('bash', ['-c', script, process.execPath, folder], { cwd: ROOT })
}

const OUT = t.testdir({ first: {}, second: {} })
await Promise.all([buildInto(join(OUT, 'first'), '022'), buildInto(join(OUT, 'second'), '077')])
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const tarball = (name: string) => join(OUT, 'first', `${name}-${version}.tgz`)
const exchange = new Map(entriesOf(tarball('raay')).map(entry => [entry.name, entry]))
const client = new Map(entriesOf(tarball('raay-client')).map(entry => [entry.name, entry]))
const textOf = (entries: ReadonlyMap<string, Packed>, name: string) =>
  entries.get(name)?.bytes.toString() ?? ''
const namesOf = (entries: ReadonlyMap<string, Packed>) => [...entries.keys()]

t.test('raay holds the command, the bundle, the client and the texts, and nothing else', t => {
  const allowed = [
    /^(?:package\.json|README\.md|LICENSE|bin\/raay\.js)$/,
    /^client\/(?:client|node-client)\.js$|^client\/ws\.cjs$|^client\/types\/[\w/-]+\.d\.ts$/,
    /^dist\/bundle\/(?:package\.json|licences\.txt|[\w-]+\.js)$/,
    /^dist\/bundle\/pages\/[\w-]+\.(?:html|css|js|png|woff2)(?:\.gz|\.br)?$/,
    /^dist\/bundle\/pages\/guide-sections-\w+\.json(?:\.gz|\.br)?$/,
    /^dist\/bundle\/pages\/(?:licences\.txt|resvg\.wasm|share-\w+\.ttf)$|^dist\/bundle\/harfbuzz\.wasm$/,
    /^dist\/bundle\/codecs\/\w+\.wasm$/,
  ]
  t.same(
    namesOf(exchange).filter(name => !allowed.some(pattern => pattern.test(name))),
    [],
  )
  for (const name of ['raay.js', 'shard-worker.js', 'worker.js', 'pages/trade.html', 'licences.txt']) {
    t.ok(exchange.has(`dist/bundle/${name}`), name)
  }
  t.end()
})

t.test('raay depends on the native driver alone, runs no script, and names what it needs', t => {
  t.same(JSON.parse(textOf(exchange, 'package.json')), {
    name: 'raay',
    version,
    description:
      'A self-hosted exchange for opinion trading: binary YES/NO markets in INR, one process, one file.',
    license: 'MIT',
    type: 'module',
    bin: { raay: 'bin/raay.js' },
    exports: {
      './client': {
        types: './client/types/client/client.d.ts',
        browser: './client/client.js',
        node: './client/node-client.js',
        default: './client/client.js',
      },
      './package.json': './package.json',
    },
    imports: { '#ws': './client/ws.cjs' },
    engines: { node: '^20.18 || >=22.14' },
    dependencies: { 'better-sqlite3': '12.9.0 || ^13.2.0' },
  })
  t.equal(exchange.get('bin/raay.js')?.mode, 0o755, 'its command can be run')
  t.end()
})

t.test('raay-client holds the same client, depends on nothing and runs no script', t => {
  const files = (entries: ReadonlyMap<string, Packed>) =>
    namesOf(entries).filter(name => name.startsWith('client/'))
  const others = ['LICENSE', 'README.md', 'package.json', 'third-party-licences.txt']
  t.same(files(client), files(exchange))
  for (const name of files(client)) t.equal(textOf(client, name), textOf(exchange, name), name)
  t.same(
    namesOf(client)
      .filter(name => !name.startsWith('client/'))
      .sort(),
    others,
  )
  const { dependencies, scripts, bin, imports } = JSON.parse(textOf(client, 'package.json'))
  t.same(
    [dependencies, scripts, bin, imports],
    [undefined, undefined, undefined, { '#ws': './client/ws.cjs' }],
  )
  t.end()
})

t.test('no package holds source maps, tests, secrets, or paths of the machine that built it', t => {
  for (const [name, { bytes, mode }] of [...exchange, ...client]) {
    t.notMatch(name, /\.map$|\.test\.|(?:^|\/)test\/|\.tsbuildinfo|\.npmrc|\.env|\.key$|\.db$/, name)
    t.equal(mode, name === 'bin/raay.js' ? 0o755 : 0o644, `${name}: rights`)
    if (/\.(?:gz|br|png)$/.test(name)) continue
    const text = bytes.toString()
    t.notOk(text.includes(ROOT.slice(0, -1)) || text.includes('sourceMappingURL=data:'), name)
    t.notMatch(text, /^\/\/# sourceMappingURL=/m, name)
  }
  t.end()
})

t.test('a command loads neither schemas nor the log, the driver or the server before it needs them', t => {
  const loaded = new Set(['dist/bundle/raay.js'])
  for (const name of loaded) {
    const text = textOf(exchange, name)
    t.not(text, '', name)
    const late =
      /^\/\/ (?:node_modules\/(?:zod|pino|better-sqlite3|hono)\/|src\/(?:store\/driver|api\/routes|server\/server)\b).*/m
    t.notMatch(text, late, `${name}: ${late.exec(text)?.[0]}`)
    for (const [, part] of text.matchAll(/^(?:\} from|import) "\.\/([\w-]+\.js)"/gm))
      loaded.add(`dist/bundle/${part}`)
  }
  t.ok(loaded.size > 5, `${loaded.size} files`)
  t.end()
})

t.test('the packages stay small', t => {
  const megabytes = (entries: ReadonlyMap<string, Packed>) =>
    [...entries.values()].reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
  const packed = (name: string) => readFileSync(tarball(name)).length / 1e6
  t.ok(packed('raay') < 6, `raay: ${packed('raay')} MB packed`)
  t.ok(megabytes(exchange) < 18.2, `raay: ${megabytes(exchange)} MB`)
  t.ok(packed('raay-client') < 0.088, `raay-client: ${packed('raay-client')} MB packed`)
  t.end()
})

t.test('licences and the list of contents name everything that is bundled', t => {
  const licences = textOf(exchange, 'dist/bundle/licences.txt')
  const listed = (name: string) => {
    const text = readFileSync(join(OUT, 'first', `${name}-${version}.cdx.json`), 'utf8')
    const { metadata, components, serialNumber } = JSON.parse(text)
    t.equal(metadata.component.purl, `pkg:npm/${name}@${version}`)
    t.same([metadata.timestamp, serialNumber], [undefined, undefined], 'the same for each build')
    return components as { readonly name: string; readonly version: string; readonly hashes: unknown[] }[]
  }
  const components = listed('raay')
  for (const name of ['hono', 'zod', 'ws', 'piscina', 'socket.io', 'preact', 'uplot']) {
    t.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, 'm'), `licence of ${name}`)
    t.ok(
      components.some(component => component.name === name),
      `${name} is listed`,
    )
  }
  t.ok(
    components.some(({ name }) => name === 'better-sqlite3'),
    'so is what is installed',
  )
  t.notOk(
    components.some(({ name }) => ['typescript', 'tap', 'esbuild'].includes(name)),
    'no tools',
  )
  t.ok(
    components.every(({ hashes }) => hashes.length > 0),
    'with checksums',
  )
  t.same(
    listed('raay-client').map(({ name }) => name),
    ['ws'],
  )
  t.match(textOf(client, 'third-party-licences.txt'), /^ws \d[\s\S]*Permission is hereby granted/)
  for (const entries of [exchange, client]) t.match(textOf(entries, 'LICENSE'), 'MIT License')
  t.end()
})

t.test('two builds, whatever rights files are made with, are the same to the byte', t => {
  const sums = readFileSync(join(OUT, 'first/SHA256SUMS'), 'utf8')
  t.equal(readFileSync(join(OUT, 'second/SHA256SUMS'), 'utf8'), sums)
  const files = readdirSync(join(OUT, 'first'), { withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map(({ name }) => name)
  t.equal(files.length, 4)
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(OUT, 'first', name)))
      .digest('hex')
  t.equal(
    sums,
    files
      .sort()
      .map(name => `${hash(name)}  ${name}\n`)
      .join(''),
    'checksums of all files',
  )
  t.end()
})

t.test('the packed exchange trades with no other package than its driver installed', async t => {
  const modules = join(mkdtempSync(join(tmpdir(), 'raay-package-')), 'node_modules')
  t.teardown(() => rmSync(join(modules, '..'), { recursive: true, force: true }))
  cpSync(join(OUT, 'first/raay'), join(modules, 'raay'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'))
  const server = await spawnTestServer(t, { bin: join(modules, 'raay/bin/raay.js') })
  const event_id = await server.client.createEvent()
  t.match(await server.client.get('/'), { status: 200 }, 'its pages are with it')
  const program = `
    import { RaayClient } from 'raay/client'
    const client = new RaayClient({ url: '${server.url}', userid: 'asha' })
    const book = client.watchOrderBook('${event_id}')
    await book.ready()
    await client.createOrder({ event_id: '${event_id}', offer_type: 'buy', price: 6.5, quantity: 10 })
    for await (const { bids } of book) if (bids.length > 0) break
    console.log(JSON.stringify(book.state.bids))
    client.close()`
  const script = join(modules, '../trade.mjs')
  writeFileSync(script, program)
  const { stdout, stderr } = await run(process.execPath, [script])
  t.same([stdout, stderr], ['[[6.5,10]]\n', ''])
  t.equal(await server.kill('SIGTERM'), 0, server.stderr())
})

t.test('the checkout itself is never packed', async t => {
  const { private: isPrivate, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  t.equal(isPrivate, true, 'npm publish refuses')
  const refused = await run('bash', ['-c', scripts.prepack], { cwd: ROOT }).catch(error => error)
  t.match(refused, { code: 1, stderr: 'npm run build:packages' }, 'so does npm pack')
})

t.test('a tag is released only with its version in package.json, and a changelog', async t => {
  const check = (tag: string) =>
    run(process.execPath, ['bin/check-release.js', tag], { cwd: ROOT }).catch(error => error)
  t.match(await check('latest'), { code: 1, stdout: '', stderr: 'is no tag such as v0.2.0' })
  t.match(await check('v999.0.0'), { code: 1, stdout: '', stderr: `has the version ${version}` })
})

t.test('the workflows pin their actions, have no secrets and no more rights than they need', (t: Test) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of readdirSync(join(ROOT, '.github/workflows'))) {
    const text = readFileSync(join(ROOT, '.github/workflows', name), 'utf8')
    const actions = [...text.matchAll(ACTION)].map(([, action = '']) => action)
    t.ok(actions.length > 0)
    for (const action of actions) t.match(action, /^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$|^\.\/\.github\//, action)
    t.notMatch(text, /\{\{[^}]*\bsecrets\b/, name)
    t.match(text, /^permissions:\n {2}contents: read\n(?! )/m, 'reading is the default')
    t.match(text, /bash \.ci\/run|check\.yml/, 'everything is checked first')
    const called = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script = '']) => script)
    t.same(
      called.filter(script => !(script in scripts)),
      [],
      'every script exists',
    )
  }
  t.end()
})
