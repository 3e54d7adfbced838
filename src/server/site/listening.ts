import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { DataDirectory } from '../../store/files/data-directory.js'
import type { RunningAddress } from '../../store/files/running-address.js'
import { announceAddress } from '../../store/files/running-address.js'
import type { Config } from '../config/config.js'
import type { NetworkConfig } from '../config/network-config.js'
import type { Connections } from '../connections.js'
import { createRedirect } from '../tls/redirect-server.js'
import type { SiteDoor } from './site-door.js'

/**
 * Connections that the kernel accepts for the server while it is busy. Above it, a client's system waits a
 * second before it tries again. Linux takes `net.core.somaxconn` if that is lower; this is its default.
 */
const BACKLOG_MAX = 4096

interface ListenOptions {
  readonly server: Server
  readonly config: Config
  readonly connections: Connections
  readonly door: SiteDoor
}

/** Listens on the port, and on the one that redirects. Rejects with a message for the operator. */
export async function listen({ server, config, connections, door }: ListenOptions): Promise<void> {
  const { port, host, network } = config
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
  server.listen({ port, host, backlog: BACKLOG_MAX })
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

/** Leaves the address in the data directory for programs on this machine; returns the URL. */
export function announce(server: Server, { host, network }: Config, { path }: DataDirectory): string {
  const name = host.includes(':') ? `[${host}]` : host
  const url = `${network.tls === undefined ? 'http' : 'https'}://${name}:${portOf(server)}`
  announceAddress(path, localAddress(url, network))
  return url
}

/** Returns how programs on this machine reach a server, given the URL that it listens on. */
export function localAddress(listening: string, { tls, publicUrl }: NetworkConfig): RunningAddress {
  const url = listening.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  if (tls === undefined) return { url }
  return { url, tls: { name: new URL(publicUrl ?? url).hostname, certificate: resolve(tls.certFile) } }
}
