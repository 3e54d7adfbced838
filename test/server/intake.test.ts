import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import t from 'tap'
import { Accepting } from '../../src/server/accepting.js'
import { CHUNKS_FREE, CHUNKED_SLICE_BYTES, SLICE_BYTES } from '../../src/server/inflow.js'
import { Intake } from '../../src/server/intake.js'
import { startAccounts } from '../fixtures/accounts-server.js'
import { RawConnection, wrongAnswers } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { framesAfterHandshake, handshake } from '../fixtures/sockets/ws-raw.js'

const CHUNK = '1\r\n{\r\n'
const chunked = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n${more}\r\n`

/** A socket whose bytes a test sends. */
class FakeSocket extends EventEmitter {
  destroyed = false
  writableEnded = false
  isFlowing = true

  pause(): this {
    this.isFlowing = false
    return this
  }

  resume(): this {
    this.isFlowing = true
    return this
  }
}

function stage() {
  const scheduled: (() => void)[] = []
  const reads: string[] = []
  const turns = { isShort: false, isForAccepting: false }
  let now = 0
  const isProbe = (bytes: Buffer) => bytes.toString().startsWith('GET /healthz')
  const intake = new Intake({ turns, isProbe, schedule: work => scheduled.push(work), watch: () => now })
  return {
    intake,
    reads,
    turns,
    /** Opens a connection whose parser takes a millisecond per slice. */
    open: (name: string, each: (bytes: Buffer) => void = () => {}) => {
      const socket = new FakeSocket()
      socket.on('data', (bytes: Buffer) => {
        now++
        reads.push(`${name} ${bytes.length}`)
        each(bytes)
      })
      intake.attach(socket as unknown as Socket)
      return socket
    },
    expect: (socket: FakeSocket, headers: IncomingHttpHeaders) =>
      intake.expect({ socket, headers } as unknown as IncomingMessage, {} as ServerResponse),
    /** Lets time pass. */
    pass: (ms: number) => {
      now += ms
    },
    /** Runs what is scheduled for one turn of the event loop; returns what was read in it. */
    round: () => {
      const before = reads.length
      for (const work of scheduled.splice(0)) work()
      return reads.slice(before)
    },
  }
}

t.test('reads a slice of what arrives, and the rest in turns', async t => {
  const { open, round, reads, intake } = stage()
  const parts: Buffer[] = []
  const flood = open('flood', bytes => parts.push(bytes))
  const other = open('other')
  const sent = Buffer.from(Array.from({ length: 20 * SLICE_BYTES }, (_, index) => index % 251))
  flood.emit('data', sent)
  t.same(reads, ['flood 1024'])
  t.notOk(flood.isFlowing, 'nothing more is taken in')
  other.emit('data', Buffer.alloc(300))
  t.same(reads.splice(0), ['flood 1024', 'other 300'], 'others do not wait')
  other.emit('data', Buffer.alloc(1500))
  t.same(reads.splice(0), ['other 1024'])
  t.same(round(), ['flood 1024'])
  t.same(round(), ['other 476', 'flood 1024'], 'each in its turn')
  while (intake.waiting > 0) round()
  t.same(Buffer.concat(parts), sent, 'all of it, in order')
  t.ok(flood.isFlowing && other.isFlowing)
})

t.test('reads a body of a known length at once, but nothing behind it', async t => {
  const { open, reads, round, expect } = stage()
  const socket = open('one', () => {
    if (reads.length === 1) expect(socket, { 'content-length': '20000' })
  })
  socket.emit('data', Buffer.alloc(60_000))
  t.same(reads, ['one 1024'])
  t.same(round(), ['one 20000'])
  t.same(round(), ['one 1024'])
})

t.test('a round ends when its time is up, whatever a slice leads to, and others have their turn', async t => {
  const { open, reads, round, pass, expect } = stage()
  const batches = Array.from({ length: 10 }, (_, index) => {
    const socket = open(`batch${index}`, () => pass(2))
    expect(socket, { 'content-length': '5000' })
    socket.emit('data', Buffer.alloc(4000))
    return socket
  })
  t.equal(reads.splice(0).length, 2, 'reading at once is bounded, too')
  for (const socket of batches) socket.emit('data', Buffer.alloc(1000))
  const turns: string[][] = []
  for (let turn = round(); turn.length > 0; turn = round()) turns.push(turn)
  t.ok(
    turns.every(({ length }) => length <= 2),
    'no turn is long',
    { turns },
  )
  t.same(reads.filter(read => read.endsWith(' 1000') || read.endsWith(' 5000')).length, 10)
})

t.test('reads heads before the bodies behind them when much arrives in a turn', async t => {
  const { open, reads, round, expect } = stage()
  const head = 'POST / HTTP/1.1\r\n\r\n'
  const sockets = Array.from({ length: 20 }, (_, index) => {
    const socket = open(`s${index}`, bytes => {
      if (String(bytes).startsWith('POST')) expect(socket, { 'transfer-encoding': 'chunked' })
    })
    return socket
  })
  for (const socket of sockets) socket.emit('data', Buffer.from(head + '{'.repeat(600)))
  t.same(reads.splice(0), ['s0 619', 's1 619', 's2 619', 's3 619', 's4 619'])
  const turns: string[][] = []
  for (let turn = round(); turn.length > 0; turn = round()) turns.push(turn)
  const isHead = (read: string) => read.endsWith(` ${head.length}`)
  t.ok(turns.every(turn => turn.filter(isHead).length <= 5 && turn.length <= 10))
  const headTurns = turns.filter(turn => turn.some(isHead))
  t.ok(headTurns.length <= 5, 'bodies take no turn from heads')
  t.same(
    turns.flat().filter(isHead),
    sockets.slice(5).map((_, index) => `s${index + 5} ${head.length}`),
  )
  const bodies = turns.flat().filter(read => !isHead(read))
  t.ok(bodies.every(read => Number(read.split(' ')[1]) <= CHUNKED_SLICE_BYTES))
  t.equal(bodies.length, 15 * 3)
})

t.test('in short turns heads go on, and long bodies wait for a while', async t => {
  const { open, reads, round, pass, expect, turns } = stage()
  const body = open('body')
  expect(body, { 'content-length': '5000' })
  body.emit('data', Buffer.alloc(2000))
  body.emit('data', Buffer.alloc(3000))
  t.same(round(), ['body 3000'], 'in its turn')
  turns.isShort = true
  expect(body, { 'content-length': '5000' })
  body.emit('data', Buffer.alloc(5000))
  const sockets = ['a', 'b', 'c'].map(name => open(name))
  for (const socket of sockets) socket.emit('data', Buffer.alloc(100))
  reads.splice(0)
  t.same([...round(), ...round(), ...round()], ['a 100', 'b 100', 'c 100'], 'one in each turn')
  t.same(round(), [])
  pass(20)
  t.same(round(), ['body 5000'], 'and not for ever')
})

t.test('turns are short from the connection that is accepted until a turn without one', async t => {
  const scheduled: (() => void)[] = []
  const accepting = new Accepting({ schedule: work => scheduled.push(work) })
  const turn = () => {
    for (const work of scheduled.splice(0)) work()
    return accepting.isShort
  }
  t.notOk(accepting.isShort)
  for (let burst = 0; burst < 3; burst++) {
    accepting.note()
    accepting.note()
    t.ok(accepting.isShort)
    t.equal(scheduled.length, 1)
    t.ok(turn(), 'also when the next turn begins')
  }
  t.notOk(turn())
  t.equal(scheduled.length, 0)
})

t.test(
  'connections that wait to be accepted have half of the time, and the rest is not forgotten',
  async t => {
    let scheduled: (() => void)[] = []
    let now = 0
    const schedule = (work: () => void) => scheduled.push(work)
    const accepting = new Accepting({ schedule, watch: () => now })
    const shared = accepting.shared(schedule)
    let workedMs = 0
    const work = () => {
      now += 3
      workedMs += 3
      if (workedMs < 300) shared(work)
    }
    /** Accepts a connection, which takes a tenth of a millisecond, and runs what is scheduled. */
    const turn = (isAccepting: boolean) => {
      now += 0.1
      if (isAccepting) accepting.note()
      const due = scheduled
      scheduled = []
      for (const run of due) run()
    }
    shared(work)
    for (let turns = 0; turns < 8; turns++) turn(true)
    t.equal(workedMs, 24, 'a few connections postpone nothing')
    const [worked, began] = [workedMs, now]
    for (let turns = 0; turns < 400; turns++) turn(true)
    const share = (workedMs - worked) / (now - began)
    t.ok(share > 0.4 && share < 0.6, `other work has ${share} of the time`)
    t.notOk(accepting.isForAccepting && workedMs === worked)
    for (let turns = 0; turns < 20; turns++) turn(false)
    t.notOk(accepting.isForAccepting)
    t.ok(workedMs - worked > 60 && scheduled.length > 0, 'no turn is left to accepting once none waits')
    while (scheduled.length > 0) turn(false)
    t.equal(workedMs, 300)
  },
)

t.test('thousands of reads delay neither the head of a change nor a probe', async t => {
  const { open, round, reads } = stage()
  const send = (name: string, request: string) => open(name).emit('data', Buffer.from(`${request} HTTP/1.1`))
  for (let index = 0; index < 1000; index++) send(`read${index}`, 'GET /order?userid=u')
  t.equal(reads.splice(0).length, 5, 'at once')
  send('order', 'POST /order/initiate')
  send('probe', 'GET /healthz')
  const next = round().map(read => read.split(' ')[0])
  t.ok(next.includes('order') && next.includes('probe'), `${next}`)
  t.ok(next.length <= 7)
})

t.test('nothing is read at once in a turn that is left to accepting', async t => {
  const { open, round, reads, turns } = stage()
  turns.isForAccepting = true
  open('one').emit('data', Buffer.alloc(10))
  t.same(reads, [])
  turns.isForAccepting = false
  t.same(round(), ['one 10'])
})

t.test('slow slices bring no lasting wait: each turn has its time to read at once', async t => {
  const { open, round, reads } = stage()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) open(name).emit('data', Buffer.alloc(10))
  t.equal(reads.length, 5)
  round()
  open('next').emit('data', Buffer.alloc(10))
  t.equal(reads.at(-1), 'next 10')
})

t.test('chunks always wait for their turn, and the next request does not', async t => {
  const { open, reads, round, expect } = stage()
  const socket = open('one')
  expect(socket, { 'transfer-encoding': 'chunked' })
  socket.emit('data', Buffer.alloc(100))
  t.same(reads, [])
  t.same(round(), ['one 100'])
  expect(socket, {})
  socket.emit('data', Buffer.alloc(100))
  t.equal(reads.length, 2)
})

t.test('reads nothing while node:http has stopped a connection, or after its end', async t => {
  const { open, round, reads, intake } = stage()
  const [stopped, ended, destroyed] = [open('stopped'), open('ended'), open('destroyed')]
  for (const socket of [stopped, ended, destroyed]) socket.emit('data', Buffer.alloc(3000))
  stopped.pause()
  ended.writableEnded = true
  destroyed.destroyed = true
  destroyed.emit('close')
  reads.splice(0)
  t.same([...round(), ...round(), ...round()], ['ended 1024'])
  t.equal(intake.waiting, 0)
  stopped.resume()
  t.notOk(stopped.isFlowing, 'the rest comes first')
  t.same([round(), round()], [['stopped 1024'], ['stopped 952']])
  t.ok(stopped.isFlowing)
  ended.emit('data', Buffer.alloc(10))
  t.same(round(), [], 'what arrives later is discarded')
})

t.test('gives nothing more to a paused parser whose connection is refused and resumed', async t => {
  const { open, round, reads, intake } = stage()
  const socket = open('one')
  socket.emit('data', Buffer.alloc(3000))
  socket.pause()
  socket.writableEnded = true
  reads.splice(0)
  socket.resume()
  t.same([round(), round()], [[], []])
  t.ok(socket.isFlowing, 'what arrives is discarded')
  socket.emit('data', Buffer.alloc(3000))
  t.same([round(), round()], [[], []])
  t.equal(intake.waiting, 0)
})

t.test('gives an upgraded connection what it has not read', async t => {
  const { open, intake, round } = stage()
  const socket = open('one')
  socket.emit('data', Buffer.concat([Buffer.alloc(SLICE_BYTES), Buffer.from('frames')]))
  t.equal(String(intake.release(socket as unknown as Socket)), 'frames')
  t.same(round(), [])
  t.equal(socket.listenerCount('data'), 0)
  t.equal(socket.pause, FakeSocket.prototype.pause)
})

t.test('refuses a body in too many small chunks with 411, wherever it is sent', async t => {
  const { port, faults, exchange } = await startAccounts(t)
  const places = [
    '/order/initiate',
    '/auth/login',
    '/auth/sign-up',
    '/order/batch',
    '/events/create',
    '/nowhere',
  ]
  const more = ['', 'Expect: 100-continue\r\n', 'Trailer: x\r\n', 'Content-Type: application/json\r\n']
  const before = process.memoryUsage().rss
  const connections = await Promise.all(Array.from({ length: 50 }, () => RawConnection.open(port)))
  for (const [index, connection] of connections.entries()) {
    const head = chunked(places[index % places.length] ?? '', more[index % more.length])
    connection.write(head + CHUNK.repeat(60_000))
  }
  await Promise.all(connections.map(({ closed }) => closed))
  for (const [index, { answers }] of connections.entries()) {
    const last = answers.at(-1)
    // Where a body is not read at all, its request is refused for another reason.
    const isRead = last?.status === 411
    t.ok(isRead || (last?.status ?? 0) >= 400, `${places[index % places.length]}: ${last?.status}`)
    t.same(wrongAnswers(answers), [])
  }
  const codes = connections.flatMap(({ answers }) => answers.map(({ status }) => status))
  t.ok(codes.filter(code => code === 411).length >= 15, `${codes}`)
  const grownMb = (process.memoryUsage().rss - before) / 1_000_000
  t.ok(grownMb < 200, 'chunks are not kept', { grownMb })
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
})

t.test('takes a body in chunks of any size that are not too many', async t => {
  const { port, client, faults } = await startTestServer(t)
  const code = await client.createEvent()
  const order = `{"event_id":"${code}","l1_expected_price":5,"l1_order_quantity":1,"offer_type":"buy","order_type":"LO","userid":"ada"}`
  const inChunks = (body: string, length: number) =>
    `${body.replace(new RegExp(`.{1,${length}}`, 'g'), part => `${part.length.toString(16)}\r\n${part}\r\n`)}0\r\n\r\n`
  const padded = order.padEnd(100 * 1024, ' ')
  const bodies = [inChunks(order, 2), inChunks(order, 1000), inChunks(padded, 256), inChunks(padded, 65_536)]
  t.ok(order.length <= CHUNKS_FREE, 'an order fits in single bytes')
  const connection = await RawConnection.open(port)
  for (const body of [...bodies, inChunks(order, 1)]) connection.write(chunked('/order/initiate') + body)
  connection.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await connection.closed
  t.same(
    connection.answers.map(({ status }) => status),
    [201, 201, 201, 201, 201, 200],
  )
  t.same(faults, [])
})

t.test('a pipelined flood ends its own connections, and others go on', async t => {
  const { port, client, faults } = await startTestServer(t)
  const request = 'GET /time HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const connections = await Promise.all(Array.from({ length: 50 }, () => RawConnection.open(port)))
  for (const connection of connections) connection.write(request.repeat(2000))
  t.match(await client.get('/healthz'), { status: 200 })
  for (const connection of connections) {
    const answers = await connection.answered(2000)
    const codes = new Set(answers.map(({ status }) => status))
    t.ok(
      [...codes].every(code => code === 200 || code === 503),
      `${[...codes]}`,
    )
  }
  await Promise.all(connections.map(connection => connection.reset()))
  t.same(faults, [])
})

t.test('frames that arrive with the upgrade are all read, in order', async t => {
  for (const server of [await startTestServer(t), await startAccounts(t)]) {
    const connection = await RawConnection.open(server.port)
    const messages = Array.from({ length: 100 }, (_, index) => frame(`{"event":"ping","id":${index}}`))
    connection.write(Buffer.concat([Buffer.from(handshake()), ...messages]))
    const ids = () => framesAfterHandshake(connection).texts.map(text => JSON.parse(text).id)
    while (ids().length < messages.length && !connection.socket.closed) {
      await Promise.race([once(connection.socket, 'data'), connection.closed])
    }
    t.same(ids(), [...messages.keys()])
    await connection.reset()
    const socket = await WsClient.connect(t, server.client.wsUrl())
    t.match(await socket.ask({ event: 'ping' }), {})
  }
})

/** Returns a masked text frame. */
function frame(text: string): Buffer {
  const [bytes, mask] = [Buffer.from(text), Buffer.alloc(4)]
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length]), mask, bytes])
}
