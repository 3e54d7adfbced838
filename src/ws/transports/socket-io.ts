import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import type { WebSocketServer } from 'ws'
import type { ClientMessage, Misunderstanding } from '../../api/channels/client-message.js'
import type { ErrorCode } from '../../api/errors.js'
import { errorEnvelope } from '../../api/errors.js'
import { reasonOfCode } from '../../api/reasons.js'
import { shown } from '../../api/wrong-value.js'
import { TRY_AGAIN_LATER } from '../connection.js'
import type { Gateway } from '../gateway.js'
import { SocketIoTransport } from './socket-io-transport.js'

const PATH = '/socket.io/'
const TRANSPORTS = ['polling', 'websocket'] as const
const SESSIONS_MAX = 20_000
const BODY_BYTES_MAX = 64 * 1024
/** How long a session may be open without being connected to. */
const CONNECT_TIMEOUT_MS = 10_000
const PING_MS = 20_000
const SHOWN_LENGTH_MAX = 100
const FULL = 'No more connections are taken just now'

type Session = Socket['conn']
type Refusal = readonly [ErrorCode, string]

/** Answers an upgrade that will not be, and ends its connection. */
type RefuseUpgrade = (socket: Duplex, code: ErrorCode, message: string) => void

/**
 * The Socket.IO door: the same gateway, spoken to by a plain `socket.io-client`, over polling or WebSocket.
 * It is handed its requests and listens to no server itself, so that the others stay as they are.
 */
export class SocketIo {
  readonly #gateway: Gateway
  readonly #webSockets: WebSocketServer
  readonly #refuseUpgrade: RefuseUpgrade
  readonly #lines = new WeakMap<Session, SocketIoTransport>()
  readonly #engine: Server['engine']
  #isClosing = false

  /** @param webSockets a WebSocket server of its own, without a port, for sessions that turn to one */
  constructor(gateway: Gateway, webSockets: WebSocketServer, refuseUpgrade: RefuseUpgrade) {
    this.#gateway = gateway
    this.#webSockets = webSockets
    this.#refuseUpgrade = refuseUpgrade
    const io = new Server({
      path: PATH,
      transports: [...TRANSPORTS],
      serveClient: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_MS,
      pingTimeout: PING_MS,
      maxHttpBufferSize: BODY_BYTES_MAX,
      httpCompression: false,
      wsEngine: function webSocketServer() {
        return webSockets
      },
    })
    // Only a server gives it an engine. This one never listens.
    io.attach(createServer())
    this.#engine = io.engine
    this.#engine.on('connection', (session: Session) =>
      this.#lines.set(session, new SocketIoTransport(session)),
    )
    this.#engine.on('connection_error', ({ req, message }) => this.#refuse(req, req.res, [400, message]))
    io.on('connection', socket => this.#join(socket))
  }

  /** Whether a request, or an upgrade, is this door's. */
  takes({ url, method }: IncomingMessage): boolean {
    return (method === 'GET' || method === 'POST') && url?.split('?')[0] === PATH
  }

  /** Answers a request of the polling transport. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#refusal(request, 'polling')
    if (refusal === undefined) this.#engine.handleRequest(request, response)
    else this.#refuse(request, response, refusal)
  }

  /** Turns an upgrade into a session, or into the WebSocket of one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusal(request, 'websocket')
    if (refusal === undefined) this.#engine.handleUpgrade(request, socket, head)
    else this.#refuse(request, undefined, refusal)
  }

  /** Takes nobody in any more and ends every session, also those that the gateway does not know. */
  close(): void {
    this.#isClosing = true
    this.#engine.close()
  }

  /** Ends what has not said goodbye back. */
  terminate(): void {
    for (const webSocket of this.#webSockets.clients) webSocket.terminate()
  }

  #join(socket: Socket): void {
    const line = this.#lines.get(socket.conn)
    if (line === undefined || this.#gateway.isFull) {
      line?.close(TRY_AGAIN_LATER, FULL)
      return
    }
    const connection = this.#gateway.welcome(line)
    socket.onAny((event, ...args) => {
      const message = line.read(event, args)
      this.#gateway.hear(connection, () => message, lengthOf(message))
    })
    socket.on('disconnect', () => {
      this.#gateway.leave(connection)
      // One who has left the only namespace there is has nothing more to say.
      socket.conn.close(true)
    })
  }

  /** Why a request goes no further. What is left the engine refuses, by `connection_error`. */
  #refusal({ url = '', headers }: IncomingMessage, expected: string): Refusal | undefined {
    // Read as the engine reads it: of a name that comes twice the last counts.
    const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
    const { EIO: version, transport, sid = '' } = query
    if (this.#isClosing) return [503, 'The exchange is stopping']
    if (version !== '4') return [400, wrong('EIO', '4: use version 3 or 4 of socket.io-client', version)]
    if (transport !== expected) return [400, wrong('transport', `'${expected}' for this request`, transport)]
    if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) return [413, 'The body is too large']
    const isFull = this.#gateway.isFull || this.#engine.clientsCount >= SESSIONS_MAX
    return isFull && sid === '' ? [503, FULL] : undefined
  }

  #refuse(request: IncomingMessage, response: ServerResponse | undefined, [code, message]: Refusal): void {
    if (response === undefined) {
      this.#refuseUpgrade(request.socket, code, message)
      return
    }
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Raay-Reason': reasonOfCode(code) }
    response.writeHead(code, headers)
    response.end(JSON.stringify(errorEnvelope(code, message)))
  }
}

/** Its names are what may be long in a message that is read. */
function lengthOf(message: ClientMessage | Misunderstanding): number {
  return 'verb' in message ? message.names.join().length : message.message.length
}

function wrong(field: string, expected: string, received: string | undefined): string {
  if (received === undefined) return `${field}: Required`
  return `${field}: Expected ${expected}; received '${shown(received).slice(0, SHOWN_LENGTH_MAX)}'`
}
