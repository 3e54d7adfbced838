import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { Gateway } from '../ws/gateway.js'
import type { SocketIo } from '../ws/transports/socket-io.js'
import { chosenSubprotocol } from '../ws/transports/subprotocols.js'
import { REQUEST_ID_HEADER, requestIdOf } from './answers/request-id.js'
import type { RequestLog } from './answers/request-log.js'
import type { EdgeLimits } from './edge-limits.js'
import { refuse } from './refusal.js'
import { handshakeCredentials } from './site/handshake.js'
import type { OpenedDoor } from './site/open-door.js'

/** Client messages are short: a few fragments and packets hold any of them. */
const WEBSOCKET_OPTIONS = {
  noServer: true,
  maxPayload: SOCKET_LIMITS.messageBytesMax,
  maxFragments: 128,
  maxBufferedChunks: 1024,
  perMessageDeflate: false,
  // One message per event-loop turn and client: a packet full of messages delays no other client.
  allowSynchronousEvents: false,
  handleProtocols: chosenSubprotocol,
}

/** The servers of WebSocket and Socket.IO, with the gateway behind them. */
export interface Sockets {
  readonly gateway: Gateway
  readonly webSockets: WebSocketServer
  readonly socketIo: SocketIo | undefined
}

interface SocketParts {
  readonly gateway: Gateway
  readonly doorway: Pick<OpenedDoor, 'requests'>
  readonly hasSocketIo: boolean
  readonly limits: EdgeLimits
}

/** Opens the sockets of both kinds to one gateway. */
export async function openSockets(parts: SocketParts): Promise<Sockets> {
  const { gateway, doorway, hasSocketIo, limits } = parts
  const { requests } = doorway
  const socketIo = hasSocketIo ? await openSocketIo(gateway, requests, limits) : undefined
  return { gateway, webSockets: webSocketServer(requests), socketIo }
}

/** Returns a WebSocket server without a port of its own; refuses bad handshakes with an error envelope. */
function webSocketServer(requests: RequestLog): WebSocketServer {
  const webSockets = new WebSocketServer(WEBSOCKET_OPTIONS)
  webSockets.on('headers', (lines, request) => {
    const id = requestIdOf(request)
    lines.push(`${REQUEST_ID_HEADER}: ${id}`)
    requests.opened(request, id)
  })
  return webSockets.on('wsClientError', (error, socket) => refuse(socket, 400, error.message))
}

/** Loads Socket.IO only if it is enabled. */
async function openSocketIo(gateway: Gateway, requests: RequestLog, limits: EdgeLimits): Promise<SocketIo> {
  const { SocketIo } = await import('../ws/transports/socket-io.js')
  const webSockets = webSocketServer(requests)
  const credentialsOf = (request: IncomingMessage) =>
    handshakeCredentials(request, requests.addressOf(request))
  return new SocketIo({
    gateway,
    webSockets,
    pingMs: limits.socketIoPingMs,
    credentialsOf,
    refuseUpgrade: refuse,
  })
}
