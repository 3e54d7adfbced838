import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { readPageFiles } from '../../src/http/pages/page-files.js'
import { rawRequest } from '../fixtures/server/raw-request.js'
import { startTestServer } from '../fixtures/server-process.js'

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
/** The most that a first visit to each page may load, compressed, with the font and the style, without its answers. */
const FIRST_LOAD_BYTES_MAX = { '/': 78_000, '/market/1000001': 102_300, '/portfolio': 90_300 } as const
/** The most files of a first visit: each costs a request, and compresses less than a part of another. */
const FIRST_LOAD_FILES_MAX = 12
/** The most that they may load in all, with the parts that are loaded when they are needed. */
const WHOLE_BYTES_MAX = 165_000
/** The most that the operator pages may load, shared parts and the font included. */
const ADMIN_BYTES_MAX = 151_000

const server = await startTestServer(t)
const AS_OPERATOR = { authorization: `Bearer ${readOperatorKey(server.data)}` }
const get = (path: string, headers: Record<string, string> = {}) => rawRequest(server.url, path, headers)

/** Returns the scripts and styles that a page names. */
async function assetsOf(path: string): Promise<string[]> {
  const { text } = await get(path, HTML)
  return [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset)
}

t.test('browsers get the page where programs get JSON', async t => {
  for (const path of ['/', '/market/1000001', '/portfolio', '/?from=elsewhere']) {
    const page = await get(path, HTML)
    t.equal(page.status, 200, path)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    t.match(page.headers.vary, /Accept/, 'no cache mixes the two up')
    t.match(page.text, /<div id="app"><header.*<span>Raay<\/span>/, 'its header waits for no script')
  }
  for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0, */*']) {
    const answer = await get('/', accept === undefined ? {} : { accept })
    t.match(
      JSON.parse(answer.text),
      { status: true, additional: { events: '/events', websocket: '/ws' } },
      String(accept),
    )
    t.match(answer.headers.vary, /Accept/)
  }
  t.equal(JSON.parse((await get('/')).text).additional.starting_balance, 1_000_000)
})

t.test('an unknown address remains a 404 in its envelope', async t => {
  for (const path of ['/assets/none.js', '/assets/trade.html', '/assets/..%2f..%2fpackage.json']) {
    const { status, text } = await get(path)
    t.equal(status, 404, path)
    t.match(JSON.parse(text), { status: false, code: 404, name: 'Resource not found' }, path)
  }
  const { status, text } = await get('/market/1000001')
  t.equal(status, 404, 'a program finds no page')
  t.match(JSON.parse(text), { message: 'Route not found' })
})

t.test('programs still get their answers where browsers get a page', async t => {
  for (const [path, headers] of [
    ['/portfolio', {}],
    ['/api/v1/portfolio', HTML],
  ] as const) {
    const { text } = await get(path, { ...headers, ...AS_OPERATOR })
    t.match(JSON.parse(text), { status: true, message: 'Users fetched successfully' }, path)
  }
})

t.test('a WebSocket still opens at the bare address', async t => {
  const socket = new WebSocket(server.client.wsUrl('/'))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.terminate()
  t.pass('opened')
})

t.test('a link to a market shows its title and price, and its card alone may be framed', async t => {
  const title = 'Rain & "sun" </title><script>alert(1)</script>'
  const code = await server.client.createEvent({ title })
  const page = await get(`/market/${code}`, HTML)
  t.match(
    page.text,
    '<title>Rain &amp; &quot;sun&quot; &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Raay</title>',
  )
  t.notMatch(page.text, '<script>alert')
  t.match(page.text, '<meta property="og:description" content="No price yet')
  const tag = `<meta property="og:image" content="${server.client.url}/share/${code}/new.png">`
  t.match(page.text, tag, 'without a public address it is the host that was asked')
  t.match(page.headers['content-security-policy'], "frame-ancestors 'none'")
  t.equal(
    (await get('/market/9999999', HTML)).status,
    200,
    'a page without a market has the head of all pages',
  )

  const card = await get(`/embed/${code}`, HTML)
  t.match(card.headers['content-security-policy'], 'frame-ancestors *')
  t.notMatch(card.text, 'alert')
  const feed = await get('/feed.xml')
  t.equal(feed.headers['content-type'], 'application/atom+xml; charset=utf-8')
  t.match(feed.text, '<title>New: Rain &amp; &quot;sun&quot;')
  const picture = await get(`/share/${code}/new.png`)
  t.equal(picture.headers['content-type'], 'image/png')
  for (const answer of [card, feed, picture]) {
    t.equal(answer.status, 200)
    t.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
  for (const path of ['/share/9999999/new.png', `/share/${code}/..%2fx.png`, '/embed/1']) {
    t.equal((await get(path)).status, 404, path)
  }
})

t.test('the page may load only what this server serves', async t => {
  const { headers } = await get('/', HTML)
  const host = new URL(server.url).host
  t.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "font-src 'self'; manifest-src 'self'; " +
      `connect-src 'self' ws://${host} wss://${host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  t.equal(headers['x-content-type-options'], 'nosniff')
  for (const host of ['x; script-src *', 'a b', '*', "evil.example'"]) {
    const policy = (await get('/', { ...HTML, host })).headers['content-security-policy'] ?? ''
    t.notMatch(policy, host, `a Host header of ${host} adds nothing`)
  }
  const { text } = await get('/', HTML)
  t.notMatch(
    text,
    /https?:\/\/(?!www\.w3\.org)|<style|style=|<script(?! (?:type="module" )?src="\/assets)/,
    'nothing inline, nothing from elsewhere',
  )
})

t.test('the page is revalidated each time, its parts are fetched once', async t => {
  const page = await get('/', HTML)
  t.equal(page.headers['cache-control'], 'no-cache')
  const again = await get('/', { ...HTML, 'if-none-match': String(page.headers.etag) })
  t.same([again.status, again.text], [304, ''])
  t.match(again.headers, { etag: page.headers.etag, 'content-security-policy': /default-src 'none'/ })

  const assets = await assetsOf('/')
  t.ok(assets.length >= 3, `${assets.length} parts`)
  for (const asset of assets) {
    t.match(asset, /-[A-Z0-9]{8}\.(?:js|css|woff2)$/, 'its name says what is in it')
    const { status, headers } = await get(asset)
    t.equal(status, 200, asset)
    t.match(headers, { 'cache-control': 'public, max-age=31536000, immutable', vary: /Accept-Encoding/ })
    const type = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' }[asset.split('.')[1] ?? '']
    t.match(headers['content-type'], type)
    const other = await get(asset, { 'if-none-match': `"nothing", W/${headers.etag}` })
    t.equal(other.status, 304)
  }
})

t.test('each part is served in an accepted encoding, with the same content', async t => {
  const [asset = ''] = (await assetsOf('/')).filter(path => path.endsWith('.css'))
  const plain = await get(asset)
  const gzip = await get(asset, { 'accept-encoding': 'gzip, br;q=0' })
  const br = await get(asset, { 'accept-encoding': 'gzip, deflate, br' })
  t.same(
    [plain, gzip, br].map(({ headers }) => headers['content-encoding']),
    [undefined, 'gzip', 'br'],
  )
  t.equal(gunzipSync(gzip.body).toString(), plain.text)
  t.equal(brotliDecompressSync(br.body).toString(), plain.text)
  t.equal(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size, 3, 'each has a tag of its own')
  t.equal(Number(br.headers['content-length']), br.body.length)

  const [font = ''] = (await assetsOf('/')).filter(path => path.endsWith('.woff2'))
  const sent = await get(font, { 'accept-encoding': 'gzip, deflate, br' })
  t.equal(sent.headers['content-encoding'], undefined, 'a font is not compressed a second time')
  t.equal(sent.body.subarray(0, 4).toString(), 'wOF2')
})

/** Returns a script and everything that it imports, directly or not. */
async function partsOf(asset: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  if (found.has(asset)) return found
  found.add(asset)
  if (!asset.endsWith('.js')) return found
  for (const [name] of (await get(asset)).text.matchAll(/part-[A-Z0-9]{8}\.js/g)) {
    await partsOf(`/assets/${name}`, found)
  }
  return found
}

/** Returns the files of a page's Hindi texts. */
async function hindiOf(path: string): Promise<string[]> {
  const [, texts = '', letters = ''] =
    /data-hindi="([^"]+)" data-letters="([^"]+)"/.exec((await get(path, HTML)).text) ?? []
  return [...texts.split(' '), letters]
}

/** Returns everything that a page loads in English, at once or later. */
async function loadedBy(path: string): Promise<Set<string>> {
  const found = new Set<string>()
  const hindi = await hindiOf(path)
  for (const asset of await assetsOf(path)) await partsOf(asset, found)
  for (const asset of hindi) found.delete(asset)
  return found
}

/** Returns the bytes of a page and of everything it loads, in one encoding. */
async function weightOf(t: Test, path: string, encoding: string, some?: Iterable<string>): Promise<number> {
  const assets = some ?? (await loadedBy(path))
  const headers = { ...HTML, 'accept-encoding': encoding }
  let bytes = (await get(path, headers)).body.length
  for (const asset of assets) bytes += (await get(asset, headers)).body.length
  t.comment(`${path}: ${bytes} bytes with ${encoding}`)
  return bytes
}

/** Returns the files that a page loads at first beside those it names: the part of it that is at this address. */
async function partAt(path: string): Promise<string[]> {
  const [, parts = ''] = /data-parts="([^"]+)"/.exec((await get(path, HTML)).text) ?? []
  const found = parts.split(',').map(part => part.split(' '))
  const isOf = (address = '') => (address === '/' ? path === address : path.startsWith(address))
  return found.filter(([address]) => isOf(address)).flatMap(([, ...files]) => files)
}

t.test('a visitor loads little at first, in few files, and not much more in all', async t => {
  const hindi = await hindiOf('/')
  for (const [path, bytesMax] of Object.entries(FIRST_LOAD_BYTES_MAX)) {
    const part = await partAt(path)
    t.ok(part.length > 0, `${path} asks for its part before the script of all pages has run`)
    const first = [...(await assetsOf(path)), ...part].filter(asset => !hindi.includes(asset))
    t.ok(first.length <= FIRST_LOAD_FILES_MAX, `${path} loads ${first.length} files`)
    t.ok((await weightOf(t, path, 'br', first)) < bytesMax)
  }
  for (const encoding of ['br', 'gzip']) t.ok((await weightOf(t, '/', encoding)) < WHOLE_BYTES_MAX)
})

const isHindi = (text: string) => /[\u0900-\u0963]{2}/.test(text)
/** Words of categories, which choose a picture whatever the reader's language is. */
const CATEGORIES = /खेल|क्रिकेट|शेयर|क़ीमत|मौसम|फ़िल्म|मनोरंजन|अंतरिक्ष|विज्ञान|राजनीति|चुनाव|टूर्नामेंट|यात्रा|रेल/g

t.test('the Hindi texts are files of their own, named where a reader of Hindi needs them', async t => {
  for (const path of ['/', '/admin', '/sign-in']) {
    const files = await hindiOf(path)
    t.ok(files.length > 0, path)
    for (const file of files.filter(name => name.endsWith('.js'))) t.ok(isHindi((await get(file)).text), file)
    t.ok(
      files.some(name => name.endsWith('.woff2')),
      'and the letters for them',
    )
    for (const asset of await loadedBy(path)) {
      // The name of the language itself is on every page, and the two outcomes are beside the plurals, for a
      // dictionary may import nothing else: a reader of Hindi would wait for it.
      const { text } = await get(asset)
      t.notOk(isHindi(text.replaceAll(/हिन्दी|हाँ|नहीं/g, '').replaceAll(CATEGORIES, '')), asset)
    }
  }
})

t.test("the operator's pages are small, and traders load none of them", async t => {
  t.ok((await weightOf(t, '/admin', 'br')) < ADMIN_BYTES_MAX)
  t.ok((await weightOf(t, '/admin', 'gzip')) < ADMIN_BYTES_MAX)
  const [trade, admin] = [await loadedBy('/'), await loadedBy('/admin')]
  const own = [...admin].filter(asset => !trade.has(asset))
  t.ok(
    own.some(asset => asset.startsWith('/assets/admin-')),
    'they have scripts of their own',
  )
  t.ok(own.length < admin.size, 'and share the rest')
  t.notOk([...trade].some(asset => asset.includes('admin')))
  // The page Health alone loads the library of charts, when it is opened.
  const { text } = await get('/admin', HTML)
  const first = [...text.matchAll(/\/assets\/[\w-]+\.js/g)].map(([asset]) => asset)
  t.ok(first.length > 2)
  for (const asset of first) t.ok(!(await get(asset)).text.includes('u-hz'), asset)
})

t.test("browsers get the operator's page where programs get JSON, and it contains no data", async t => {
  await server.client.createEvent({ title: 'Only for those who may?' })
  const paths = [
    '',
    '/new',
    '/event/1000001',
    '/users?q=a&sort=-cash',
    '/user/asha',
    '/comments?q=a&status=hidden',
    '/health',
    '/actions',
    '/accounts',
    '/audit',
  ].map(path => `/admin${path}`)
  for (const path of paths) {
    const page = await get(path, { ...HTML, 'x-forwarded-for': '203.0.113.9' })
    t.equal(page.status, 200, path)
    t.match(page.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/, path)
    t.match(page.text, '<title>Raay admin</title>')
    t.notMatch(page.text, 'Only for those')
  }
  for (const path of ['/admin/health', '/admin/actions']) {
    t.equal(JSON.parse((await get(path, AS_OPERATOR)).text).status, true, `${path} for an operator`)
    t.equal((await get(path)).status, 401, `${path} for a stranger`)
  }
  for (const path of ['/admin/', '/admin/event/1', '/admin/nothing', '/admin/event/1000001/']) {
    t.equal((await get(path, HTML)).status, 404, path)
  }
})

t.test('the account page is a bundle of its own, of which traders load nothing', async t => {
  const [trade, account] = [await loadedBy('/'), await loadedBy('/sign-in')]
  t.notOk([...trade].some(asset => asset.includes('account')))
  t.ok([...account].some(asset => asset.startsWith('/assets/account-')))
  t.notOk([...account].some(asset => /assets\/(?:trade|admin)-/.test(asset)))
  for (const path of ['/sign-in', '/sign-up', '/recover', '/account']) {
    const page = await get(path, HTML)
    t.equal(page.status, 200, path)
    t.match(page.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/, path)
    t.notMatch(page.text, /<script>|style=| on\w+=/, 'nothing is inline')
    t.equal((await get(path)).status, 404, `${path} for a program`)
  }
})

t.test('a build without pages says so', async t => {
  t.throws(() => readPageFiles(`${t.testdir()}/none`), /the pages are not built.*npm run build/)
})
