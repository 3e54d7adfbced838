import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { hostUnknown, REFUSED } from '../../api/refusal-texts.js'
import { REQUEST_ID_HEADER, requestIdOf } from '../answers/request-id.js'
import { securityHeaders } from '../answers/security-headers.js'
import type { Connections } from '../connections.js'
import type { Refusal } from '../refusal.js'
import { refusalOf, refuse } from '../refusal.js'
import type { SiteDoor } from '../site/site-door.js'

/** A redirect needs little of a request, and waits for little. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 1000,
  requireHostHeader: false,
}

export interface RedirectOptions {
  /** Returns the port that speaks TLS. */
  readonly tlsPort: () => number
  readonly publicUrl: string | undefined
  /** Knows the names under which the server may be reached. */
  readonly door: Pick<SiteDoor, 'accepts'>
  /** Its connections count like all others. */
  readonly connections: Pick<Connections, 'admit'>
}

/** Creates a server for http that redirects reads to https. It never takes a body, a token or an upgrade. */
export function createRedirect(options: RedirectOptions): Server {
  const { connections } = options
  const server = createServer(LIMITS, (request, response) => answer(request, response, options))
  // One answer ends the connection.
  server.maxRequestsPerSocket = 1
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) socket.destroy()
    else for (const listener of listeners) listener.call(server, socket)
  })
  server.on('upgrade', (_, socket) => refuse(socket, 403, REFUSED.tlsRequired, 'tls_required'))
  return server.on('clientError', (_, socket) => socket.destroy())
}

function answer(request: IncomingMessage, response: ServerResponse, to: RedirectOptions): void {
  const { method, url = '', headers } = request
  const host = headers.host ?? ''
  if (!to.door.accepts(host)) {
    send(request, response, 421, refusalOf(421, hostUnknown(host)))
    return
  }
  if (method !== 'GET' && method !== 'HEAD') {
    send(request, response, 403, refusalOf(403, REFUSED.tlsRequired, 'tls_required'))
    return
  }
  const origin = to.publicUrl ?? originOf(host, to.tlsPort())
  const path = url.startsWith('/') ? url : '/'
  send(request, response, 308, {
    body: '',
    headers: { Location: origin + path, 'Content-Length': '0', Connection: 'close' },
  })
}

function originOf(host: string, port: number): string {
  const url = new URL(`https://${host}`)
  url.port = String(port)
  return url.origin
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  { body, headers }: Refusal,
): void {
  const always = [...securityHeaders(false), REQUEST_ID_HEADER, requestIdOf(request)]
  response.writeHead(code, [...always, ...Object.entries(headers).flat()]).end(body)
}
