import { crc32, deflateSync } from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { sizeOfPicture } from '../../../src/site/pictures/picture-size.js'
import { UploadMaker } from '../../../src/site/pictures/upload-maker.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn } from '../../fixtures/http-scenario.js'
import { MARKET, TestExchange } from '../../fixtures/test-exchange.js'

const SECRET = 'taken at home, 19.0760 N'
/** One grey pixel. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Writes a picture of one colour that says where it was taken; it may claim another size than it has. */
function png(
  width: number,
  height: number,
  pixels: Buffer = Buffer.alloc((width * 4 + 1) * height, 200),
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6], 8)
  // Each row begins with its filter, 0.
  for (let row = 0; row * (width * 4 + 1) < pixels.length; row++) pixels[row * (width * 4 + 1)] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`Comment\0${SECRET}`)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Answer {
  readonly code: number
  readonly message: string
  readonly additional: { readonly image: string | null }
}

async function send(
  { app }: TestApp,
  method: string,
  body?: unknown,
  code: number = MARKET,
): Promise<Answer> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return (await (await app.request(`/events/${code}/image`, init)).json()) as Answer
}

const listed = async ({ app }: TestApp) => {
  const { additional } = (await (await app.request('/events')).json()) as {
    readonly additional: { readonly events: readonly { readonly image: string | null }[] }
  }
  return additional.events.map(({ image }) => image)
}

async function open(t: Test) {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  return appOn(test)
}

t.test('an event has an emoji, another, and none again', async t => {
  const app = await open(t)
  t.same(await listed(app), [null, null])
  for (const emoji of ['🏏', '🇮🇳', '👩🏽‍🌾', '❤️']) {
    t.match(await send(app, 'PUT', { emoji }), {
      code: 200,
      additional: { image: emoji, event_id: '1000001' },
    })
    t.same(await listed(app), [emoji, null], 'also in the list, which is kept')
  }
  for (const emoji of ['', 'a', '🏏🏏', '1', '<b>', '🏏 ']) {
    t.match(await send(app, 'PUT', { emoji }), { code: 422, message: 'emoji: Expected one emoji' }, emoji)
  }
  const either = { code: 422, message: 'emoji: Expected either this or picture' }
  t.match(await send(app, 'PUT', {}), either)
  t.match(await send(app, 'PUT', { emoji: '🏏', picture: 'AAAA' }), either)
  t.match(await send(app, 'PUT', { emoji: '🏏' }, 7), { code: 404 })
  t.same(await listed(app), ['❤️', null], 'refusals change nothing')
  t.match(await send(app, 'DELETE'), { code: 200, additional: { image: null } })
  t.match(await send(app, 'DELETE'), { code: 200, additional: { image: null } })
  const { additional } = (await (await app.app.request('/auth/audit')).json()) as {
    readonly additional: { readonly lines: readonly object[] }
  }
  t.match(additional.lines.slice(0, 2), [
    { kind: 'image_removed', by: 'token', detail: 'event 1000001: ❤️' },
    { kind: 'image_set', by: 'token', detail: 'event 1000001: ❤️' },
  ])
  t.equal(additional.lines.length, 5, 'a line for each change, none for what changed nothing')
})

t.test('a picture is shrunk, loses its metadata, and is served as nothing but a picture', async t => {
  const app = await open(t)
  const upload = png(1300, 650)
  t.ok(upload.includes(SECRET))
  const { additional } = await send(app, 'PUT', { picture: upload.toString('base64') })
  const address = additional.image ?? ''
  t.match(address, /^\/pictures\/[0-9a-f]{32}\.webp$/)
  const answer = await app.app.request(address)
  const bytes = Buffer.from(await answer.arrayBuffer())
  t.same(sizeOfPicture(bytes), { kind: 'webp', width: 640, height: 320 })
  t.notOk(bytes.includes('19.0760'))
  t.match(Object.fromEntries(answer.headers), {
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  })
  t.match(await send(app, 'PUT', { picture: upload.toString('base64') }, MARKET + 1), {
    additional: { image: address },
  })
  await send(app, 'PUT', { emoji: '🏏' })
  t.equal((await app.app.request(address)).status, 200, 'the other event shows it')
  await send(app, 'DELETE', undefined, MARKET + 1)
  t.equal((await app.app.request(address)).status, 404, 'nobody shows it any more')
  for (const path of [
    '/pictures/',
    '/pictures/x.webp',
    `/pictures/${'0'.repeat(32)}.webp`,
    '/pictures/..%2fraay.db',
  ]) {
    t.equal((await app.app.request(path)).status, 404, path)
  }
})

t.test('images survive a restart', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const app = appOn(test)
  app.site.images.putEmoji(MARKET, '🏏')
  app.site.images.putPicture((MARKET + 5) as never, new Uint8Array([1]))
  t.match(app.site.images.all(), [
    [MARKET, '🏏'],
    [MARKET + 5, /^\/pictures\//],
  ])
})

t.test('what is no picture, or too much of one, is refused before it is decoded', async t => {
  const kind = 'kind_unknown'
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  t.equal(sizeOfPicture(svg), kind)
  t.equal(sizeOfPicture(Buffer.from('GIF89a\x01\x00\x01\x00')), kind)
  t.equal(sizeOfPicture(new Uint8Array()), kind)
  t.equal(sizeOfPicture(png(30_000, 30_000, Buffer.alloc(10))), 'too_many_pixels', 'a bomb of few bytes')
  t.equal(sizeOfPicture(png(17_000, 1)), 'too_many_pixels')
  t.equal(sizeOfPicture(png(0, 5, Buffer.alloc(10))), 'picture_damaged')
  t.equal(sizeOfPicture(png(20, 20).subarray(0, 12)), 'picture_damaged')
  t.same(sizeOfPicture(png(2000, 2000)), { kind: 'png', width: 2000, height: 2000 })
  const maker = new UploadMaker()
  t.equal(await maker.make(svg), kind)
  t.equal(await maker.make(png(20, 20).subarray(0, -30)), 'picture_damaged', 'cut')
  t.equal(
    await maker.make(png(40, 40, Buffer.alloc(10))),
    'picture_damaged',
    'with fewer pixels than it says',
  )
  const made = await maker.make(JPEG)
  t.match(typeof made === 'string' ? made : sizeOfPicture(made), { kind: 'webp', width: 1, height: 1 })
})

t.test('a thread that cannot be started refuses one picture, and none of those after it', async t => {
  let fails = 2
  const maker = new UploadMaker(async ({ bytes }) => {
    if (fails-- > 0) throw new Error('ERR_WORKER_INIT_FAILED')
    return new Uint8Array(bytes)
  })
  const upload = png(20, 20)
  const made = await Promise.all([1, 2, 3].map(() => maker.make(upload)))
  t.same(made, ['pictures_busy', 'pictures_busy', new Uint8Array(upload)])
  t.not(typeof (await maker.make(upload)), 'string')
})

t.test('no more pictures are made at a time than there is memory for', async t => {
  const maker = new UploadMaker()
  const upload = png(20, 20)
  const made = await Promise.all(Array.from({ length: 10 }, () => maker.make(upload)))
  t.same(
    made.map(one => (typeof one === 'string' ? one : 'made')),
    [...Array(8).fill('made'), ...Array(2).fill('pictures_busy')],
  )
  t.not(typeof (await maker.make(upload)), 'string', 'and then again')
})
