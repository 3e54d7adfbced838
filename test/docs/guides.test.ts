import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { LIMITS } from '../../src/api/limits.js'
import { ORDER_REASONS } from '../../src/api/orders/order-reason-texts.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import type { Setting } from '../../src/server/config/settings.js'
import { rowOf, SETTING_NAMES } from '../../src/server/config/settings.js'
import { ticsIn } from '../fixtures/house/english-rules.js'
import { rawRequest } from '../fixtures/server/raw-request.js'
import { startTestServer } from '../fixtures/server-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDES = 'src/docs/guides'
const GUIDE_NAMES = readdirSync(join(ROOT, GUIDES))
  .filter(name => name.endsWith('.md'))
  .map(name => name.slice(0, -'.md'.length))
/** The README and the guides, from the root. */
const TEXTS = ['README.md', ...GUIDE_NAMES.map(name => `${GUIDES}/${name}.md`)]

const server = await startTestServer(t)
const get = (path: string) => rawRequest(server.url, path, {})

const rowOfName = (name: Setting) => ({ name, ...rowOf(name) })

/** Returns every `href` and `src` of a page. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
}

function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

/** Returns the ids that GitHub and the exchange give to the headings of a Markdown file. */
function headingsOf(markdown: string): Set<string> {
  const headings = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)]
  return new Set(
    headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

t.test('every guide is served as a page that needs no script', async t => {
  for (const name of GUIDE_NAMES) {
    const { status, headers, text } = await get(`/docs/guides/${name}`)
    t.equal(status, 200, name)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.match(headers['content-security-policy'], "default-src 'none'")
    t.match(text, 'class="site-header"')
    t.match(text, /<article class="guide">\s*<h1/, 'the guide itself is in the page')
  }
})

t.test('the index links to every guide', async t => {
  const { text } = await get('/docs/guides')
  for (const name of GUIDE_NAMES) t.match(text, `href="/docs/guides/${name}"`)
})

t.test('a guide that does not exist is a 404, and no other file is served in its place', async t => {
  for (const name of [
    'nothing',
    'guides',
    '..%2ftrade',
    'guide-trading',
    'pictures',
    'pictures/trade.html',
  ]) {
    t.equal((await get(`/docs/guides/${name}`)).status, 404, name)
  }
})

t.test('every link of a served guide resolves', async t => {
  const pages = new Map<string, Awaited<ReturnType<typeof get>>>()
  const fetched = async (path: string) => {
    const page = pages.get(path) ?? (await get(path))
    pages.set(path, page)
    return page
  }
  for (const name of ['', ...GUIDE_NAMES.map(guide => `/${guide}`)]) {
    const here = `/docs/guides${name}`
    const { text } = await fetched(here)
    for (const address of addressesIn(text)) {
      if (/^(?:data|https?):/.test(address)) continue
      const [path = '', id] = address.startsWith('#') ? [here, address.slice(1)] : address.split('#')
      const { status, text: target } = await fetched(path)
      t.equal(status, 200, `${here} links to ${address}`)
      if (id !== undefined && id !== 'content') t.ok(idsIn(target).has(id), `${path} has #${id}`)
    }
  }
})

t.test('every link between the Markdown files resolves as on GitHub', async t => {
  for (const file of TEXTS) {
    const markdown = readFileSync(join(ROOT, file), 'utf8')
    for (const [, address = ''] of markdown.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)) {
      if (/^https?:/.test(address) || address === '') continue
      const [path = '', id] = address.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      const text = target.endsWith('.png') ? '' : readFileSync(join(ROOT, target), 'utf8')
      if (id !== undefined) t.ok(headingsOf(text).has(id), `${file}: ${target} has the heading #${id}`)
      else t.pass(`${file} links to ${target}`)
    }
  }
})

t.test('every section that the code cites exists', async t => {
  const sections = (name: string) =>
    new Set(
      [...readFileSync(join(ROOT, GUIDES, `${name}.md`), 'utf8').matchAll(/^#+ (\d+(?:\.\d+)*)/gm)].map(
        ([, number = '']) => number,
      ),
    )
  const numbered = { specification: sections('specification'), architecture: sections('architecture') }
  const invariants = readFileSync(join(ROOT, GUIDES, 'invariants.md'), 'utf8')
  const sources = ['src', 'test'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path))
      .map(path => join(folder, path)),
  )
  for (const file of sources) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, guide = '', list = ''] of text.matchAll(
      /\b(specification|architecture) ((?:\d+(?:\.\d+)*(?:, (?=\d))?)+)/g,
    )) {
      for (const section of list.split(', ')) {
        t.ok(numbered[guide as keyof typeof numbered].has(section), `${file}: ${guide} ${section}`)
      }
    }
    for (const [, list = ''] of text.matchAll(/\binvariants, ((?:I\d+(?:(?:, | to )(?=I\d))?)+)/g)) {
      for (const number of list.split(/, | to /)) {
        t.match(invariants, new RegExp(`^\\| ${number}\\b`, 'm'), `${file}: invariants, ${number}`)
      }
    }
    if (!file.endsWith('planted.ts')) {
      t.notMatch(text, /\b(?:spec|semantics|design) \d|\bproof\.md[, ]/, `${file} cites the guides`)
    }
  }
})

t.test('the README and the guides are free of translated English', t => {
  for (const file of TEXTS) {
    t.same(ticsIn(readFileSync(join(ROOT, file), 'utf8')), [], file)
  }
  t.end()
})

t.test('a blank line splits no table, and a table has the same number of cells in each row', t => {
  const cellsOf = (row: string) => row.replaceAll(/\\\||`[^`]*`/g, '').split('|').length
  for (const file of TEXTS) {
    const markdown = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
    for (const [table] of markdown.matchAll(/^\|.*(?:\n\|.*)*/gm)) {
      const [head = '', rule = '', ...rows] = table.split('\n')
      t.match(rule, /^\|(?: ?:?-+:? ?\|)+$/, `${file}: ${head.slice(0, 60)}`)
      for (const row of [rule, ...rows]) t.equal(cellsOf(row), cellsOf(head), `${file}: ${row.slice(0, 60)}`)
    }
  }
  t.end()
})

t.test('figures of speed are in the guide Performance alone', t => {
  const figure =
    /\d(?:[\d.,]* ?(?:K|M|thousand|million))? ?(?:durable )?(?:orders|messages|reads) ?(?:\/s|a second|per second)|\d K\/s/
  for (const file of TEXTS) {
    if (file.endsWith('/performance.md')) continue
    t.notMatch(readFileSync(join(ROOT, file), 'utf8'), figure, file)
  }
  t.end()
})

t.test('the Configuration guide lists exactly the flags that exist, with variables and defaults', t => {
  const guide = readFileSync(join(ROOT, GUIDES, 'configuration.md'), 'utf8')
  const rows = [
    ...guide.matchAll(/^\| `(--[a-z\d-]+|backup-s3-[a-z-]+)` \| (?:`(RAAY_\w+)`)? ?\| (.*?) ?\|/gm),
  ]
  const documented = rows.map(([, flag, variable = '', fallback = '']) => ({ flag, variable, fallback }))
  const known = SETTING_NAMES.map(rowOfName).map(({ name, variable, fallback, isOptionless }) => ({
    flag: isOptionless ? name : `--${name}`,
    variable,
    fallback: name === 'shards' ? 'cores − 1, at least 1' : fallback,
  }))
  t.same(documented, known)
  t.end()
})

t.test('the Trading guide explains exactly the reasons an order can have', t => {
  const guide = readFileSync(join(ROOT, GUIDES, 'trading.md'), 'utf8')
  const [, table = ''] = guide.split('## Why an order ends')
  const documented = [...table.matchAll(/^\| (`.+?`) \| [^|\s]/gm)].flatMap(([, names = '']) =>
    names.split(', ').map(name => name.slice(1, -1)),
  )
  t.same(documented.sort(), Object.keys(ORDER_REASONS).sort())
  t.end()
})

t.test('the files that the guides name exist', t => {
  for (const name of GUIDE_NAMES) {
    const guide = readFileSync(join(ROOT, GUIDES, `${name}.md`), 'utf8')
    for (const [, path = ''] of guide.matchAll(/`((?:src|test)\/[\w./-]+)`/g))
      t.ok(existsSync(join(ROOT, path)), `${name}.md: ${path}`)
  }
  t.end()
})

t.test('the Limits guide states every limit of the contract', t => {
  const guide = readFileSync(join(ROOT, GUIDES, 'limits.md'), 'utf8')
  const stated = (value: number) =>
    [value.toLocaleString('en-US'), `${value / 1024} Ki`, `${value / 1024 ** 2} Mi`, `${value / 1e6} M`]
      .concat(`${value / 1e9} billion`)
      .some(text => new RegExp(`(?<![\\d,.])${text}(?![\\d])`).test(guide))
  const check = (name: string, value: unknown): void => {
    if (typeof value === 'number') t.ok(stated(value), `${name}: ${value}`)
    else for (const [inner, part] of Object.entries(value as object)) check(`${name}.${inner}`, part)
  }
  check('LIMITS', LIMITS)
  check('SOCKET_LIMITS', SOCKET_LIMITS)
  t.end()
})

t.test('the guides name no route that the API does not have', async t => {
  const openApi = JSON.parse((await get('/openapi.json')).text)
  const paths = Object.keys(openApi.paths).map(path => path.replaceAll(/\{\w+\}/g, ':x'))
  for (const name of GUIDE_NAMES) {
    const guide = readFileSync(join(ROOT, GUIDES, `${name}.md`), 'utf8')
    for (const [, path = ''] of guide.matchAll(/`(?:GET|POST|PATCH|DELETE) (\/[^`?]*)/g)) {
      t.ok(paths.includes(path.replaceAll(/:\w+/g, ':x')), `${name}.md: ${path}`)
    }
  }
})
