import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.js'
import type { Connections } from '../connections.js'
import { createRedirect } from '../tls/redirect-server.js'
import type { SiteDoor } from './site-door.js'

/** Listens on the port, and on the one that redirects. Rejects with a message for the operator. */
export async function listen(
  server: Server,
  { port, host, network }: Config,
  connections: Connections,
  door: SiteDoor,
): Promise<void> {
  await listenOn(server, port, host, '--port')
  const redirectPort = network.tls?.redirectPort
  if (redirectPort === undefined) return
  const redirect = createRedirect({ ...network, door, tlsPort: () => portOf(server), connections })
  await listenOn(redirect, redirectPort, host, '--tls-redirect-port')
  server.once('close', () => {
    redirect.close()
    redirect.closeAllConnections()
  })
}

async function listenOn(server: Server, port: number, host: string, flag: string): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const advice =
      code === 'EADDRINUSE' ? `is in use: stop what listens there, or choose another with ${flag}` : code
    throw new Error(`port ${port} on ${host} ${advice}`)
  }
}

/** Returns the port that a server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
