import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import t from 'tap'
import { networksIn } from '../../src/access/networks.js'
import { addressKey, Connections } from '../../src/server/connections.js'
import type { Config } from '../../src/server/config/config.js'
import type { EdgeLimits } from '../../src/server/edge-limits.js'
import { listen, portOf } from '../../src/server/site/listening.js'
import type { SiteDoor } from '../../src/server/site/site-door.js'

const LIMITS: EdgeLimits = {
  headersMs: 1,
  requestMs: 1,
  checkMs: 1,
  handshakeMs: 1,
  keepAliveMs: 1,
  stalledMs: 20_000,
  stalledUnderPressureMs: 1000,
  beatMs: 100,
  socketIoPingMs: 20_000,
  sweepMs: 250,
  connectionsMax: 100,
  connectionsPerAddressMax: 3,
  refusedMax: 1,
  pipelinedMax: 2,
  requestsMax: 5,
  orderWaitMsMax: 500,
  unsentBytesMax: 1_000_000,
}

/** A socket that a test fills and empties. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  writableLength = 0
  destroyed = false
  readonly _handle = { bytesWritten: 0, writeQueueSize: 0 }

  constructor(remoteAddress = '10.0.0.1') {
    super()
    this.remoteAddress = remoteAddress
  }

  write(bytes: number): void {
    this.writableLength += bytes
    this._handle.bytesWritten += bytes
    this._handle.writeQueueSize += bytes
  }

  /** Reads this many bytes as the client; the stream counts them only once a whole chunk is gone. */
  read(bytes: number): void {
    this._handle.writeQueueSize -= bytes
    if (this._handle.writeQueueSize === 0) this.writableLength = 0
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

function stage(limits: Partial<EdgeLimits> = {}) {
  let now = 0
  const connections = new Connections(
    { ...LIMITS, ...limits },
    () => undefined,
    () => now,
  )
  return {
    connections,
    open: (address?: string) => {
      const socket = new FakeSocket(address)
      return { socket, isIn: connections.admit(socket as unknown as Socket) }
    },
    /** Lets time pass, with a sweep of all connections each second. */
    pass: (seconds: number, each: () => void = () => {}) => {
      for (let second = 0; second < seconds; second++) {
        now += 1000
        each()
        connections.sweep()
      }
    },
  }
}

t.test('closes a connection that reads nothing for 20 seconds, but not one that reads slowly', async t => {
  const { open, pass } = stage({ connectionsPerAddressMax: 10, unsentBytesMax: 10_000_000 })
  const [stalled, slow, dripping, idle] = [open().socket, open().socket, open().socket, open().socket]
  for (const socket of [stalled, slow, dripping]) socket.write(900_000)
  const read = () => {
    slow.read(2000)
    dripping.read(1)
  }
  pass(20, read)
  t.same([stalled.destroyed, slow.destroyed, dripping.destroyed], [false, false, false])
  pass(2, read)
  t.same([stalled.destroyed, dripping.destroyed], [true, true])
  pass(100, read)
  t.same([slow.destroyed, idle.destroyed], [false, false])
  pass(30)
  t.ok(slow.destroyed, 'it has stopped, too')
  t.notOk(idle.destroyed, 'nothing waits for it')
})

t.test('never closes a busy connection that reads everything', async t => {
  const { open, pass } = stage()
  const { socket } = open()
  pass(100, () => {
    socket.read(socket._handle.writeQueueSize)
    socket.write(100)
  })
  t.notOk(socket.destroyed)
})

t.test('bounds unsent bytes, counting those read since the last sweep', async t => {
  const { connections, open, pass } = stage()
  const { socket } = open()
  t.ok(connections.takes(600_000))
  t.ok(connections.takes(400_000))
  t.notOk(connections.takes(1))
  socket.write(900_000)
  pass(1)
  t.ok(connections.takes(100_000), 'as much as the sockets leave')
  t.notOk(connections.takes(1))
  socket.read(900_000)
  pass(1)
  t.ok(connections.takes(1_000_000))
})

t.test('closes the connection that has not read for longest when too much is unsent', async t => {
  const { open, pass } = stage({ connectionsPerAddressMax: 10 })
  const sockets = [open().socket, open().socket, open().socket]
  for (const socket of sockets) {
    socket.write(300_000)
    pass(1)
  }
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [false, false, false],
  )
  sockets[2]?.write(200_000)
  pass(1)
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [true, true, false],
    'until there is room again',
  )
})

t.test('makes room for a response by closing only connections that have not read for a second', async t => {
  const { connections, open, pass } = stage()
  const { socket } = open()
  socket.write(900_000)
  const steadily = () => socket.read(20_000)
  pass(1, steadily)
  pass(5, () => {
    steadily()
    t.notOk(connections.takes(500_000))
  })
  t.notOk(socket.destroyed)
  pass(1, steadily)
  pass(1)
  t.notOk(socket.destroyed, 'nobody was refused for it')
  t.notOk(connections.takes(500_000))
  pass(1)
  t.ok(socket.destroyed)
  t.ok(connections.takes(500_000))
})

t.test('counts responses that wait behind another one on the same connection', async t => {
  const { connections, open, pass } = stage()
  const { socket } = open()
  const response = (isFirst: boolean) =>
    Object.assign(new EventEmitter(), {
      req: { socket },
      socket: isFirst ? socket : null,
      writableLength: 600_000,
    }) as unknown as ServerResponse
  socket.write(600_000)
  connections.begin(socket as unknown as Socket, response(true))
  connections.begin(socket as unknown as Socket, response(false))
  pass(1)
  t.ok(socket.destroyed, 'both are more than may wait')
})

t.test('counts connections by address until they close', async t => {
  const { connections, open } = stage({ connectionsMax: 5 })
  const mine = [open(), open(), open(), open()]
  t.same(
    mine.map(({ isIn }) => isIn),
    [true, true, true, false],
  )
  t.ok(open('10.0.0.2').isIn)
  t.ok(open('10.0.0.3').isIn)
  t.notOk(open('10.0.0.4').isIn, 'that is all there is room for')
  t.notOk(open('127.0.0.1').isIn, 'for nobody')
  mine[0]?.socket.destroy()
  t.ok(open('127.0.0.1').isIn)
  t.equal(connections.count, 5)
  for (const { socket } of mine) socket.destroy()
  t.same([open().isIn, open().isIn, open().isIn], [true, true, false])
})

t.test('counts requests in progress per connection and in total', async t => {
  const { connections, open } = stage()
  const sockets = [open(), open(), open()].map(({ socket }) => socket)
  const responses: EventEmitter[] = []
  const begin = (index: number) => {
    const response = Object.assign(new EventEmitter(), { req: { socket: sockets[index] } })
    responses.push(response)
    return connections.begin(sockets[index] as unknown as Socket, response as unknown as ServerResponse)
  }
  t.same([begin(0), begin(0), begin(0), begin(0)], ['answer', 'later', 'refuse', 'ignore'])
  t.notOk(sockets[0]?.destroyed)
  t.equal(begin(0), 'ignore')
  t.ok(sockets[0]?.destroyed, 'one that goes on is closed')
  t.same([begin(1), begin(1), begin(2), begin(2)], ['answer', 'later', 'answer', 'later'])
  responses.at(-1)?.emit('close')
  t.equal(begin(2), 'later', 'one that was answered makes room')
})

t.test('counts an IPv6 network as one address, and recognizes IPv4 in every notation', async t => {
  const rows: readonly (readonly [address: string, proxies: string, key: string | undefined])[] = [
    ['10.0.0.1', '', '10.0.0.1'],
    ['::ffff:10.0.0.1', '', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '', '2001:db8:1:2'],
    ['2001:DB8:1::6', '', '2001:db8:1:0'],
    ['fe80::1%eth0', '', 'fe80:0:0:0'],
    ['127.0.0.1', '', undefined],
    ['127.8.9.1', '', undefined],
    ['::1', '', undefined],
    ['::ffff:127.0.0.1', '', undefined],
    ['127.0.0.1', '10.0.0.7', '127.0.0.1'],
    ['::1', '10.0.0.7', '0:0:0:0'],
    ['10.0.0.7', '10.0.0.7', undefined],
    ['::ffff:10.0.0.7', '10.0.0.7', undefined],
    ['10.0.0.8', '10.0.0.7', '10.0.0.8'],
    ['10.1.2.3', 'fd00::/8, 10.0.0.0/8', undefined],
    ['fd12::1', 'fd00::/8,10.0.0.0/8', undefined],
    ['', '', ''],
  ]
  for (const [address, proxies, key] of rows) {
    const list = proxies === '' ? undefined : networksIn(proxies.split(','))
    t.equal(addressKey(address, list), key, `${address} behind ${proxies}`)
  }
})

t.test('rejects a proxy list that names no addresses', async t => {
  for (const text of [
    '',
    'localhost',
    '10.0.0.1/33',
    '::1/129',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '10.0.0.1,',
    '10.0/8',
    'fe80::1%eth0',
  ]) {
    t.equal(networksIn(text.split(',')), undefined, text)
  }
})

/** Connections that the kernel has accepted on a port and the server has not: the queue of `/proc/net/tcp`. */
function unaccepted(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A `
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find(line => line.includes(address))
  return Number.parseInt(line?.split(address)[1]?.slice(9, 17) ?? '', 16)
}

const SOMAXCONN = '/proc/sys/net/core/somaxconn'
const QUEUE_MAX = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0

t.test(
  'no client waits a second because a thousand others connected while the server was busy',
  { skip: QUEUE_MAX < 1000 && `the kernel queues ${QUEUE_MAX} connections` },
  async t => {
    const connections = new Connections(
      LIMITS,
      () => undefined,
      () => 0,
    )
    const server = createServer()
    const config = { port: 0, host: '127.0.0.1', network: {} } as Config
    await listen({ server, config, connections, door: {} as SiteDoor })
    const clients = Array.from({ length: 1000 }, () => connect(portOf(server), '127.0.0.1'))
    t.teardown(() => {
      for (const client of clients) client.destroy()
      server.close()
    })
    // Within this tick the server cannot accept any.
    await new Promise<void>(resolve => process.nextTick(resolve))
    t.equal(unaccepted(portOf(server)), 1000)
  },
)
