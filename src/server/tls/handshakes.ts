import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * Calls a function with each encrypted socket and the connection that it came in on. Node tells neither the
 * other, but the client's address and port are those of one connection at a time. Closes connections whose
 * handshake fails: nobody could read a refusal.
 */
export function onHandshake(server: Server, done: (socket: Socket, encrypted: TLSSocket) => void): void {
  const waiting = new Map<string, Socket>()
  server.prependListener('connection', (socket: Socket) => {
    const name = nameOf(socket)
    waiting.set(name, socket)
    socket.once('close', () => {
      if (waiting.get(name) === socket) waiting.delete(name)
    })
  })
  server.prependListener('secureConnection', (encrypted: TLSSocket) => {
    const name = nameOf(encrypted)
    const socket = waiting.get(name)
    waiting.delete(name)
    if (socket === undefined) encrypted.destroy()
    else done(socket, encrypted)
  })
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (_, encrypted: TLSSocket) => encrypted.destroy())
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
