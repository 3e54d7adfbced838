import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import type { WebSocketServer } from 'ws'
import type { Credentials } from '../../access/access.js'
import { networkKey } from '../../access/limits/network-key.js'
import { namesToken } from '../../access/token-in-address.js'
import { ApiError } from '../../api/api-error.js'
import type { ReadMessage } from '../../api/channels/client-message.js'
import type { ErrorCode } from '../../api/errors.js'
import { errorEnvelope } from '../../api/errors.js'
import { reasonOfCode } from '../../api/reasons.js'
import { refusalHeaders } from '../../api/refusal-headers.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import { shown } from '../../api/wrong-value.js'
import { TRY_AGAIN_LATER } from '../connection.js'
import type { Gateway } from '../gateway.js'
import { SocketIoTransport } from './socket-io-transport.js'

const PATH = '/socket.io/'
const TRANSPORTS = ['polling', 'websocket'] as const
/** How long a session may stay open without joining the namespace. */
const CONNECT_TIMEOUT_MS = 10_000
const SHOWN_LENGTH_MAX = 100
const FULL = REFUSED.connectionsFull
const NOT_OWN = 'sid: The session was opened with other credentials, or from another network: open a new one'

type Session = Socket['conn']
type Refusal = readonly [ErrorCode, string]

/** Needed to accept and to refuse clients. */
export interface SocketIoParts {
  readonly gateway: Gateway
  /** A WebSocket server without a port, for sessions that upgrade. */
  readonly webSockets: WebSocketServer
  /** How often a session is pinged, and the time it has to answer; then it is closed. */
  readonly pingMs: number
  /** Returns the credentials in the headers of a request. */
  readonly credentialsOf: (request: IncomingMessage) => Credentials
  /** Refuses an upgrade and ends its connection. */
  readonly refuseUpgrade: (socket: Duplex, code: ErrorCode, message: string) => void
}

/**
 * Serves the same gateway to a plain `socket.io-client`, over polling or WebSocket. Receives its requests
 * from the server and attaches to none itself, so that other requests are unaffected.
 */
export class SocketIo {
  readonly #gateway: Gateway
  readonly #parts: SocketIoParts
  readonly #transports = new WeakMap<Session, SocketIoTransport>()
  /** The credentials that opened each session: its id alone, which stands in logs, opens nothing. */
  readonly #owners = new WeakMap<Session, Credentials>()
  readonly #engine: Server['engine']
  #isClosing = false

  constructor(parts: SocketIoParts) {
    const { gateway, webSockets, pingMs } = parts
    this.#gateway = gateway
    this.#parts = parts
    const io = new Server({
      path: PATH,
      transports: [...TRANSPORTS],
      serveClient: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      pingInterval: pingMs,
      pingTimeout: pingMs,
      maxHttpBufferSize: SOCKET_LIMITS.messageBytesMax,
      httpCompression: false,
      wsEngine: function webSocketServer() {
        return webSockets
      },
    })
    // Socket.IO creates its engine only for a server; this one never listens.
    io.attach(createServer())
    this.#engine = io.engine
    this.#engine.on('connection', (session: Session) => {
      this.#transports.set(session, new SocketIoTransport(session))
      this.#owners.set(session, parts.credentialsOf(session.request))
    })
    this.#engine.on('connection_error', ({ req, message }) => this.#refuse(req, req.res, [400, message]))
    io.use((socket, next) => this.#identify(socket, next))
    io.on('connection', socket => this.#join(socket))
  }

  /** Returns true if a request or an upgrade is for Socket.IO. */
  takes({ url, method }: IncomingMessage): boolean {
    return (method === 'GET' || method === 'POST') && url?.split('?')[0] === PATH
  }

  /** Answers a request of the polling transport. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#refusal(request, 'polling')
    if (refusal === undefined) this.#engine.handleRequest(request, response)
    else this.#refuse(request, response, refusal)
  }

  /** Turns an upgrade into a new session, or the WebSocket of an existing one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusal(request, 'websocket')
    if (refusal === undefined) this.#engine.handleUpgrade(request, socket, head)
    else this.#refuse(request, undefined, refusal)
  }

  /** Refuses new sessions and ends all existing ones, including those the gateway does not know. */
  close(): void {
    this.#isClosing = true
    this.#engine.close()
  }

  /** Terminates the sessions that have not closed yet. */
  terminate(): void {
    for (const webSocket of this.#parts.webSockets.clients) webSocket.terminate()
  }

  /** Identifies a client by `auth: {token}`, or by its headers; ends its session if that fails. */
  async #identify({ conn, handshake, request }: Socket, next: (error?: Error) => void): Promise<void> {
    const { authentication } = this.#gateway
    const { token } = handshake.auth as { readonly token?: unknown }
    const credentials = this.#parts.credentialsOf(request)
    try {
      if (token === undefined || token === null) await authentication.admit(conn, credentials)
      else await authentication.admitToken(conn, String(token), credentials.address)
      next()
    } catch (error) {
      next(connectError(error))
      setImmediate(() => conn.close())
    }
  }

  #join(socket: Socket): void {
    const transport = this.#transports.get(socket.conn)
    if (transport === undefined || this.#gateway.isFull) {
      transport?.close(TRY_AGAIN_LATER, FULL)
      return
    }
    const connection = this.#gateway.accept(transport, socket.conn)
    socket.onAny((event, ...args) => {
      const message = transport.read(this.#gateway.messages, event, args)
      this.#gateway.receive(connection, () => message, lengthOf(message), 'order' in message)
    })
    socket.on('disconnect', () => {
      this.#gateway.leave(connection)
      // A client that has left the only namespace can do nothing more.
      socket.conn.close(true)
    })
  }

  /** Returns why a request is refused; the engine refuses the rest by `connection_error`. */
  #refusal(request: IncomingMessage, expected: string): Refusal | undefined {
    const { url = '', headers } = request
    // As in the engine, the last of repeated parameters counts.
    const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
    const { EIO: version, transport, sid = '' } = query
    if (this.#isClosing) return [503, 'The exchange is stopping']
    if (version !== '4') return [400, wrong('EIO', '4: use version 3 or 4 of socket.io-client', version)]
    if (transport !== expected) return [400, wrong('transport', `'${expected}' for this request`, transport)]
    if (namesToken(url)) return [400, REFUSED.tokenInAddress]
    if (Number(headers['content-length'] ?? 0) > SOCKET_LIMITS.messageBytesMax)
      return [413, 'The body is too large']
    if (!this.#isOwners(sid, request)) return [403, NOT_OWN]
    const isFull = this.#gateway.isFull || this.#engine.clientsCount >= SOCKET_LIMITS.connectionsMax
    return isFull && sid === '' ? [503, FULL] : undefined
  }

  /** Returns true if a request comes from those who opened its session, or the session is unknown. */
  #isOwners(sid: string, request: IncomingMessage): boolean {
    const { clients } = this.#engine as unknown as { readonly clients: Readonly<Record<string, Session>> }
    const owner = Object.hasOwn(clients, sid) ? this.#owners.get(clients[sid] as Session) : undefined
    return owner === undefined || isSame(owner, this.#parts.credentialsOf(request))
  }

  #refuse(request: IncomingMessage, response: ServerResponse | undefined, [code, message]: Refusal): void {
    if (response === undefined) {
      this.#parts.refuseUpgrade(request.socket, code, message)
      return
    }
    response.writeHead(code, refusalHeaders(code))
    response.end(JSON.stringify(errorEnvelope(code, message)))
  }
}

/** A client that authenticates by a message sends no credentials with requests: its network counts. */
function isSame(owner: Credentials, sender: Credentials): boolean {
  const { authorization, session, address } = owner
  if (authorization === undefined && session === undefined) {
    return networkKey(address) === networkKey(sender.address)
  }
  return authorization === sender.authorization && session === sender.session
}

/** Counts the characters of what may be long in a message that was read. */
function lengthOf(asked: ReadMessage): number {
  if ('code' in asked) return asked.message.length
  return charsIn('order' in asked ? asked.data : asked.parts)
}

/** Calls no function for what is nested: a message has room for 30,000 lists in one another. */
function charsIn(value: unknown): number {
  let chars = 0
  for (const left = [value]; left.length > 0; ) {
    const next = left.pop()
    if (typeof next === 'string') chars += next.length
    if (typeof next !== 'object' || next === null) continue
    for (const part of Object.values(next)) {
      chars++
      left.push(part)
    }
  }
  return chars
}

/** Returns the error that a client receives as its `connect_error`, with the envelope as `data`. */
function connectError(error: unknown): Error {
  const isRefusal = error instanceof ApiError
  const envelope = isRefusal
    ? errorEnvelope(error.code, error.message)
    : errorEnvelope(500, REFUSED.cannotAnswer)
  const reason = isRefusal ? error.reason : reasonOfCode(500)
  return Object.assign(new Error(envelope.message), { data: { ...envelope, reason } })
}

function wrong(field: string, expected: string, received: string | undefined): string {
  if (received === undefined) return `${field}: Required`
  return `${field}: Expected ${expected}; received '${shown(received).slice(0, SHOWN_LENGTH_MAX)}'`
}
