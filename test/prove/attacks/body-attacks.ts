import type { Attack, Target } from './attack.js'

/** Six bytes for one of a body; a body of 100 KiB could have 100,000 of them. */
const CHUNK = '1\r\n{\r\n'
const ENDLESS = CHUNK.repeat(60_000)
const PLACES = ['POST /order/initiate', 'POST /auth/login', 'POST /order/batch', 'POST /nowhere'] as const
/** Headers that change how a body is read. */
const ODD_HEADERS = [
  '',
  'Expect: 100-continue\r\n',
  'Trailer: X-After\r\n',
  'Connection: close\r\n',
  'Content-Type: application/json\r\n',
] as const

/** Sends bodies in one-byte chunks, 360 kB on each connection, on new connections as often as given. */
function tinyChunks(name: string, count: number, waves: number, places: readonly string[]): Attack {
  return {
    name,
    run: async target => {
      for (let wave = 0; wave < waves; wave++) {
        const connections = await target.connect(count)
        for (const [index, connection] of connections.entries()) {
          const [place = ''] = places.slice(index % places.length)
          const odd = ODD_HEADERS[index % ODD_HEADERS.length] ?? ''
          target.send(connection, headOf(place, `Transfer-Encoding: chunked\r\n${odd}`) + ENDLESS)
        }
        await closeAll(target, connections)
      }
    },
  }
}

/** Sends many requests on each connection, each with a body in chunks that a request may have. */
const allowedChunks: Attack = {
  name: '300 × 200 pipelined bodies in a hundred chunks',
  run: async target => {
    const connections = await target.connect(300)
    const request =
      headOf('POST /order/initiate', 'Transfer-Encoding: chunked\r\n') + CHUNK.repeat(100) + '0\r\n\r\n'
    for (const connection of connections) target.send(connection, request.repeat(200))
    await closeAll(target, connections)
  },
}

/** Sends heads and trailers a byte per packet. */
const splitHeads: Attack = {
  name: '200 heads and trailers, a byte per packet',
  run: async target => {
    const connections = await target.connect(200)
    const head = headOf('POST /order/initiate', 'Transfer-Encoding: chunked\r\nTrailer: X\r\n')
    const text = `${head}2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(50)}\r\n`
    for (const letter of text) {
      for (const connection of connections) target.send(connection, letter)
      await new Promise(resolve => setImmediate(resolve))
    }
    await target.answered(200, 20)
    await closeAll(target, connections)
  },
}

export const bodyAttacks: readonly Attack[] = [
  tinyChunks('10 bodies in one-byte chunks', 10, 10, PLACES),
  tinyChunks('300 bodies in one-byte chunks', 300, 3, PLACES),
  tinyChunks('300 bodies in one-byte chunks that nobody reads', 300, 1, ['GET /healthz', 'GET /time']),
  allowedChunks,
  splitHeads,
]

function headOf(place: string, headers: string): string {
  return `${place} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
}

/** Waits a while for the exchange to end the connections; then the attacker does. */
async function closeAll(
  target: Target,
  connections: Parameters<Target['holdUntilClosed']>[0],
): Promise<void> {
  await target.holdUntilClosed(connections, 10)
}
