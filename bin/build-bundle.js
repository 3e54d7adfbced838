// Bundles the exchange into dist/bundle: the program (raay.js), the scripts of its threads and processes beside
// it, the code they share, the pages and the licences. It runs with better-sqlite3 as its only package.
// The last step of `npm run build`.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from './licences.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/bundle')
const pages = join(root, 'dist/src/http/pages/pages')

const PROGRAM = 'src/cli/raay.ts'
/** They start long after the program, and would double much of it. */
const REPLICA_THREADS = [
  'src/replication/objects/objects-thread.ts',
  'src/replication/companions/pack-thread.ts',
]
const SHARING = [PROGRAM, ...REPLICA_THREADS]
const NATIVE = 'better-sqlite3'
/** Piscina starts this file beside its own code. */
const PISCINA_WORKER = 'node_modules/piscina/dist/worker.js'
/** WebAssembly of the packages that decode and encode pictures. */
const CODECS = [
  'png/codec/pkg/squoosh_png_bg.wasm',
  'jpeg/codec/dec/mozjpeg_dec.wasm',
  'webp/codec/dec/webp_dec.wasm',
  'webp/codec/enc/webp_enc_simd.wasm',
]
/** Faster, native variants of functions that ws has itself. It asks for them, and does without. */
const ABSENT = ['bufferutil', 'utf-8-validate']
/** A script or a directory that a module finds as its neighbour: in the sources as in the bundle, which is flat. */
const NEIGHBOUR = /new URL\('([^']+)', import\.meta\.url\)/g

/** CommonJS packages expect these names. `require` finds built-in modules, and the package left outside. */
const BANNER = `import { createRequire as raay$require } from 'node:module'
import { fileURLToPath as raay$path } from 'node:url'
const require = raay$require(import.meta.url)
const __filename = raay$path(import.meta.url)
const __dirname = raay$path(new URL('.', import.meta.url))`

/** Lists the scripts that the sources start: each `./name.js` as the source beside the file that names it. */
function startedScripts() {
  const sources = readdirSync(join(root, 'src'), { recursive: true }).filter(path => /\.ts$/.test(path))
  return sources.flatMap(path => {
    const source = join('src', path)
    const text = readFileSync(join(root, source), 'utf8')
    const names = [...text.matchAll(NEIGHBOUR)].map(([, name]) => name)
    return names
      .filter(name => name.endsWith('.js'))
      .map(name => {
        if (!/^\.\/[\w-]+\.js$/.test(name)) throw new Error(`${source}: ${name} is not beside it`)
        return join(source, '..', name.replace(/\.js$/, '.ts'))
      })
  })
}

/** Names each entry by its file alone. Throws if two have the same name. */
function namedEntries(paths) {
  const entries = new Map()
  for (const path of new Set(paths)) {
    const name = basename(path).replace(/\.[jt]s$/, '')
    if (entries.has(name)) throw new Error(`${path} and ${entries.get(name)} would be the same file`)
    entries.set(name, path)
  }
  return Object.fromEntries(entries)
}

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What esbuild does not do by itself. */
const ours = {
  name: 'raay',
  setup(bundle) {
    bundle.onResolve({ filter: /^@napi-rs\/nice$/ }, () => ({ path: join(root, 'bin/bundle/nice.js') }))
    const absent = new RegExp(`^(?:${ABSENT.join('|')})$`)
    bundle.onResolve({ filter: absent }, ({ path }) => ({ path, namespace: 'absent' }))
    bundle.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is not in the bundle')`,
    }))
    // The exchange words its refusals itself: of zod's texts in fifty languages it needs none but English.
    bundle.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
    // What the sources load late from a package becomes part of the bundle like any import.
    bundle.onLoad({ filter: /\/src\/client\/node-client\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('createRequire(import.meta.url)(', 'require('),
      loader: 'ts',
    }))
  },
}

rmSync(target, { recursive: true, force: true })
// The verbs share their code. A thread is ready earlier if all of its code is in one file.
const bundles = [
  await bundleOf(SHARING, { splitting: true, chunkNames: 'part-[hash]' }),
  await bundleOf([...startedScripts().filter(path => !SHARING.includes(path)), PISCINA_WORKER], {}),
]
const outputs = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs))
const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs))

const builtIn = new Set(builtinModules)
for (const { external, path } of outputs.flatMap(({ imports }) => imports)) {
  if (external && path !== NATIVE && !path.startsWith('node:') && !builtIn.has(path)) {
    throw new Error(`${path} is not in the bundle; it would have to be installed`)
  }
}

cpSync(pages, join(target, 'pages'), { recursive: true })
// The package finds it beside its own code.
cpSync(join(root, 'node_modules/harfbuzzjs/dist/harfbuzz.wasm'), join(target, 'harfbuzz.wasm'))
// The codecs of pictures are found beside the code that loads them, in the sources as in the bundle.
for (const codec of CODECS) {
  for (const folder of [join(root, 'dist/src/site/pictures/codecs'), join(target, 'codecs')]) {
    mkdirSync(folder, { recursive: true })
    cpSync(join(root, 'node_modules/@jsquash', codec), join(folder, basename(codec)))
  }
}
const about = { name: 'raay', version, license, type: 'module', private: true }
writeFileSync(join(target, 'package.json'), `${JSON.stringify(about, undefined, 2)}\n`)
const packages = packagesOf(inputs)
const own = `Raay\n\n${readFileSync(join(root, 'LICENSE'), 'utf8')}`
const ofPages = readFileSync(join(pages, 'licences.txt'), 'utf8')
writeFileSync(join(target, 'licences.txt'), [own, licencesOf(root, packages), ofPages].join('\n\n'))

function bundleOf(entries, more) {
  return build({
    absWorkingDir: root,
    entryPoints: namedEntries(entries),
    outdir: target,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    external: [NATIVE],
    plugins: [ours],
    banner: { js: BANNER },
    define: { RAAY_VERSION: JSON.stringify(version) },
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...more,
  })
}
