import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'

/** As long as a message of a market is on average. */
const LENGTH = 200

/**
 * The baseline of fan-out: a bare `ws` server without an exchange. For each POST, each socket that has said
 * something is sent two messages, one after the other.
 */
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const subscribed = new Set<WebSocket>()
let seq = 0

function tell(): void {
  seq++
  const text = `{"seq":${seq},"ts":${Date.now()},"of":"`.padEnd(LENGTH - 2, '.')
  for (const socket of subscribed) socket.send(`${text}"}`)
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    tell()
    tell()
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
  })
})
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, client => {
    client.once('message', () => {
      subscribed.add(client)
      client.send('{}')
    })
    client.on('close', () => subscribed.delete(client))
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready on http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
