import type { Logger } from 'pino'
import type { Host } from '../api/operator/health-reading.js'
import { docsHandlers } from '../docs/docs-handlers.js'
import type { HashCost } from '../access/accounts/passwords.js'
import type { Fault } from '../doors/error-refusal.js'
import type { Exchange } from '../exchange/exchange.js'
import { LoopShare } from '../exchange/operations/loop-share.js'
import type { Sources } from '../exchange/sources.js'
import { systemSources } from '../exchange/sources.js'
import type { App } from '../http/app.js'
import { createApp } from '../http/app.js'
import type { RequestLimits } from '../http/limits/request-charge.js'
import { BUILT, readPageFiles } from '../http/pages/page-files.js'
import type { Binding } from '../http/routing/handle.js'
import { PictureMaker } from '../http/share/pictures/picture-maker.js'
import type { DiskRoom } from '../store/disk-room.js'
import { turnEnd } from '../shard/turn-end.js'
import { Gateway } from '../ws/gateway.js'
import { Accepting } from './accepting.js'
import type { Config } from './config/config.js'
import { Connections } from './connections.js'
import { Doctor } from './doctor/doctor.js'
import type { EdgeLimits } from './edge-limits.js'
import { edgeLimits } from './edge-limits.js'
import { createEdge } from './edge.js'
import { HealthSampling } from './health/health-sampling.js'
import { hostOf, replicationOf } from './health/host-readings.js'
import { standingOf } from './health/host-standing.js'
import { expelEnded, passOn } from './config-changes.js'
import { LiveConfig } from './live-config.js'
import { adminLink } from './open-access.js'
import { Pipeline } from './pipeline.js'
import { requestLimitsOf } from './request-limits.js'
import { Rounds } from './rounds.js'
import type { Schedules } from './schedules.js'
import { schedulesOf } from './schedules.js'
import type { ServerFiles } from './server-files.js'
import { openFiles, release } from './server-files.js'
import { announce, listen } from './site/listening.js'
import { liveSite } from './site/live-site.js'
import { openDoor } from './site/open-door.js'
import type { Listening } from './stop-listening.js'
import { cutOff, stopListening } from './stop-listening.js'
import type { StandbyOptions } from './standby/open-standby.js'
import { openSockets } from './web-sockets.js'

export interface ServerOptions {
  readonly config: Config
  readonly version: string
  readonly log: Logger
  /** Called when the exchange must stop immediately: log the reason and end the process. */
  readonly fail: (error: Error) => void
  /** Follows another exchange, whose log the settings name; by default this one leads. */
  readonly standby?: StandbyOptions
  /** Called if another exchange asks this one to make way: to be stopped as by a signal. */
  readonly asked?: (by: string) => void
  /** Overrides of the edge's default limits. */
  readonly limits?: Partial<EdgeLimits>
  /** Routes beside those of the API. */
  readonly moreRoutes?: readonly Binding[]
  /** Other clocks and random numbers than the machine's. */
  readonly sources?: Sources
  /** Of passwords; the default is what signing in costs an attacker. */
  readonly hashCost?: HashCost
  /** Runs the exchange's shards and readers in threads of their own, as by default, or in this one. */
  readonly threads?: boolean
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
  const { config, log, fail, sources = systemSources() } = options
  let rounds: Rounds | undefined
  const failed = (error: Error) => (rounds === undefined ? fail(error) : rounds.end(error))
  const { now, watch } = sources
  const live = new LiveConfig(config)
  const limits = edgeLimits(live, options.limits)
  const doorway = openDoor(live, log, watch)
  const pages = pagesOf(options, live)
  const files = await openFiles({ ...options, fail: failed }, live, sources)
  const { directory, exchange, access, accounts } = files
  const { fault } = doorway
  const accepting = new Accepting()
  const pipeline = pipelineOf(exchange, accepting, limits)
  const requestLimits = requestLimitsOf(live, doorway.addresses, watch)
  const clock = { now: () => exchange.now(), watch }
  const sharing = { commands: pipeline, share: shareOf(exchange.ordersWaiting, accepting) }
  const gateway = new Gateway({ exchange, access, limits: requestLimits, clock, fault, ...sharing })
  expelEnded(gateway, files)
  const connections = new Connections(limits, () => live.current.trustedProxies, watch)
  const sampling = new HealthSampling(exchange, connections, now)
  const schedules = schedulesOf({ files, live, log, now })
  passOn(live, schedules, gateway)
  const { standing, doctor } = diagnosisOf({ ...options, sources }, files, live)
  const host = hostOf({ standing, watch, gateway, connections, sampling, doctor, schedules, files, doorway })
  const pictures = new PictureMaker({ directory: BUILT, watch })
  const app = appOf({ options, files, pages, host, pictures, schedules, requestLimits, gateway, fault })
  const sockets = await openSockets({ gateway, doorway, hasSocketIo: config.socketIo, limits })
  const server = createEdge({ app, sockets, limits, connections, doorway, exchange, accepting, pipeline })
  const close = async (room?: DiskRoom) => {
    await pictures.close()
    sampling.stop()
    await release(files, room)
  }
  try {
    await listen({ server, config, connections, door: doorway.door })
  } catch (error) {
    server.close()
    await close()
    throw error
  }

  const url = announce(server, config, directory)
  const listening = { server, sockets, exchange }
  rounds = new Rounds({ files, schedules, log, silence: () => silence(listening), fail })
  const beat = setInterval(() => gateway.beat(), limits.beatMs)
  return {
    ...{ url, file: directory.file, exchange, isDemo: config.demo !== undefined },
    adminLink: () => adminLink(config.network.publicUrl ?? url, accounts.store),
    reconfigure: next => live.change(next),
    // In reverse; but the rounds go on until the last request is answered.
    close: async () => {
      clearInterval(beat)
      files.replica?.hurry()
      await stopListening(listening)
      await rounds?.stop()
      await close(files.room)
    },
  }
}

/** Returns what starts the requests of all doors. */
function pipelineOf({ ordersWaiting }: Exchange, turns: Accepting, { orderWaitMsMax }: EdgeLimits): Pipeline {
  const { watch } = ordersWaiting
  const isLate = (ahead: number) => ordersWaiting.waitMs(ahead) > orderWaitMsMax
  return new Pipeline({ turns, share: shareOf(ordersWaiting, turns), watch, isLate })
}

/** Returns the time of one kind of work beside orders and connections that are being accepted. */
function shareOf(ordersWaiting: Exchange['ordersWaiting'], turns: Accepting): LoopShare {
  return new LoopShare(ordersWaiting, { setImmediate: turns.shared(turnEnd.schedule), setTimeout })
}

/** Reads the pages and makes the documents. */
function pagesOf({ version }: ServerOptions, live: LiveConfig) {
  const look = liveSite(live)
  return { files: readPageFiles(), look, docs: docsHandlers(version, undefined, look) }
}

/** Returns how the exchange stands to others, and what examines it. */
function diagnosisOf(
  { config, sources = systemSources() }: ServerOptions,
  files: ServerFiles,
  live: LiveConfig,
) {
  const { now, watch } = sources
  const { directory, exchange, companions, standby } = files
  const replication = () => replicationOf(files)
  const standing = standingOf(exchange, live, standby && (() => standby.standing))
  const parts = { directory: directory.path, config, exchange, companions, standing, replication, now, watch }
  return { standing, doctor: new Doctor(parts) }
}

interface AppParts {
  readonly options: ServerOptions
  readonly files: ServerFiles
  readonly pages: ReturnType<typeof pagesOf>
  readonly host: Host
  readonly pictures: PictureMaker
  readonly schedules: Schedules
  readonly requestLimits: RequestLimits
  readonly gateway: Gateway
  readonly fault: Fault
}

/** Returns the routes with their handlers. */
function appOf(parts: AppParts): App {
  const { options, files, pages, host, pictures, schedules, requestLimits, gateway, fault } = parts
  const { config, version, moreRoutes = [] } = options
  return createApp({
    exchange: files.exchange,
    version,
    access: files.access,
    accounts: files.accounts,
    site: files.site,
    host,
    webhooks: schedules.webhooks,
    pages: pages.files,
    look: pages.look,
    docs: pages.docs,
    publicUrl: config.network.publicUrl,
    pictures,
    startingBalance: config.startingBalance,
    isDemo: config.demo !== undefined,
    limits: requestLimits,
    replicated: files.replicated,
    upgrade: gateway.handler(),
    fault,
    more: moreRoutes,
  })
}

/** Stops answering requests immediately. */
function silence(listening: Listening): void {
  listening.server.close()
  cutOff(listening)
}
