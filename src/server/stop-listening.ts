import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Exchange } from '../exchange/exchange.js'
import type { Sockets } from './web-sockets.js'

const GOODBYE_MS = 3000
const GOODBYE_STEP_MS = 20

export interface Listening {
  readonly server: Server
  readonly sockets: Pick<Sockets, 'gateway' | 'socketIo'>
  readonly exchange: Pick<Exchange, 'drain'>
}

/** Refuses new connections, finishes requests in progress, and closes the sockets. */
export async function stopListening(parts: Listening): Promise<void> {
  const { server, sockets, exchange } = parts
  const closed = once(server, 'close')
  server.close()
  sockets.gateway.close()
  sockets.socketIo?.close()
  await exchange.drain()
  // Connections become idle as their last answers leave; the remaining ones are cut off in the end.
  const steps = GOODBYE_MS / GOODBYE_STEP_MS
  let step = 0
  const goodbye = setInterval(() => {
    server.closeIdleConnections()
    step++
    if (step < steps) return
    cutOff(parts)
  }, GOODBYE_STEP_MS)
  await closed
  clearInterval(goodbye)
}

/** Closes all connections at once. */
export function cutOff({ server, sockets }: Omit<Listening, 'exchange'>): void {
  server.closeAllConnections()
  sockets.gateway.terminate()
  sockets.socketIo?.terminate()
}
