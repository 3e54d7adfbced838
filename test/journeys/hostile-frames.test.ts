import type { Test } from 'tap'
import t from 'tap'
import { RawConnection } from '../fixtures/server/server-raw.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { clientFrame } from '../fixtures/sockets/ws-frames.js'
import { framesAfterHandshake, handshake, openRawSocket } from '../fixtures/sockets/ws-raw.js'

const HEAD = handshake()

const CLOSE = clientFrame(Buffer.from([0x03, 0xe8]), { opcode: 8 })
const QUESTION = clientFrame('?')

t.test('a frame that violates the protocol closes its connection with the matching close code', async t => {
  const server = await startTestServer(t)
  const fragment = clientFrame('x', { isFinal: false })
  const cases: [name: string, frames: Buffer, code: number][] = [
    ['an unmasked frame', clientFrame('{}', { isMasked: false }), 1002],
    ['an opcode without meaning', clientFrame('{}', { opcode: 3 }), 1002],
    ['a control opcode without meaning', clientFrame('', { opcode: 11 }), 1002],
    ['reserved bits', clientFrame('{}', { reserved: 4 }), 1002],
    ['a continuation of nothing', clientFrame('{}', { opcode: 0 }), 1002],
    ['a text inside a text', Buffer.concat([fragment, clientFrame('{}')]), 1002],
    ['a ping in fragments', clientFrame('', { opcode: 9, isFinal: false }), 1002],
    ['a ping that is too long', clientFrame('x'.repeat(126), { opcode: 9 }), 1002],
    ['a close frame of one byte', clientFrame('x', { opcode: 8 }), 1002],
    ['a close code that none may send', clientFrame(Buffer.from([0x03, 0xed]), { opcode: 8 }), 1002],
    ['a text that is no UTF-8', clientFrame(Buffer.from([0xc3, 0x28])), 1007],
    ['half a surrogate', clientFrame(Buffer.from([0xed, 0xa0, 0x80])), 1007],
    ['a frame over 64 KiB', clientFrame('x'.repeat(65_537)), 1009],
    ['the announcement of 4 GiB', clientFrame('x', { length: 2 ** 32 }), 1009],
    ['the announcement of more than there is', clientFrame('x', { length: 2 ** 60 }), 1009],
    ['fragments that are too long together', fragmented(40_000, 2), 1009],
    ['more fragments than any message needs', fragmented(1, 129), 1008],
    ['a goodbye', CLOSE, 1000],
  ]
  for (const [name, frames, code] of cases) {
    const connection = await openRawSocket(server.port)
    connection.write(frames)
    await connection.closed
    t.equal(framesAfterHandshake(connection).closeCode, code, name)
  }
  await isWell(t, server)
})

t.test('odd but complete messages get a reply, and the connection stays open', async t => {
  const server = await startTestServer(t)
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const odd: [name: string, frames: Buffer][] = [
    ['nothing', clientFrame('')],
    ['binary', clientFrame('["subscribe_orderbook","1000001"]', { opcode: 2 })],
    ['binary that is no UTF-8', clientFrame(Buffer.from([0xff, 0xfe, 0x00]), { opcode: 2 })],
    ['64 KiB of blanks', clientFrame(' '.repeat(65_536))],
    ['a very deep array', clientFrame(deep)],
    ['a very deep verb', clientFrame(`{"event":${deep}}`)],
    ['a very deep code', clientFrame(`{"event":"subscribe_orderbook","data":${deep}}`)],
    ['a very deep id', clientFrame(`{"event":"subscribe_orderbook","data":"1","id":${deep}}`)],
    ['a prototype', clientFrame('{"__proto__":{"event":"subscribe_orderbook"},"data":"1000001"}')],
    ['lone surrogates', clientFrame('{"event":"\\ud800","id":"\\udfff"}')],
    ['a NUL', clientFrame('{"event":"subscribe_orderbook","data":"1000001\\u0000"}')],
    ['many fragments', fragmented(1, 128)],
    ['a byte order mark', clientFrame('\ufeff{}')],
  ]
  const connection = await openRawSocket(server.port)
  const witness = await WsClient.connect(t, server.client.wsUrl())
  for (const [, frames] of odd) connection.write(frames)
  connection.write(Buffer.concat(odd.map(([, frames]) => frames)))
  connection.write(CLOSE)
  await connection.closed
  const { texts, closeCode } = framesAfterHandshake(connection)
  t.equal(closeCode, 1000, 'it was the client that ended it')
  t.equal(texts.length, 2 * odd.length, 'every message has its answer')
  for (const [index, [name]] of odd.entries()) {
    const answer = { event: 'error', data: { status: false, code: Number, name: String, message: String } }
    t.match(JSON.parse(texts[index] ?? ''), answer, name)
    t.equal(texts[index], texts[index + odd.length], `${name}: the same again`)
  }
  t.match(await witness.ask('?'), { event: 'error' })
  await isWell(t, server)
})

t.test('answers pings between the fragments of a message, and reads the message', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const text = `["subscribe_orderbook","${code}"]`
  const connection = await openRawSocket(server.port)
  for (const [index, character] of [...text].entries()) {
    const isFinal = index === text.length - 1
    connection.write(clientFrame('', { opcode: 9 }))
    connection.write(clientFrame(character, { opcode: index === 0 ? 1 : 0, isFinal }))
  }
  connection.write(CLOSE)
  await connection.closed
  t.match(framesAfterHandshake(connection).texts.map(read), [
    { event: 'subscribed' },
    { data: { type: 'snapshot' } },
  ])
  const pongs = connection.received.toString('latin1').split('\u008a\u0000').length - 1
  t.equal(pongs, text.length)
})

t.test('reads a message that arrives byte by byte', async t => {
  const server = await startTestServer(t)
  const connection = await openRawSocket(server.port)
  for (const byte of clientFrame('{}')) connection.write(Buffer.from([byte]))
  connection.write(CLOSE)
  await connection.closed
  t.match(framesAfterHandshake(connection).texts.map(read), [{ event: 'error', data: { code: 422 } }])
})

t.test('reads messages that arrive in the packet of the handshake', async t => {
  const server = await startTestServer(t)
  const connection = await RawConnection.open(server.port)
  connection.write(Buffer.concat([Buffer.from(HEAD), QUESTION, QUESTION, CLOSE]))
  await connection.closed
  const { texts, closeCode } = framesAfterHandshake(connection)
  t.equal(texts.length, 2)
  t.equal(closeCode, 1000)
  await isWell(t, server)
})

t.test('a bad frame in the packet of the handshake closes only that connection', async t => {
  const server = await startTestServer(t)
  for (const frame of [clientFrame('{}', { isMasked: false }), clientFrame('x', { length: 2 ** 33 })]) {
    const connection = await RawConnection.open(server.port)
    connection.write(Buffer.concat([Buffer.from(HEAD), frame, QUESTION]))
    await connection.closed
    t.ok([1002, 1009].includes(framesAfterHandshake(connection).closeCode ?? 0))
  }
  await isWell(t, server)
})

t.test('reads nothing after a close frame', async t => {
  const server = await startTestServer(t)
  const connection = await openRawSocket(server.port)
  connection.write(Buffer.concat([CLOSE, QUESTION, clientFrame('{}', { isMasked: false })]))
  await connection.closed
  t.same(framesAfterHandshake(connection), { texts: [], closeCode: 1000 })
  await isWell(t, server)
})

t.test('a connection reset at any point harms nothing else', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const witness = await WsClient.connect(t, server.client.wsUrl())
  await witness.subscribe(code)
  const subscribe = clientFrame(`["subscribe_orderbook","${code}"]`)
  for (let round = 0; round < 15; round++) {
    for (const length of [0, 1, 20, HEAD.length - 2, HEAD.length]) {
      const connection = await RawConnection.open(server.port)
      connection.write(HEAD.slice(0, length))
      if (round % 3 === 0) await server.client.get('/healthz')
      await connection.reset()
    }
    for (const cut of [0, 1, 5, subscribe.length]) {
      const connection = await openRawSocket(server.port)
      connection.write(subscribe.subarray(0, cut))
      if (round % 3 === 1) await server.client.get('/healthz')
      await connection.reset()
    }
    await server.client.placeOrder(code, { l1_expected_price: (round + 10) / 100 })
  }
  const { seq } = await server.client.book(code)
  t.same((await witness.reaches(code, seq)).faults, [])
  await isWell(t, server)
})

t.test('closes a half-closed connection', async t => {
  const server = await startTestServer(t)
  const subscribed = await openRawSocket(server.port)
  await subscribed.end()
  const upgrading = await RawConnection.open(server.port)
  upgrading.write(HEAD.slice(0, -2))
  t.match(await upgrading.end(), [{ status: 400 }])
  await isWell(t, server)
})

/** Splits one text into this many fragments of this many bytes. */
function fragmented(length: number, count: number): Buffer {
  const fragments = Array.from({ length: count }, (_, index) =>
    clientFrame('x'.repeat(length), { opcode: index === 0 ? 1 : 0, isFinal: index === count - 1 }),
  )
  return Buffer.concat(fragments)
}

function read(text: string): unknown {
  return JSON.parse(text)
}

async function isWell(t: Test, { client, faults }: TestServer): Promise<void> {
  t.match(await client.get('/healthz'), { status: 200 }, 'the next request is answered')
  const socket = await WsClient.connect(t, client.wsUrl())
  t.match(await socket.ask('?'), { event: 'error' }, 'and the next message')
  t.same(faults, [], 'and none of it was a fault of the exchange')
}
