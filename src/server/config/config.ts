import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { proxiesIn } from '../../access/limits/trusted-proxies.js'
import type { Amount } from '../../core/units.js'
import type { AccessConfig } from './access-config.js'
import { readAccess } from './access-config.js'
import type { NetworkConfig } from './network-config.js'
import { isLoopback, readNetwork } from './network-config.js'
import { ConfigError, nameOf, oneOf, rupees, wholeNumber, yesOrNo } from './setting-values.js'
import type { Setting, SettingTexts } from './settings.js'
import { SETTINGS } from './settings.js'

/** The configuration of an exchange; every setting has a default. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  readonly shardCount: number
  readonly startingBalance: Amount
  readonly queueLengthMax: number
  /** Hours between verifications of the whole file; 0 for none. */
  readonly verifyEveryHours: number
  readonly eventsMax: number
  /** How callers are identified. */
  readonly access: AccessConfig
  /** How users reach the exchange. */
  readonly network: NetworkConfig
  /** Limits by user, key and address; `auto` turns them off in the mode open on this machine. */
  readonly rateLimits: 'auto' | 'on' | 'off'
  /** Replaces the operator's key; never shown or logged. */
  readonly adminToken: string | undefined
  /** The most open connections, in total and per address. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Proxies that speak for many clients, so their connections are not counted. */
  readonly trustedProxies: BlockList | undefined
  /** Logs every request, with its path but never its query, headers or body. */
  readonly accessLog: boolean
  /** Serves Socket.IO as well. */
  readonly socketIo: boolean
  /** Undefined unless demo mode is on. */
  readonly demo: DemoConfig | undefined
}

/** The settings of demo mode: a generated history, and bots that trade. */
export interface DemoConfig {
  /** The same seed gives the same history. */
  readonly seed: number
  /** The most bot turns per second. */
  readonly rate: number
  /** Deletes the existing demo first. */
  readonly isFresh: boolean
  /** Deletes the demo and starts nothing. */
  readonly isRemoved: boolean
}

/** Long enough not to be guessed, with characters that are valid in headers. */
const ADMIN_TOKEN = /^[\x21-\x7e]{16,256}$/

/** The demo's directory within the data directory, unless the option names another. */
const DEMO_FOLDER = 'demo'
const DEMO_RATE_MAX = 50

/**
 * Reads a configuration from options, variables and defaults, in this order of precedence. Throws
 * ConfigError.
 */
export function readConfig(flags: SettingTexts, env: NodeJS.ProcessEnv): Config {
  const text = (setting: Setting) =>
    flags[setting] ?? (env[SETTINGS[setting].variable] || SETTINGS[setting].fallback)
  const shards = text('shards')
  const host = text('host')
  const access = readAccess(text)
  if (access.mode === 'open' && !isLoopback(host) && !access.allowsOpenNetwork) {
    throw new ConfigError(
      `${nameOf('host')} is ${host}: in the mode open anybody who reaches it may trade as any user; ` +
        'choose --auth accounts or --auth jwt, or give --allow-open-network',
    )
  }
  const balance = text('starting-balance')
  const demo = readDemo(text)
  return {
    host,
    port: wholeNumber('port', text('port'), 0, 65_535),
    data: demo === undefined ? text('data') : (flags.data ?? join(text('data'), DEMO_FOLDER)),
    shardCount:
      shards === '' ? Math.max(1, availableParallelism() - 1) : wholeNumber('shards', shards, 1, 64),
    startingBalance: rupees('starting-balance', balance || (access.mode === 'open' ? '1000000' : '0')),
    verifyEveryHours: wholeNumber('verify-every', text('verify-every'), 0, 500),
    queueLengthMax: wholeNumber('queue-length-max', text('queue-length-max'), 1, 1_000_000),
    connectionsMax: wholeNumber('connections-max', text('connections-max'), 1, 1_000_000),
    connectionsPerAddressMax: wholeNumber(
      'connections-per-address-max',
      text('connections-per-address-max'),
      1,
      1_000_000,
    ),
    trustedProxies: trustedProxies(text('trusted-proxy')),
    eventsMax: wholeNumber('events-max', text('events-max'), 1, 8_999_999),
    access,
    network: readNetwork(text),
    rateLimits: oneOf('rate-limits', text('rate-limits'), ['auto', 'on', 'off']),
    adminToken: adminToken(flags['admin-token'] ?? (env.RAAY_ADMIN_TOKEN || undefined)),
    accessLog: yesOrNo('access-log', text('access-log')),
    socketIo: yesOrNo('socket-io', text('socket-io')),
    demo,
  }
}

/** Returns true if any of the three switches turns demo mode on. */
function readDemo(text: (setting: Setting) => string): DemoConfig | undefined {
  const isAsked = yesOrNo('demo', text('demo'))
  const isFresh = yesOrNo('demo-fresh', text('demo-fresh'))
  const isRemoved = yesOrNo('demo-remove', text('demo-remove'))
  if (!isAsked && !isFresh && !isRemoved) return undefined
  const seed = wholeNumber('demo-seed', text('demo-seed'), 0, 999_999_999)
  const rate = wholeNumber('demo-rate', text('demo-rate'), 1, DEMO_RATE_MAX)
  return { seed, rate, isFresh, isRemoved }
}

function trustedProxies(text: string): BlockList | undefined {
  if (text === '') return undefined
  const proxies = proxiesIn(text)
  if (proxies !== undefined) return proxies
  throw new ConfigError(
    `${nameOf('trusted-proxy')} is ${text}: give addresses or networks such as 10.0.0.7,192.168.0.0/16`,
  )
}

/** Throws without repeating the token, because messages end up in logs. */
function adminToken(text: string | undefined): string | undefined {
  if (text === undefined || ADMIN_TOKEN.test(text)) return text
  const expected = '16 to 256 letters, digits and signs without spaces, such as openssl rand -hex 32 makes'
  throw new ConfigError(`${nameOf('admin-token')} is not a valid token: use ${expected}`)
}
