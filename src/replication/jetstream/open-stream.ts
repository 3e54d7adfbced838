import { readFileSync } from 'node:fs'
import type { JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import { JetStreamApiCodes, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { Authenticator, NatsConnection } from '@nats-io/transport-node'
import {
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import type { ReplicationSettings } from '../replica-messages.js'
import type { NatsLogin, NatsPlace, NatsTlsFiles } from './nats-place.js'
import { natsPlace, readLogin } from './nats-place.js'
import type { ServerSync } from './stream-faults.js'
import { MESSAGE_SIZE_MIN, REPLICAS_MIN, serverSync, streamFaults, syncFault } from './stream-faults.js'

/** A log that could lose what it acknowledges, or cannot be read back; the message says what to change. */
export class UnsafeLogError extends Error {
  override readonly name = 'UnsafeLogError'
}

export interface StreamOptions {
  readonly place: NatsPlace
  /** The stream's name if the URL gives none. */
  readonly name: string
  readonly mode: 'sync' | 'async'
  readonly login?: NatsLogin | undefined
  /** Of the system account: it reads whether the servers sync. */
  readonly systemLogin?: NatsLogin | undefined
  readonly tls?: NatsTlsFiles | undefined
  /** Accepts servers that acknowledge before the disk has it. */
  readonly allowUnsynced?: boolean
  /** Replicas of a stream that is created; 3, or 1 for a log of one server. */
  readonly replicas?: number
  /** Called with what an operator should know. */
  readonly warn: (message: string) => void
}

/** The part of a stream that a log of lines uses. */
export interface LineStream {
  readonly name: string
  readonly subject: string
  readonly connection: Pick<NatsConnection, 'info' | 'status' | 'close'>
  readonly manager: {
    readonly streams: Pick<JetStreamManager['streams'], 'info' | 'getMessage' | 'purge'>
  }
  readonly client: Pick<JetStreamClient, 'publish'> & {
    readonly consumers: Pick<JetStreamClient['consumers'], 'get'>
  }
}

/** A stream that was checked. */
export interface OpenStream extends LineStream {
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  readonly client: JetStreamClient
  readonly info: StreamInfo
}

/** How long a request may take: an election of a stream's leader takes about 6 s, which callers wait out. */
export const REQUEST_MS = 2000
/** The status of a server without a leader. */
const UNAVAILABLE = 503
/** Servers of a new cluster do not know each other yet: no place for as many copies. */
const NO_PEERS = 10_005
const TRIES = 60
const PAUSE_MS = 500
const SYSTEM_PING = '$SYS.REQ.SERVER.PING.JSZ'
const SYSTEM_WAIT_MS = 2000

/** Returns how the settings name a log on NATS, and how it is reached; reads the files of logins. */
export function streamOptionsOf(
  settings: ReplicationSettings,
  exchange: string,
  warn: StreamOptions['warn'],
): StreamOptions {
  const { to, mode, login, systemLogin, tls, allowUnsynced, replicas } = settings
  const loginOf = (path: string | undefined) => (path === undefined ? undefined : readLogin(path))
  return {
    ...{ place: natsPlace(to), name: `raay-${exchange}`, mode, tls, allowUnsynced, replicas, warn },
    ...{ login: loginOf(login), systemLogin: loginOf(systemLogin) },
  }
}

/** Connects, creates the stream if it is absent, reads its configuration back and refuses an unsafe one. */
export async function openStream(options: StreamOptions): Promise<OpenStream> {
  const connection = await connectTo(options, options.login)
  try {
    const name = options.place.stream ?? options.name
    const subject = `raay.${name}.journal`
    const manager = await jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false })
    const replicas = options.replicas ?? REPLICAS_MIN
    const info = await oncePassed(() => streamInfo(manager, name, subject, replicas))
    const client = jetstream(connection, { timeout: REQUEST_MS })
    const stream = { connection, manager, client, name, subject, info }
    await refuseUnsafe(options, stream)
    return stream
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** A stream beside the journal's, for what else the exchange keeps. */
export type SideStream = Omit<OpenStream, 'client' | 'info'>

/**
 * Opens streams beside the journal's, which is there, over a connection of their own. Creates them like that
 * one if they are absent, and refuses them for the same faults.
 */
export async function openSideStreams<Suffix extends string>(
  options: StreamOptions,
  suffixes: readonly Suffix[],
): Promise<Readonly<Record<Suffix, SideStream>>> {
  const connection = await connectTo(options, options.login)
  try {
    const journal = options.place.stream ?? options.name
    const manager = await jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false })
    const { config } = await oncePassed(() => manager.streams.info(journal))
    const streams: [Suffix, SideStream][] = []
    for (const suffix of suffixes) {
      const [name, subject] = [`${journal}-${suffix}`, `raay.${journal}.${suffix}`]
      const info = await oncePassed(() => streamInfo(manager, name, subject, config.num_replicas))
      const faults = streamFaults(info.config, subject, 'async')
      const isNarrower = info.config.num_replicas < config.num_replicas
      if (isNarrower) faults.push(`it has fewer replicas than ${journal}`)
      if (faults.length > 0) {
        throw new UnsafeLogError(`the stream ${name} cannot be used: ${faults.join('; ')}`)
      }
      streams.push([suffix, { connection, manager, name, subject }])
    }
    return Object.fromEntries(streams) as Record<Suffix, SideStream>
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Connects to any of the servers; goes on trying to reconnect for ever once it was connected. */
export function connectTo(
  { place, tls }: Pick<StreamOptions, 'place' | 'tls'>,
  login?: NatsLogin,
): Promise<NatsConnection> {
  const isTls = place.tls || tls?.ca !== undefined || tls?.cert !== undefined
  return connect({
    servers: [...place.servers],
    name: 'raay',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 2000,
    maxPingOut: 2,
    timeout: 5000,
    ...(login === undefined ? {} : { authenticator: authenticatorOf(login) }),
    ...(isTls ? { tls: tlsOptions(tls) } : {}),
  })
}

function tlsOptions({ ca, cert, key }: NatsTlsFiles = {}) {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
  const [caText, certText, keyText] = [read(ca), read(cert), read(key)]
  return {
    ...(caText === undefined ? {} : { ca: caText }),
    ...(certText === undefined ? {} : { cert: certText }),
    ...(keyText === undefined ? {} : { key: keyText }),
  }
}

function authenticatorOf(login: NatsLogin): Authenticator {
  const bytes = (text: string) => new TextEncoder().encode(text)
  switch (login.kind) {
    case 'creds':
      return credsAuthenticator(bytes(login.creds))
    case 'nkey':
      return nkeyAuthenticator(bytes(login.seed))
    case 'user':
      return usernamePasswordAuthenticator(login.user, login.password)
  }
}

/** Asks until servers that meet, or elect a leader, answer; rejects with their last error after a while. */
export async function oncePassed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = TRIES; ; tries--) {
    try {
      return await ask()
    } catch (error) {
      if (isFinal(error) || tries === 1) throw error
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

function isFinal(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false
  return error.status !== UNAVAILABLE && (error.code as number) !== NO_PEERS
}

async function streamInfo(
  manager: JetStreamManager,
  name: string,
  subject: string,
  replicas: number,
): Promise<StreamInfo> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    const isAbsent = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
    if (!isAbsent) throw error
  }
  await manager.streams.add({
    name,
    subjects: [subject],
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: replicas,
    max_age: 0,
    deny_delete: true,
    allow_direct: false,
  })
  // What a server does not know it drops without a word: only what it says now counts.
  return await manager.streams.info(name)
}

/** Refuses a stream that could lose what it acknowledges in a mode. */
export async function refuseUnsafe(options: StreamOptions, stream: OpenStream): Promise<void> {
  const { mode, warn } = options
  const { info, subject, connection } = stream
  const keepers = keepersOf(info, connection)
  const { name } = info.config
  const faults = streamFaults(info.config, subject, mode)
  const payload = connection.info?.max_payload ?? 0
  if (payload < MESSAGE_SIZE_MIN) faults.push(`the servers' max_payload is under ${MESSAGE_SIZE_MIN}`)
  if (faults.length > 0) throw new UnsafeLogError(`the stream ${name} cannot be used: ${faults.join('; ')}`)
  if (mode === 'async') return
  const fault = await unsyncedFault(options, keepers)
  if (fault === undefined) return
  if (options.allowUnsynced !== true) {
    const advice = 'or accept that a power failure of all servers loses lines with --allow-unsynced-log'
    throw new UnsafeLogError(`the stream ${name} cannot be used: ${fault}; ${advice}`)
  }
  warn(`a power failure of all servers of the log may lose answered orders: ${fault}`)
}

/** Returns the names of the servers that keep a stream: its leader, and its replicas. */
function keepersOf({ cluster }: StreamInfo, connection: NatsConnection): string[] {
  const replicas = (cluster?.replicas ?? []).map(({ name }) => name)
  return [cluster?.leader ?? connection.info?.server_name ?? 'the server', ...replicas]
}

async function unsyncedFault(
  options: StreamOptions,
  keepers: readonly string[],
): Promise<string | undefined> {
  const { systemLogin } = options
  if (systemLogin === undefined) {
    return 'whether its servers sync is read with a login of the system account: set --replicate-system-login'
  }
  let servers: ServerSync[]
  try {
    servers = await readSync(options, systemLogin, keepers)
  } catch (error) {
    return `the system account's login does not work: ${(error as Error).message}`
  }
  return syncFault(servers, keepers)
}

/** Asks all servers for their configuration, which only the system account may read. */
async function readSync(
  options: StreamOptions,
  login: NatsLogin,
  keepers: readonly string[],
): Promise<ServerSync[]> {
  const missing = new Set(keepers)
  const connection = await connectTo(options, login)
  try {
    const servers: ServerSync[] = []
    const answers = await connection.requestMany(SYSTEM_PING, JSON.stringify({ config: true }), {
      strategy: 'timer',
      maxWait: SYSTEM_WAIT_MS,
    })
    for await (const answer of answers) {
      const sync = serverSync(answer.json())
      if (sync === undefined) continue
      servers.push(sync)
      missing.delete(sync.name)
      if (missing.size === 0) break
    }
    return servers
  } finally {
    await connection.close()
  }
}
