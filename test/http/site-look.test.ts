import { inflateSync } from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { contrastOnWhite, siteColors } from '../../src/http/pages/site-colors.js'
import { readConfig } from '../../src/server/config/config.js'
import { rawRequest } from '../fixtures/server/raw-request.js'
import { startTestServer } from '../fixtures/server-process.js'

const HTML = { accept: 'text/html' }
const ICONS = ['/favicon.ico', '/apple-touch-icon.png', '/icon-192.png', '/icon-512.png', '/icon.svg']
/** The beginning of a JPEG, which is all that is looked at. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])

const server = await startTestServer(t)
const get = (path: string, headers: Record<string, string> = {}) => rawRequest(server.url, path, headers)
const look = (flags: Record<string, string>) =>
  server.reconfigure(config => ({ ...config, site: readConfig(flags, {}).site }))
const facts = async () => JSON.parse((await get('/')).text).additional

/** Returns the width of a PNG, having read all of its pixels. */
function widthOf(t: Test, png: Buffer): number {
  t.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
  const width = png.readUInt32BE(16)
  const start = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  t.equal(rows.length, width * (width * 4 + 1))
  return width
}

t.test('browsers find the icons and the manifest, and other sites may show them', async t => {
  for (const path of [...ICONS, '/manifest.webmanifest']) {
    const { status, headers } = await get(path)
    t.equal(status, 200, path)
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin', path)
    t.equal(headers['x-content-type-options'], 'nosniff', path)
  }
  for (const path of ['/', '/market/1000001', '/assets/fonts.css', '/logo/x', '/faviconXico']) {
    t.equal((await get(path)).headers['cross-origin-resource-policy'], 'same-origin', path)
  }
  t.equal(widthOf(t, (await get('/apple-touch-icon.png')).body), 180)
  const ico = (await get('/favicon.ico')).body
  t.equal(ico.subarray(0, 4).toString('hex'), '00000100')
  t.equal(widthOf(t, ico.subarray(ico.readUInt32LE(18))), 32)
  const manifest = JSON.parse((await get('/manifest.webmanifest')).text)
  t.match(manifest, { name: 'Raay', start_url: '/', display: 'standalone', lang: 'en-IN' })
  for (const { src, sizes } of manifest.icons) {
    t.equal(`${widthOf(t, (await get(src)).body)}x${widthOf(t, (await get(src)).body)}`, sizes)
  }
})

t.test('the name, the colour, the language and the time zone are those of the operator', async t => {
  t.match(await facts(), {
    name: 'Raay',
    color: '#1b4fd0',
    logo: '/icon.svg',
    time_zone: 'Asia/Kolkata',
    language: 'en',
  })
  t.notOk('contact' in (await facts()), 'there is none to show')
  look({
    'site-name': 'Mandi & "Sons" <b>',
    'site-color': '#8A1C7C',
    'site-logo': '🎯',
    'site-contact': ' help@mandi.example ',
    'time-zone': 'Europe/Berlin',
    language: 'hi',
  })
  t.match(await facts(), {
    name: 'Mandi & "Sons" <b>',
    color: '#8a1c7c',
    logo: '🎯',
    contact: 'help@mandi.example',
    time_zone: 'Europe/Berlin',
    language: 'hi',
  })
  for (const path of ['/', '/admin', '/sign-in', '/docs/guides', '/docs/guides/trading']) {
    for (const encoding of ['', 'gzip', 'br']) {
      t.equal((await get(path, { ...HTML, 'accept-encoding': encoding })).status, 200, `${path} ${encoding}`)
    }
    const { text } = await get(path, HTML)
    t.match(text, 'data-name="Mandi &amp; &quot;Sons&quot; &lt;b&gt;"', path)
    t.match(text, /data-colors="#8a1c7c #[\da-f]{6} #[\da-f]{6}"/, path)
    t.match(text, 'data-time-zone="Europe/Berlin" data-language="hi"', path)
    t.match(text, /<title>[^<]*Mandi &amp; /, path)
    t.notMatch(text, /\{\{|<b>"|<title>[^<]*Raay/, path)
  }
  t.match((await get('/icon.svg')).text, /<text[^>]*>🎯<\/text>/)
  t.match(JSON.parse((await get('/manifest.webmanifest')).text), { theme_color: '#8a1c7c', lang: 'hi-IN' })
  look({})
  t.match((await get('/', HTML)).text, '<title>Raay – ')
})

t.test('a picture is the logo everywhere, and what is no picture changes nothing', async t => {
  const directory = t.testdir({
    'logo.jpg': JPEG,
    'page.png': '<svg onload="x()"/>',
    'big.png': 'x'.repeat(300_000),
  })
  look({ 'site-logo': `${directory}/logo.jpg` })
  for (const path of ['/logo', '/favicon.ico', '/apple-touch-icon.png']) {
    const { headers, body } = await get(path)
    t.match(headers, { 'content-type': 'image/jpeg', 'content-security-policy': "default-src 'none'" }, path)
    t.same(body, JPEG, path)
  }
  t.match((await get('/', HTML)).text, '<link rel="icon" href="/logo">')
  for (const name of ['page.png', 'big.png', 'none.webp']) {
    const change = () => look({ 'site-logo': `${directory}/${name}`, 'site-name': 'Other' })
    t.throws(change, { message: new RegExp(name) })
    t.equal((await get('/logo')).headers['content-type'], 'image/jpeg', name)
    t.equal((await facts()).name, 'Raay', `${name}: the rest stays as well`)
  }
  look({})
  t.equal((await get('/logo')).status, 404)
})

t.test('refuses a look that cannot be read', async t => {
  const rows: readonly (readonly [setting: string, text: string, why: RegExp])[] = [
    ['site-name', 'x'.repeat(41), /1 to 40 characters/],
    ['site-name', 'a\u202eb', /on one line/],
    ['site-name', ' ', /1 to 40/],
    ['site-contact', 'x'.repeat(101), /1 to 100 characters/],
    ['site-contact', 'a\nb', /on one line/],
    ['site-color', 'blue', /such as #1b4fd0/],
    ['site-color', '#ffcc00', /contrast on white is 1\.\d, and text needs 4\.5/],
    ['site-logo', 'logo.svg', /one emoji, or a file that ends in/],
    ['site-logo', '🎯🎯', /one emoji/],
    ['time-zone', 'Mumbai', /such as Asia\/Kolkata/],
    ['language', 'ta', /give en or hi/],
  ]
  for (const [setting, text, why] of rows) {
    t.throws(
      () => readConfig({ [setting]: text }, {}),
      { name: 'ConfigError', message: why },
      `${setting} ${text}`,
    )
  }
  t.equal(
    readConfig({ 'site-logo': '👨‍👩‍👧' }, {}).site.logo !== undefined,
    true,
    'several characters, one emoji',
  )
})

t.test('lightens the colour for the dark theme until it can be read there', async t => {
  t.ok(contrastOnWhite('#000000') > 20.9)
  t.equal(contrastOnWhite('#ffffff'), 1)
  t.equal(siteColors('#000000').light, '#000000')
  for (const color of ['#000000', '#1b4fd0', '#8a1c7c', '#767676', '#b3261e']) {
    const { dark } = siteColors(color)
    t.ok(contrastOnWhite(dark) < 4.5, `${color} becomes ${dark}`)
  }
  t.equal(siteColors('#767676').dark > '#767676', true)
})

t.test('a person at a wrong address gets a page, a program its envelope', async t => {
  const paths = [
    '/nowhere',
    '/market',
    '/market/abc',
    '/portfolio/asha',
    '/admin/none',
    '/docs/none',
    '/docs/guides/none',
  ]
  for (const path of paths) {
    const page = await get(path, HTML)
    t.equal(page.status, 404, path)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8', path)
    t.match(page.headers['content-security-policy'], /default-src 'none'/, path)
    t.match(page.headers.vary, /Accept/, path)
    const again = await get(path, { ...HTML, 'if-none-match': String(page.headers.etag) })
    t.equal(again.status, 404, 'also when the browser knows the page')
    for (const accept of ['*/*', 'application/json']) {
      t.match(JSON.parse((await get(path, { accept })).text), { status: false, code: 404 }, path)
    }
  }
  const script = await get('/assets/none.js')
  t.match(JSON.parse(script.text), { code: 404 })
})
