import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Server as TlsServer, ServerOptions as TlsServerOptions } from 'node:https'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpBindings, WebSocketServerLike } from '@hono/node-server'
import { createAdaptorServer, getRequestListener, RequestError } from '@hono/node-server'
import type { ApiError } from '../api/api-error.js'
import type { ErrorCode } from '../api/errors.js'
import { errorEnvelope } from '../api/errors.js'
import type { RefusalReason } from '../api/reasons.js'
import { refusalHeaders } from '../api/refusal-headers.js'
import { REFUSED } from '../api/refusal-texts.js'
import type { Exchange } from '../exchange/exchange.js'
import { busy } from '../doors/capacity-refusal.js'
import type { App } from '../http/app.js'
import type { OrderLoad } from '../http/middleware/load-check.js'
import type { Outbox } from '../http/middleware/outbox.js'
import type { MatchedRequest } from '../http/routing/environment.js'
import { pathIn } from '../http/routing/path-in.js'
import type { Match, RouteTable } from '../http/routing/route-table.js'
import { upgradeRefusal, identifyUpgrade } from './site/handshake.js'
import { turnEnd } from '../shard/turn-end.js'
import { edgeResponse } from './answers/edge-response.js'
import { requestIdOf } from './answers/request-id.js'
import type { Accepting, Schedule } from './accepting.js'
import type { Connections } from './connections.js'
import { countedRequest } from './counted-request.js'
import type { EdgeLimits } from './edge-limits.js'
import { Intake } from './intake.js'
import type { Pipeline } from './pipeline.js'
import type { Refusal } from './refusal.js'
import { probesOf, RequestStarts } from './request-starts.js'
import { lastingRefusal, refusalOf, refuse, refuseUpgrade } from './refusal.js'
import { isPreflight, PREFLIGHT_HEADERS } from './site/cors.js'
import { settleTarget } from './site/request-target.js'
import type { OpenedDoor } from './site/open-door.js'
import type { Sockets } from './web-sockets.js'
import type { Certificate } from './tls/certificate.js'
import { TLS_VERSION_MIN } from './tls/certificate.js'
import { onHandshake } from './tls/handshakes.js'

export interface EdgeOptions {
  /** Its routes are found here first: what is refused early depends on them. */
  readonly app: App
  readonly sockets: Sockets
  readonly limits: EdgeLimits
  readonly connections: Connections
  /** Speaks TLS if it has a certificate. */
  readonly doorway: OpenedDoor
  readonly exchange: Pick<Exchange, 'archive' | 'ordersWaiting' | 'applied'>
  readonly accepting: Accepting
  /** Starts the requests of all doors. */
  readonly pipeline: Pipeline
}

const NO_CONNECTION = REFUSED.connectionsFull
const READS_FULL = lastingRefusal(503, busy('reads_full').message, 'reads_full')
const TOO_BUSY = lastingRefusal(503, REFUSED.tooBusy, 'busy')

/**
 * Returns the server between raw sockets and the app. Everything that a client may hold is bounded here,
 * whether it speaks HTTP or WebSocket: connections, the time they take, what they leave unread.
 */
export function createEdge(options: EdgeOptions): Server {
  const { app, sockets, limits, connections, doorway, exchange, accepting } = options
  const { hono } = app
  const { certificate, fault } = doorway
  const orderLoad = { isTooMuch: () => exchange.ordersWaiting.waitMs(0) > limits.orderWaitMsMax }
  const pageTurns = accepting.shared(setImmediate)
  const fetch = (request: Request, env: object) => {
    const environment = env as { outbox?: Outbox; orderLoad?: OrderLoad; pageTurns?: Schedule }
    environment.outbox = connections
    environment.pageTurns = pageTurns
    environment.orderLoad = orderLoad
    return hono.fetch(request, environment)
  }
  const intake = new Intake({
    turns: accepting,
    isProbe: probesOf(app.table),
    schedule: accepting.shared(setImmediate),
  })
  const answer = getRequestListener(fetch, { errorHandler: error => answerToNoRequest(error, fault) })
  const server = createAdaptorServer({
    // Only upgrades come this way.
    fetch: (request, env) => upgraded(hono.fetch(request, env), env as HttpBindings, options),
    websocket: { server: sockets.webSockets as unknown as WebSocketServerLike },
    createServer: () => createServerFor(answer, intake, options),
  }) as Server
  guardConnections(server, intake, options)
  if (certificate !== undefined) {
    onHandshake(server, (socket, encrypted) => connections.secure(socket, encrypted))
    server.on('secureConnection', (encrypted: Socket) => intake.attach(encrypted))
    certificate.follow(server as TlsServer)
  }
  guardUpgrades(server, intake, options)
  server.on('clientError', refuseBrokenRequest)
  const sweep = setInterval(() => connections.sweep(), limits.sweepMs).unref()
  return server.once('close', () => clearInterval(sweep))
}

/** The HTTP server below the adapter, with every refusal of Node's own that has no body taken over. */
function createServerFor(
  answer: ReturnType<typeof getRequestListener>,
  intake: Intake,
  { connections, sockets, limits, doorway, exchange, pipeline, app }: EdgeOptions,
): Server {
  const { certificate, door } = doorway
  const { socketIo } = sockets
  const begin = (response: ServerResponse) => {
    const request = response.req
    if (request.socket.destroyed) return
    if (socketIo?.takes(request)) return socketIo.answer(request, response)
    void answer(request, response)
  }
  const starts = new RequestStarts({ pipeline, exchange, begin })
  const options = {
    requireHostHeader: false,
    // Otherwise Node keeps the first and drops the others, where a proxy may have read the last.
    joinDuplicateHeaders: true,
    IncomingMessage: countedRequest(intake),
    ServerResponse: edgeResponse(doorway, exchange),
    ...timeoutsOf(limits),
  }
  const take = (request: IncomingMessage, response: ServerResponse) => {
    turnEnd.hurry()
    intake.expect(request, response)
    const misread = settleTarget(request)
    const match = misread === undefined ? matchFor(app.table, request) : undefined
    const verdict = connections.begin(request.socket, response)
    if (verdict === 'ignore') return
    if (verdict === 'refuse')
      return turnAway(response, 503, refusalOf(503, REFUSED.tooManyInFlight, 'requests_full'))
    // HTTP/1.0 has no Host header, but the adapter needs one.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    const refusal = misread ?? door.refusal(request, match?.binding?.route)
    if (refusal !== undefined) return turnAway(response, refusal[0], lastingRefusal(...refusal))
    if (isPreflight(request) && door.sharedOrigin(request) !== undefined) {
      response.writeHead(204, PREFLIGHT_HEADERS).end()
      return
    }
    if (match?.binding?.route.placesOrders === true && pipeline.isTooBusy(verdict === 'later'))
      return turnAway(response, 503, TOO_BUSY)
    if (!starts.add(response, verdict === 'later')) turnAway(response, 503, READS_FULL)
  }
  const server =
    certificate === undefined
      ? createServer(options, take)
      : createTlsServer({ ...options, ...tlsOptions(certificate.current, limits) }, take)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Answers a request without the app. */
function turnAway(response: ServerResponse, code: ErrorCode, { headers, body }: Refusal): void {
  response.writeHead(code, headers).end(body)
}

/** Returns the limits that Node checks itself. */
function timeoutsOf({ headersMs, requestMs, checkMs, keepAliveMs }: EdgeLimits) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  }
}

/** Finds the route of a request, which the app uses as well. */
function matchFor(table: RouteTable, request: MatchedRequest): Match {
  const match = table.match(request.method ?? '', pathIn(request.url ?? ''))
  request.match = match
  return match
}

function tlsOptions({ cert, key }: Certificate, { handshakeMs }: EdgeLimits): TlsServerOptions {
  return { cert, key, minVersion: TLS_VERSION_MIN, handshakeTimeout: handshakeMs }
}

/**
 * Passes only the connections within the limits to Node. The others get a refusal without a parser, as long
 * as few of them are open at once; without a handshake, TLS allows none.
 */
function guardConnections(server: Server, intake: Intake, options: EdgeOptions): void {
  const { accepting, connections, limits } = options
  const { certificate, requests } = options.doorway
  const { refusedMax } = limits
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  let refused = 0
  server.on('connection', (socket: Socket) => {
    accepting.note()
    if (connections.admit(socket)) {
      for (const listener of listeners) listener.call(server, socket)
      if (certificate === undefined) intake.attach(socket)
      return
    }
    requests.count(503)
    if (certificate !== undefined || refused >= refusedMax) {
      socket.destroy()
    } else {
      refused++
      socket.once('close', () => refused--)
      refuse(socket, 503, NO_CONNECTION, 'connections_full')
    }
  })
}

/** Handles a request that the adapter could not parse because of its Host header or target. */
function answerToNoRequest(error: unknown, fault: (error: Error) => void): Response {
  const isClients = error instanceof RequestError
  if (!isClients) fault(error instanceof Error ? error : new Error(String(error)))
  const envelope = isClients ? errorEnvelope(400, error.message) : errorEnvelope(500, REFUSED.cannotAnswer)
  const headers = refusalHeaders(envelope.code)
  return new Response(JSON.stringify(envelope), { status: envelope.code, headers })
}

/**
 * Refuses every upgrade that no one handles: the adapter leaves `Upgrade: h2c` hanging for ever, and refuses
 * others without an envelope. Wraps the adapter's listener instead of adding one, because the adapter counts
 * listeners to decide whether to refuse.
 */
function guardUpgrades(server: Server, intake: Intake, options: EdgeOptions): void {
  const { app, doorway, sockets } = options
  const { gateway, socketIo } = sockets
  const { door, requests } = doorway
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, start) => {
    const head = Buffer.concat([start, intake.release(socket as Socket)])
    const refuseAndLog = (code: ErrorCode, message: string, reason: RefusalReason) => {
      const requestId = requestIdOf(request)
      requests.refused(request, requestId, code, reason)
      refuse(socket, code, message, reason, requestId)
    }
    const refusal = settleTarget(request) ?? door.upgradeRefusal(request)
    if (refusal !== undefined) return refuseAndLog(...refusal)
    if (socketIo?.takes(request)) return socketIo.upgrade(request, socket, head)
    const misuse = upgradeRefusal(request, app.table.match('GET', pathIn(request.url ?? '')))
    if (misuse !== undefined) refuse(socket, ...misuse)
    else if (gateway.isFull) refuseAndLog(503, NO_CONNECTION, 'connections_full')
    else {
      const goOn = () => {
        for (const listener of listeners) listener.call(server, request, socket, head)
      }
      const refuseBy = ({ code, message, reason }: ApiError) => refuseAndLog(code, message, reason)
      identifyUpgrade(gateway, request, requests.addressOf(request), goOn, refuseBy)
    }
  })
}

/** Passes the app's answer to an upgrade on to the adapter, unless it is a refusal: that is written here. */
async function upgraded(
  answer: Response | Promise<Response>,
  { incoming }: HttpBindings,
  { doorway: { requests } }: EdgeOptions,
): Promise<Response> {
  const response = await answer
  if (response.status < 400) return response
  const requestId = requestIdOf(incoming)
  const reason = (response.headers.get('raay-reason') ?? undefined) as RefusalReason | undefined
  requests.refused(incoming, requestId, response.status, reason)
  await refuseUpgrade(incoming.socket, response, requestId)
  // The adapter has nothing left to do for it.
  return new Promise(() => {})
}

const BROKEN_REQUESTS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, REFUSED.requestTimeout],
  HPE_HEADER_OVERFLOW: [431, REFUSED.headersTooLarge],
}

/** Answers requests that node:http cannot parse, which never reach the app, with an error envelope. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [code, message] = BROKEN_REQUESTS[error.code ?? ''] ?? [400, REFUSED.notHttp]
  refuse(socket, code, message)
}
