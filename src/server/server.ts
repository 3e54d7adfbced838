import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { LIMITS } from '../api/limits.js'
import type { Host } from '../api/operator/health-reading.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import { docsHandlers } from '../docs/docs-handlers.js'
import { Exchange } from '../exchange/exchange.js'
import { LoopShare } from '../exchange/operations/loop-share.js'
import type { Sources } from '../exchange/sources.js'
import { systemSources } from '../exchange/sources.js'
import { createApp } from '../http/app.js'
import type { AccountOptions } from '../http/auth/auth-door.js'
import type { Fault } from '../doors/error-refusal.js'
import { BUILT, readPageFiles } from '../http/pages/page-files.js'
import { PictureMaker } from '../http/share/pictures/picture-maker.js'
import type { SiteStore } from '../site/site-store.js'
import { DiskRoom } from '../store/disk-room.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { Gateway } from '../ws/gateway.js'
import type { SocketIo } from '../ws/transports/socket-io.js'
import { chosenSubprotocol } from '../ws/transports/subprotocols.js'
import { Accepting } from './accepting.js'
import { REQUEST_ID_HEADER, requestIdOf } from './answers/request-id.js'
import type { RequestLog } from './answers/request-log.js'
import type { BackupSchedule } from './backup-schedule.js'
import { allowFirstAccounts } from './companions.js'
import type { Config } from './config/config.js'
import { Connections } from './connections.js'
import { Doctor } from './doctor/doctor.js'
import { createEdge } from './edge.js'
import type { EdgeLimits } from './edge-limits.js'
import { edgeLimits } from './edge-limits.js'
import { refuseOtherVersions } from './file-versions.js'
import { HealthSampling } from './health/health-sampling.js'
import { expelEnded, LiveConfig, passOn } from './live-config.js'
import { adminLink } from './open-access.js'
import { openBesides } from './open-besides.js'
import { Pipeline } from './pipeline.js'
import { refuse } from './refusal.js'
import { requestLimitsOf } from './request-limits.js'
import { Rounds } from './rounds.js'
import { backupsOf, schedulesOf } from './schedules.js'
import { handshakeCredentials } from './site/handshake.js'
import { announce, listen } from './site/listening.js'
import { liveSite } from './site/live-site.js'
import { openDoor } from './site/open-door.js'
import type { CertificateWatch } from './tls/certificate-watch.js'
import type { VerifySchedule } from './verify-schedule.js'

const GOODBYE_MS = 3000
const GOODBYE_STEP_MS = 20
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

export interface ServerOptions {
  readonly config: Config
  readonly version: string
  readonly log: Logger
  /** Called when the exchange must stop immediately: log the reason and end the process. */
  readonly fail: (error: Error) => void
  /** Overrides of the edge's default limits. */
  readonly limits?: Partial<EdgeLimits>
  /** Other clocks and random numbers than the machine's. */
  readonly sources?: Sources
}

/** A running server. */
export interface RunningServer {
  readonly url: string
  /** The database file. */
  readonly file: string
  readonly exchange: Exchange
  /** True for a demo. */
  readonly isDemo: boolean
  /** Returns a new link that signs an operator in once. */
  readonly adminLink: () => string
  /** Uses another configuration from now on, as far as it may change while the exchange runs. */
  reconfigure(config: Config): void
  /** Finishes requests in progress, checkpoints the file and releases the lock. */
  close(): Promise<void>
}

/** Opens the data, recovers and listens. Rejects with a message for the operator if that fails. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, version, log, fail, limits, sources = systemSources() } = options
  const live = new LiveConfig(config)
  const door = openDoor(live, log, sources.watch)
  const served = servedBy(live, door.fault, { version, ...sources })
  const directory = openDataDirectory(config.data, config.demo === undefined ? 'exchange' : 'demo')
  const room = prepareData(directory)
  const limitsOf = (userId: string) => accounts.store.limits.of(userId)
  const kept = { ...sizesOf(live), limitsOf, backups: await backupsOf(directory.path, options, sources) }
  const exchange = await Exchange.open({ file: directory.file, threads: true, ...kept, sources, room, fail })
  const beside = await openBesides(directory, live, sources, { exchange, room, log })
  const { access, accounts, site } = beside

  const doors = { access, accounts, limits: requestLimitsOf(live, door.addresses, sources.watch) }
  const bounds = edgeLimits(live, limits)
  const { accepting, pipeline } = inflowOf(exchange, bounds)
  const called = { clock: { now: () => exchange.now(), watch: sources.watch }, fault: door.fault }
  const gateway = new Gateway({ exchange, ...doors, ...called, commands: pipeline })
  expelEnded(gateway, beside)
  const connections = new Connections(bounds, () => live.current.trustedProxies, sources.watch)
  const sampling = new HealthSampling(exchange, connections, sources.now)
  const schedules = schedulesOf(directory.file, { exchange, site, accounts, live }, options, sources)
  passOn(live, { ...schedules, gateway })
  const doctor = new Doctor({ directory: directory.path, config, exchange, ...beside, ...sources })
  const host = hostOf(sources, { gateway, connections, sampling, doctor, ...schedules, ...door })
  const app = createApp({ exchange, ...doors, site, host, ...served, upgrade: gateway.handler() })
  const webSockets = webSocketServer(door.requests)
  const socketIo = config.socketIo ? await openSocketIo(gateway, door.requests, bounds) : undefined
  const edge = { ...app, limits: bounds, connections, ...door }
  const server = createEdge({ gateway, webSockets, socketIo, exchange, accepting, pipeline, ...edge })
  try {
    await listen(server, config, connections, door.door)
  } catch (error) {
    sampling.stop()
    server.close()
    await release({ exchange, accounts, site, directory })
    throw error
  }

  const url = announce(server, config, directory)
  const silence = () => cutOff(server.close(), gateway, socketIo)
  const rounds = new Rounds({ directory, room, exchange, ...beside, ...schedules, log, silence, fail })
  const beat = setInterval(() => gateway.beat(), bounds.beatMs)
  return {
    url,
    file: directory.file,
    exchange,
    isDemo: config.demo !== undefined,
    adminLink: () => adminLink(config.network.publicUrl ?? url, accounts.store),
    reconfigure: next => live.change(next),
    close: async () => {
      clearInterval(beat)
      sampling.stop()
      await stopListening(server, gateway, exchange, socketIo)
      await Promise.all([rounds.stop(), served.pictures.close()])
      await release({ exchange, accounts, site, directory, room })
    },
  }
}

/** Returns what starts the requests of all doors, and what notes new connections. */
function inflowOf({ ordersWaiting }: Exchange, { orderWaitMsMax }: EdgeLimits) {
  const { watch } = ordersWaiting
  const accepting = new Accepting()
  const isLate = (ahead: number) => ordersWaiting.waitMs(ahead) > orderWaitMsMax
  const share = new LoopShare(ordersWaiting)
  return { accepting, pipeline: new Pipeline({ turns: accepting, share, watch, isLate }) }
}

/** Looks at the files and makes room on the disk before anything else opens them. */
function prepareData({ path, file }: DataDirectory): DiskRoom {
  refuseOtherVersions(file)
  const room = DiskRoom.open(path)
  allowFirstAccounts(file)
  return room
}

interface Opened {
  readonly exchange: Exchange
  readonly accounts: Pick<AccountOptions, 'store'>
  readonly site: SiteStore
  readonly directory: DataDirectory
  readonly room?: DiskRoom
}

/** Closes the files, and fills up the reserve of the disk if there is one. */
async function release({ exchange, accounts, site, directory, room }: Opened): Promise<void> {
  await exchange.close()
  await room?.restore()
  accounts.store.close()
  site.close()
  directory.release()
}

/** Returns what the app serves beside the exchange, and where it reports faults. */
function servedBy(live: LiveConfig, fault: Fault, { version, watch }: { version: string } & Sources) {
  const { startingBalance, demo, network } = live.current
  const look = liveSite(live)
  const shown = { pages: readPageFiles(), look, docs: docsHandlers(version, undefined, look) }
  const share = { publicUrl: network.publicUrl, pictures: new PictureMaker({ directory: BUILT, watch }) }
  return { version, fault, ...shown, ...share, startingBalance, isDemo: demo !== undefined }
}

function sizesOf(live: LiveConfig) {
  const { shardCount, queueLengthMax, startingBalance, access, fees } = live.current
  const openOrdersMax = access.mode === 'open' ? Number.POSITIVE_INFINITY : LIMITS.openOrdersMax
  return {
    shardCount,
    queueLengthMax,
    eventsMax: () => live.current.eventsMax,
    startingBalance,
    openOrdersMax,
    fees,
  }
}

interface Parts {
  readonly gateway: Gateway
  readonly connections: Connections
  readonly sampling: HealthSampling
  readonly doctor: Doctor
  readonly verifying: VerifySchedule
  readonly backingUp: BackupSchedule
  readonly requests: RequestLog
  readonly certificate: CertificateWatch | undefined
}

function hostOf({ watch }: Sources, parts: Parts): Host {
  const { gateway, connections, sampling, doctor, verifying, backingUp, requests, certificate } = parts
  const startedAt = watch()
  return {
    node: process.version,
    examine: () => doctor.examine(),
    uptimeMs: () => watch() - startedAt,
    connections: () => connections.count,
    unsentBytes: () => connections.unsentBytes,
    sockets: () => gateway.connectionCount,
    subscriptions: () => gateway.subscriptionCount,
    loopDelay: () => sampling.loopDelay.read(),
    curve: range => sampling.curve(range),
    verification: () => verifying.last,
    nextBackupAt: () => backingUp.nextAt,
    refusals: () => requests.counts,
    certificateValidTo: () => certificate?.current.validTo,
  }
}

/** Refuses new connections, finishes requests in progress, and closes the sockets. */
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
  // Connections become idle as their last answers leave; the remaining ones are cut off in the end.
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
