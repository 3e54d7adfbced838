// Bundles the pages of src/web into dist/src/http/pages/pages and renders the guides beside them: scripts and styles whose
// names carry a hash of their contents, one HTML file a page, each also compressed with gzip and brotli.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { guidePages } from './guide-pages.js'
import { licencesOf, packagesOf } from './licences.js'
import { renderGuides } from './render-guides.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/src/http/pages/pages')
const GUIDES = 'src/docs/guides'
const GUIDES_STYLE = 'src/web/kit/styles/guides.css'

/** Each page: its entry in src/web, the title of its tab, its description, and the groups of its Hindi texts. */
const PAGES = [
  {
    name: 'trade',
    entry: 'trade/trade.tsx',
    title: 'Raay – trade on what happens next',
    description: 'Trade YES and NO on what happens next, with play money.',
    areas: ['shared', 'trading'],
  },
  {
    name: 'admin',
    entry: 'admin/admin.tsx',
    title: 'Raay admin',
    description: 'Run this exchange: events, users, health and the log.',
    areas: ['shared', 'operating'],
  },
  {
    name: 'account',
    entry: 'account/account.tsx',
    title: 'Raay – your account',
    description: 'Sign in, create an account, and manage its password, passkeys, sessions and API keys.',
    areas: ['shared'],
  },
]
/** Runs before anything is drawn, so that a chosen theme does not flash, and knows the language. */
const FIRST = 'kit/first-look'
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%231d4ed8'/%3E%3Cpath d='M8 21l6-7 4 4 6-8' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

/** Finds the files that an entry was bundled into. */
function outputOf(outputs, entry) {
  const found = Object.entries(outputs).find(([, output]) => output.entryPoint === entry)
  if (found === undefined) throw new Error(`${entry} became no file`)
  const [path, { cssBundle, imports }] = found
  const chunks = imports.filter(({ kind }) => kind === 'import-statement').map(({ path: chunk }) => chunk)
  return {
    script: basename(path),
    style: cssBundle && basename(cssBundle),
    chunks: chunks.map(chunk => basename(chunk)),
  }
}

/** Finds the files of the Hindi texts of a page; an area that no page imports yet has none. */
function hindiOf(outputs, { areas }) {
  const entries = areas.map(area => `src/web/texts/hi/${area}.ts`)
  return Object.entries(outputs)
    .filter(([, { entryPoint }]) => entries.includes(entryPoint))
    .map(([path]) => `/assets/${basename(path)}`)
}

function html({ title, description }, first, { script, style, chunks }, hindi) {
  const lines = [
    '<!doctype html>',
    '<html lang="en-IN">',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="description" content="${description}">`,
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${ICON}">`,
    `<script src="/assets/${first}" data-hindi="${hindi.join(' ')}"></script>`,
    ...(style ? [`<link rel="stylesheet" href="/assets/${style}">`] : []),
    ...chunks.map(chunk => `<link rel="modulepreload" href="/assets/${chunk}">`),
    `<script type="module" src="/assets/${script}"></script>`,
    '</head>',
    '<body>',
    '<div id="app"></div>',
    '<noscript>This page needs JavaScript. Developers: see the <a href="/docs">API docs</a>.</noscript>',
    '</body>',
    '</html>',
  ]
  return `${lines.join('\n')}\n`
}

function writeCompressed(name, bytes) {
  writeFileSync(join(target, name), bytes)
  writeFileSync(join(target, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(join(target, `${name}.br`), brotliCompressSync(bytes, { params }))
}

function bundle(entries, more) {
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: target,
    bundle: true,
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    write: false,
    metafile: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    tsconfig: 'src/web/tsconfig.json',
    logLevel: 'warning',
    ...more,
  })
}

const entryOf = ({ entry }) => `src/web/${entry}`
const pages = await bundle(PAGES.map(entryOf), { format: 'esm', splitting: true })
const guideStyle = await bundle([GUIDES_STYLE], {})
const early = await bundle([`src/web/${FIRST}.ts`], { format: 'iife' })

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const { path, contents } of [...pages.outputFiles, ...early.outputFiles, ...guideStyle.outputFiles]) {
  writeCompressed(basename(path), contents)
}
const { script: first } = outputOf(early.metafile.outputs, `src/web/${FIRST}.ts`)
for (const page of PAGES) {
  const built = outputOf(pages.metafile.outputs, entryOf(page))
  writeCompressed(
    `${page.name}.html`,
    Buffer.from(html(page, first, built, hindiOf(pages.metafile.outputs, page))),
  )
}
const style = basename(guideStyle.outputFiles[0].path)
for (const [name, text] of guidePages(renderGuides(join(root, GUIDES)), { first, style, icon: ICON })) {
  writeCompressed(name, Buffer.from(text))
}
const pictures = join(root, GUIDES, 'pictures')
for (const name of readdirSync(pictures)) writeCompressed(name, readFileSync(join(pictures, name)))
writeFileSync(join(target, 'licences.txt'), licencesOf(root, packagesOf(Object.keys(pages.metafile.inputs))))
