// Bundles the pages of src/web into dist/src/http/pages/pages and renders the guides beside them: scripts and styles whose
// names carry a hash of their contents, each also compressed with gzip and brotli, and one HTML file a page, with
// placeholders for the name and the look of the site.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { cutFonts, FONT_FILES } from './cut-fonts.js'
import { lengthsPlugin } from './grown-lengths.js'
import { guidePages, preloadOf } from './guide-pages.js'
import { licencesOf, packagesOf } from './licences.js'
import { laterPlugin } from './later-parts.js'
import { renderGuides } from './render-guides.js'
import { writeShareFiles } from './share-files.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/src/http/pages/pages')
const GUIDES = 'src/docs/guides'
/** For the API reference, which is no part of this build: its name stays. */
const FONTS_STYLE = 'src/web/kit/styles/fonts.css'
const GUIDES_STYLE = 'src/web/kit/styles/guides.css'

/**
 * Each page: its entry in src/web, the title of its tab, its description, the groups of its Hindi texts, and the parts that
 * are loaded later, with the beginning of the addresses that need them at once, `/` for that of the home page alone.
 */
const PAGES = [
  {
    name: 'trade',
    entry: 'trade/trade.tsx',
    title: '{{name}} – trade on what happens next',
    description: 'Trade YES and NO on what happens next, with play money.',
    areas: ['shared', 'trading'],
    parts: {
      '/': 'trade/markets/markets-page.tsx',
      '/market/': 'trade/market/market-page.tsx',
      '/group/': 'trade/group/group-page.tsx',
      '/portfolio': 'trade/portfolio/portfolio-page.tsx',
      '/people': 'trade/people/people-page.tsx',
    },
  },
  {
    name: 'admin',
    entry: 'admin/admin.tsx',
    title: '{{name}} admin',
    description: 'Run this exchange: events, users, health and the log.',
    areas: ['shared', 'operating', 'account'],
  },
  {
    name: 'account',
    entry: 'account/account.tsx',
    title: '{{name}} – your account',
    description: 'Sign in, create an account, and manage its password, passkeys, sessions and API keys.',
    areas: ['shared', 'account'],
  },
]
/** The card of a market, for pages of other sites: it shares no file with the pages. */
const CARD = {
  name: 'embed',
  entry: 'embed/embed.ts',
  title: '{{name}}',
  description: 'One market of {{name}}.',
  areas: ['shared', 'embed'],
  shell: '',
}
/** Is there until the script has run: the header, with the name of the site where the script will put it. */
const SHELL =
  '<header class="site-header"><div class="site-bar">' +
  '<b class="brand"><i class="mark"></i><span>{{name}}</span></b></div></header><main></main>'
/** The search of the guides. */
const SEARCH = 'guides/guide-search'
/** Runs before anything is drawn, so that a chosen theme does not flash, and knows the language. */
const FIRST = 'kit/first-look'

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

/** Lists the files that each part of a page needs beside the page's own, after the beginning of its addresses. */
function partsOf(outputs, { parts = {} }, { script, chunks }) {
  const own = [script, ...chunks]
  return Object.entries(parts).map(([address, entry]) => {
    const found = outputOf(outputs, `src/web/${entry}`)
    const files = [found.script, ...found.chunks].filter(file => !own.includes(file))
    return [address, ...files.map(file => `/assets/${file}`)].join(' ')
  })
}

/** Finds the files of the Hindi texts of a page; an area that no page imports yet has none. */
function hindiOf(outputs, { areas }) {
  const entries = areas.map(area => `src/web/texts/hi/${area}.ts`)
  return Object.entries(outputs)
    .filter(([, { entryPoint }]) => entries.includes(entryPoint))
    .map(([path]) => `/assets/${basename(path)}`)
}

function html(
  { title, description, shell = SHELL },
  { first, inter, letters },
  { script, style, chunks },
  hindi,
  parts,
) {
  const lines = [
    '<!doctype html>',
    '<html lang="en-IN" data-site>',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="description" content="${description}">`,
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="{{icon}}">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    '<link rel="alternate" type="application/atom+xml" title="{{name}}" href="/feed.xml">',
    preloadOf(inter),
    `<script src="/assets/${first}" data-hindi="${hindi.join(' ')}" data-letters="/assets/${letters}"` +
      `${parts.length > 0 ? ` data-parts="${parts.join(',')}"` : ''}></script>`,
    ...(style ? [`<link rel="stylesheet" href="/assets/${style}">`] : []),
    ...chunks.map(chunk => `<link rel="modulepreload" href="/assets/${chunk}">`),
    `<script type="module" src="/assets/${script}"></script>`,
    '</head>',
    '<body>',
    `<div id="app">${shell}</div>`,
    '<noscript>This page needs JavaScript. Developers: see the <a href="/docs">API docs</a>.</noscript>',
    '</body>',
    '</html>',
  ]
  return `${lines.join('\n')}\n`
}

/** Fonts and pictures are compressed already. */
const IS_COMPRESSED = /\.(?:png|woff2)$/

function writeCompressed(name, bytes) {
  writeFileSync(join(target, name), bytes)
  if (IS_COMPRESSED.test(name)) return
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
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    plugins: PLUGINS,
    tsconfig: 'src/web/tsconfig.json',
    logLevel: 'warning',
    ...more,
  })
}

const fonts = await cutFonts(root)

/** Puts the cut fonts where styles say `font:inter.woff2`. */
const fontPlugin = {
  name: 'fonts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^font:/ }, ({ path }) => ({ path: path.slice('font:'.length), namespace: 'font' }))
    onLoad({ filter: /./, namespace: 'font' }, ({ path }) => {
      const font = fonts.find(({ name }) => path === `${name}.woff2`)
      return { contents: font?.bytes, loader: 'file' }
    })
  },
}

const PLUGINS = [fontPlugin, lengthsPlugin]

const entryOf = ({ entry }) => `src/web/${entry}`
// Each page on its own: what pages share would become a dozen small files, which the first of them waits for.
const pages = await Promise.all(
  [...PAGES, CARD].map(async page => {
    const entry = entryOf(page)
    const plugins = [...PLUGINS, laterPlugin(join(root, entry))]
    const { outputFiles, metafile } = await bundle([entry], { format: 'esm', splitting: true, plugins })
    // A part's import of the page would bring its style a second time.
    const styles = outputFiles.filter(({ path }) => path.endsWith('.css'))
    const isOwn = file => !styles.includes(file) || basename(file.path).startsWith(page.name)
    return { page, outputFiles: outputFiles.filter(isOwn), metafile }
  }),
)
const guideStyle = await bundle([GUIDES_STYLE], {})
const fontStyle = await bundle([FONTS_STYLE], { entryNames: '[name]' })
const early = await bundle([`src/web/${FIRST}.ts`], { format: 'iife' })
const guideSearch = await bundle([`src/web/${SEARCH}.ts`], { format: 'iife' })

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const { path, contents } of [
  ...pages.flatMap(({ outputFiles }) => outputFiles),
  ...early.outputFiles,
  ...guideStyle.outputFiles,
  ...guideSearch.outputFiles,
  ...fontStyle.outputFiles,
]) {
  writeCompressed(basename(path), contents)
}
const font = name =>
  fontStyle.outputFiles.map(({ path }) => basename(path)).find(path => path.startsWith(name))
const { script: first } = outputOf(early.metafile.outputs, `src/web/${FIRST}.ts`)
// For the API reference.
writeCompressed('first-look.js', early.outputFiles[0].contents)
const shared = { first, inter: font('inter'), letters: font('devanagari') }
for (const {
  page,
  metafile: { outputs },
} of pages) {
  const own = outputOf(outputs, entryOf(page))
  const text = html(page, shared, own, hindiOf(outputs, page), partsOf(outputs, page, own))
  writeCompressed(`${page.name}.html`, Buffer.from(text))
}
const style = basename(guideStyle.outputFiles.find(({ path }) => path.endsWith('.css')).path)
const { script: search } = outputOf(guideSearch.metafile.outputs, `src/web/${SEARCH}.ts`)
const guides = renderGuides(join(root, GUIDES))
const searched = JSON.stringify(guides.flatMap(({ searched }) => searched))
const sections = `guide-sections-${createHash('sha256').update(searched).digest('hex').slice(0, 8).toUpperCase()}.json`
writeCompressed(sections, Buffer.from(searched))
for (const [name, text] of guidePages(guides, { ...shared, style, search, sections })) {
  writeFileSync(join(target, name), text)
}
writeCompressed('share.png', await writeShareFiles(root, target))
const pictures = join(root, GUIDES, 'pictures')
for (const name of readdirSync(pictures)) writeCompressed(name, readFileSync(join(pictures, name)))
writeFileSync(
  join(target, 'licences.txt'),
  licencesOf(
    root,
    packagesOf([...pages.flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...FONT_FILES]),
  ),
)
