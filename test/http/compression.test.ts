import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { docsHandlers } from '../../src/docs/docs-handlers.js'
import { KeptText } from '../../src/http/middleware/kept-text.js'
import { appOn } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const DECODE = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

t.test('answers above 1 kB use the encoding the client accepts, with the same content', async t => {
  const test = await TestExchange.open(t)
  for (let index = 0; index < 20; index++) await test.create({ slug: `rain-${index}` })
  for (let price = 10; price < 300; price++) await test.place(`asha buy 0.1 @ ${price / 100}`)
  const { app } = appOn(test, undefined, docsHandlers('1.2.3'))
  for (const path of ['/events', '/events/1000001/orderbook', '/openapi.json', '/asyncapi.json', '/docs']) {
    const get = (accepted?: string) =>
      app.request(path, accepted === undefined ? {} : { headers: { 'Accept-Encoding': accepted } })
    const plain = await get()
    const text = await plain.text()
    t.equal(plain.headers.get('vary'), 'Accept-Encoding', path)
    const head = await app.request(path, { method: 'HEAD' })
    t.equal(head.headers.get('vary'), 'Accept-Encoding', `HEAD ${path}`)
    for (const accepted of ['', 'identity', 'deflate', 'br;q=0', 'brr', 'gzip;q=0, br;q=0.0']) {
      const answer = await get(accepted)
      t.same(
        [answer.headers.get('content-encoding'), await answer.text()],
        [null, text],
        `${path} ${accepted}`,
      )
    }
    const rows = [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['GZIP;q=0.5, br;q=0', 'gzip'],
    ] as const
    for (const [accepted, encoding] of rows) {
      const answer = await get(accepted)
      t.equal(answer.headers.get('content-encoding'), encoding, `${path} ${accepted}`)
      t.equal(answer.headers.get('content-type'), plain.headers.get('content-type'))
      const bytes = Buffer.from(await answer.arrayBuffer())
      t.equal(DECODE[encoding](bytes).toString(), text)
      t.ok(bytes.length < text.length / 2)
    }
  }
})

t.test('short answers, refusals and answers to writes are never compressed', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  const headers = { 'Accept-Encoding': 'gzip, br' }
  const order = {
    event_id: '1000001',
    l1_expected_price: 5,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid: 'asha',
  }
  const body = JSON.stringify({ orders: Array.from({ length: 20 }, () => order) })
  const answers = [
    await app.request('/healthz', { headers }),
    await app.request('/nowhere', { headers }),
    await app.request('/order/batch', { method: 'POST', body, headers: { ...headers, Prefer: 'wait' } }),
  ]
  for (const answer of answers) t.equal(answer.headers.get('content-encoding'), null)
  t.ok((await (answers[2] as Response).text()).length > 1000)
})

t.test('a text is compressed once per encoding, and only a few at a time', async t => {
  const text = new KeptText('rain '.repeat(100_000))
  const first = text.encoded('br')
  t.ok(first !== undefined)
  t.equal(text.encoded('br'), first)
  const others = Array.from({ length: 1000 }, () => new KeptText('rain '.repeat(100_000)).encoded('gzip'))
  t.ok(others.filter(other => other !== undefined).length < 200, 'the others are sent as they are')
  await Promise.all([first, ...others])
  t.equal(text.encoded('br'), first)
  t.ok(text.encoded('gzip') !== undefined, 'a processor is free again')
})
