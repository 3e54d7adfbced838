import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocketServerLike } from '@hono/node-server'
import { createAdaptorServer, getRequestListener, RequestError } from '@hono/node-server'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { Config } from '../config.js'
import { docsRoutes } from '../docs/docs-routes.js'
import type { ErrorCode } from '../exchange/error-envelope.js'
import { errorEnvelope } from '../exchange/error-envelope.js'
import { Exchange } from '../exchange/exchange.js'
import { LoopDelay } from '../exchange/loop-delay.js'
import type { DoorReason } from '../exchange/refusal-reason.js'
import { reasonOfCode } from '../exchange/refusal-reason.js'
import type { Sources } from '../exchange/sources.js'
import { systemSources } from '../exchange/sources.js'
import { createApp } from '../http/app.js'
import { CANNOT_ANSWER, JSON_TYPE, REASON_HEADER } from '../http/envelope.js'
import type { Host } from '../http/health-view.js'
import { orderView } from '../http/order-view.js'
import { readPageFiles } from '../http/page-files.js'
import { fillView } from '../http/portfolio-view.js'
import { upgradeRefusal } from '../http/upgrade-refusal.js'
import { openDataDirectory } from '../store/data-directory.js'
import { Gateway } from '../ws/gateway.js'
import type { SocketIo } from '../ws/socket-io.js'
import { Rounds } from './rounds.js'

const BEAT_MS = 20_000
const GOODBYE_MS = 3000
const GOODBYE_STEP_MS = 20
/** How long a client that was refused has to read why. */
const LINGER_MS = 1000
/** A client's messages are short: a few fragments and a few packets hold any of them. */
const WEBSOCKET_OPTIONS = {
  noServer: true,
  maxPayload: 64 * 1024,
  maxFragments: 128,
  maxBufferedChunks: 1024,
  perMessageDeflate: false,
}

export interface ServerOptions {
  readonly config: Config
  readonly version: string
  readonly log: Logger
  /** The exchange must stop, now: log why and end the process. */
  readonly fail: (error: Error) => void
}

/** A server that answers. */
export interface RunningServer {
  readonly url: string
  /** The one file that holds everything. */
  readonly file: string
  readonly exchange: Exchange
  /** Whether all in it is make-believe. */
  readonly isDemo: boolean
  /** Answers what is under way, then leaves one whole file and no lock behind. */
  close(): Promise<void>
}

/** Opens the data, recovers, listens. Rejects with a message for the operator when it cannot. */
export async function startServer({ config, version, log, fail }: ServerOptions): Promise<RunningServer> {
  const pages = readPageFiles()
  const directory = openDataDirectory(config.data, config.demo === undefined ? 'exchange' : 'demo')
  const { file } = directory
  const sources = systemSources()
  const { shardCount, queueLengthMax, startingBalance } = config
  const options = { file, shardCount, threads: true, queueLengthMax, startingBalance, sources, fail }
  const exchange = await Exchange.open(options)
  const gateway = new Gateway(exchange, sources.now, { order: orderView, fill: fillView })

  const fault = (error: Error) => log.error({ err: error }, 'a request failed')
  const { adminToken } = config
  const loopDelay = new LoopDelay()
  const host = hostOf(sources, gateway, loopDelay)
  const upgrade = gateway.handler()
  const site = { pages, startingBalance, isDemo: config.demo !== undefined, docs: docsRoutes(version) }
  const app = createApp({ exchange, version, adminToken, host, ...site, fault, upgrade })
  const webSockets = webSocketServer()
  const socketIo = config.socketIo ? await openSocketIo(gateway) : undefined
  const websocket = { server: webSockets as unknown as WebSocketServerLike }
  const answer = getRequestListener(app.fetch, { errorHandler: error => answerToNoRequest(error, fault) })
  const createHttpServer = () => createServerFor(answer, socketIo)
  const server = createAdaptorServer({
    fetch: app.fetch,
    websocket,
    createServer: createHttpServer,
  }) as Server
  guardUpgrades(server, gateway, socketIo)
  server.on('clientError', refuseBrokenRequest)
  try {
    await listen(server, config)
  } catch (error) {
    loopDelay.stop()
    await exchange.close()
    directory.release()
    throw error
  }

  const silence = () => {
    server.close()
    cutOff(server, gateway, socketIo)
  }
  const rounds = new Rounds({ directory, exchange, log, silence, fail })
  const beat = setInterval(() => gateway.beat(), BEAT_MS)
  return {
    url: urlOf(server, config.host),
    file,
    exchange,
    isDemo: config.demo !== undefined,
    close: async () => {
      clearInterval(beat)
      loopDelay.stop()
      await stopListening(server, gateway, exchange, socketIo)
      await rounds.stop()
      await exchange.close()
      directory.release()
    },
  }
}

function hostOf({ watch }: Sources, gateway: Gateway, loopDelay: LoopDelay): Host {
  const startedAt = watch()
  return {
    uptimeMs: () => watch() - startedAt,
    sockets: () => gateway.connectionCount,
    subscriptions: () => gateway.subscriptionCount,
    loopDelay: () => loopDelay.read(),
  }
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const advice =
      code === 'EADDRINUSE' ? 'is in use: stop what listens there, or choose another with --port' : code
    throw new Error(`port ${port} on ${host} ${advice}`)
  }
}

/** Takes no new connection, answers every request under way, and says goodbye to the sockets. */
async function stopListening(
  server: Server,
  gateway: Gateway,
  exchange: Exchange,
  socketIo: SocketIo | undefined,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  gateway.close()
  socketIo?.close()
  await exchange.drain()
  // Connections turn idle as their last answers leave; the stubborn ones are cut off in the end.
  const steps = GOODBYE_MS / GOODBYE_STEP_MS
  let step = 0
  const goodbye = setInterval(() => {
    server.closeIdleConnections()
    step++
    if (step < steps) return
    cutOff(server, gateway, socketIo)
  }, GOODBYE_STEP_MS)
  await closed
  clearInterval(goodbye)
}

function cutOff(server: Server, gateway: Gateway, socketIo: SocketIo | undefined): void {
  server.closeAllConnections()
  gateway.terminate()
  socketIo?.terminate()
}

/** The HTTP server below the adapter, with every refusal of Node's own that has no body taken over. */
function createServerFor(
  answer: ReturnType<typeof getRequestListener>,
  socketIo: SocketIo | undefined,
): Server {
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (socketIo?.takes(request)) return socketIo.answer(request, response)
    // HTTP/1.0 knows no Host header, and the adapter cannot do without one.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    void answer(request, response)
  })
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** The adapter could not make a request of what came, for its Host header or its target. */
function answerToNoRequest(error: unknown, fault: (error: Error) => void): Response {
  const isClients = error instanceof RequestError
  if (!isClients) fault(error instanceof Error ? error : new Error(String(error)))
  const envelope = isClients ? errorEnvelope(400, error.message) : errorEnvelope(500, CANNOT_ANSWER)
  const headers = { ...JSON_TYPE, [REASON_HEADER]: reasonOfCode(envelope.code) }
  return new Response(JSON.stringify(envelope), { status: envelope.code, headers })
}

/**
 * Answers every upgrade that will not be: the adapter leaves `Upgrade: h2c` hanging for ever, and the rest
 * without an envelope. Its own listener is wrapped, not joined, for it counts the listeners to know whether a
 * refusal is its job.
 */
function guardUpgrades(server: Server, gateway: Gateway, socketIo: SocketIo | undefined): void {
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, head) => {
    if (socketIo?.takes(request)) return socketIo.upgrade(request, socket, head)
    const refusal = upgradeRefusal(request)
    if (refusal !== undefined) refuse(socket, ...refusal)
    else if (gateway.isFull) refuse(socket, 503, 'No more connections are taken just now', 'connections_full')
    else for (const listener of listeners) listener.call(server, request, socket, head)
  })
}

/** Takes upgrades that are handed to it, and refuses what is none with an envelope. */
function webSocketServer(): WebSocketServer {
  const webSockets = new WebSocketServer(WEBSOCKET_OPTIONS)
  return webSockets.on('wsClientError', (error, socket) => refuse(socket, 400, error.message))
}

/** Who does not want Socket.IO does not load it either. */
async function openSocketIo(gateway: Gateway): Promise<SocketIo> {
  const { SocketIo } = await import('../ws/socket-io.js')
  return new SocketIo(gateway, webSocketServer(), refuse)
}

const BROKEN_REQUESTS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
}

/** What node:http cannot parse never reaches the app; it gets its envelope here. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [code, message] = BROKEN_REQUESTS[error.code ?? ''] ?? [400, 'The request is not HTTP']
  refuse(socket, code, message)
}

/** Answers, and ends the connection later: ended with data unread, it would take the answer along. */
function refuse(socket: Duplex, code: ErrorCode, message: string, reason = reasonOfCode(code)): void {
  socket.on('error', () => {})
  socket.end(rawAnswer(code, message, reason))
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(linger))
}

function rawAnswer(code: ErrorCode, message: string, reason: DoorReason): string {
  const body = JSON.stringify(errorEnvelope(code, message))
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    `Content-Type: ${JSON_TYPE['Content-Type']}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REASON_HEADER}: ${reason}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
