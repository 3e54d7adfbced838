import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Amount } from '../core/units.js'
import { amount, UNITS_PER_RUPEE, wholeParts } from '../core/units.js'
import { proxiesIn } from '../access/limits/trusted-proxies.js'

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
  /** The token of the operator endpoints; never shown or logged. */
  readonly adminToken: string | undefined
  /** The most open connections, in total and per address. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Proxies that speak for many clients, so their connections are not counted. */
  readonly trustedProxies: BlockList | undefined
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

/** An invalid option or variable; the message names it and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** All settings, as option `--name` and as variable; options take precedence. */
export const SETTINGS = {
  port: {
    variable: 'RAAY_PORT',
    fallback: '3000',
    value: 'n',
    help: 'port to listen on; 0 takes a free one',
  },
  host: { variable: 'RAAY_HOST', fallback: '127.0.0.1', value: 'address', help: 'address to listen on' },
  data: { variable: 'RAAY_DATA', fallback: 'data', value: 'path', help: 'directory of the data file' },
  shards: {
    variable: 'RAAY_SHARDS',
    fallback: '',
    fallbackShown: 'cores − 1, at least 1',
    value: 'n',
    help: 'matching threads',
  },
  'starting-balance': {
    variable: 'RAAY_STARTING_BALANCE',
    fallback: '1000000',
    value: 'rupees',
    help: 'play money of a new user',
  },
  'verify-every': {
    variable: 'RAAY_VERIFY_EVERY',
    fallback: '24',
    value: 'hours',
    help: 'time between background verifications of the whole file; 0 turns them off',
  },
  'queue-length-max': {
    variable: 'RAAY_QUEUE_LENGTH_MAX',
    fallback: '8192',
    value: 'n',
    help: 'orders that may wait at a shard; further ones get 503',
  },
  'connections-max': {
    variable: 'RAAY_CONNECTIONS_MAX',
    fallback: '20000',
    value: 'n',
    help: 'open connections; further ones get 503',
  },
  'connections-per-address-max': {
    variable: 'RAAY_CONNECTIONS_PER_ADDRESS_MAX',
    fallback: '1000',
    value: 'n',
    help: 'open connections from one address; trusted proxies are exempt',
  },
  'trusted-proxy': {
    variable: 'RAAY_TRUSTED_PROXY',
    fallback: '',
    fallbackShown: 'this machine',
    value: 'list',
    help: 'addresses or networks of reverse proxies, separated by commas',
  },
  'events-max': {
    variable: 'RAAY_EVENTS_MAX',
    fallback: '20000',
    value: 'n',
    help: 'events neither settled nor voided; further ones get 503',
  },
  'admin-token': {
    variable: 'RAAY_ADMIN_TOKEN',
    fallback: '',
    fallbackShown: 'they must come from this machine',
    value: 'token',
    help: 'required of operator requests',
  },
  'socket-io': {
    variable: 'RAAY_SOCKET_IO',
    fallback: 'no',
    help: 'serve Socket.IO as well, at /socket.io/',
    isSwitch: true,
  },
  demo: {
    variable: 'RAAY_DEMO',
    fallback: 'no',
    help: 'made-up events traded by bots, in a data directory of their own',
    isSwitch: true,
  },
  'demo-seed': {
    variable: 'RAAY_DEMO_SEED',
    fallback: '1',
    value: 'n',
    help: 'the same seed makes the same history',
  },
  'demo-rate': { variable: 'RAAY_DEMO_RATE', fallback: '5', value: 'n', help: 'bot orders per second' },
  'demo-fresh': {
    variable: 'RAAY_DEMO_FRESH',
    fallback: 'no',
    help: 'restart the demo from scratch and delete its trades',
    isSwitch: true,
  },
  'demo-remove': {
    variable: '',
    fallback: 'no',
    help: 'delete the demo and exit',
    isSwitch: true,
  },
} as const

/** Long enough not to be guessed, with characters that are valid in headers. */
const ADMIN_TOKEN = /^[\x21-\x7e]{16,256}$/

/** The demo's directory within the data directory, unless the option names another. */
const DEMO_FOLDER = 'demo'
const DEMO_RATE_MAX = 50

export type Setting = keyof typeof SETTINGS
/** Settings as text from the command line; a switch is `yes` or `no`. */
export type SettingTexts = Readonly<Partial<Record<Setting, string>>>

/**
 * Reads a configuration from options, variables and defaults, in this order of precedence. Throws
 * ConfigError.
 */
export function readConfig(flags: SettingTexts, env: NodeJS.ProcessEnv): Config {
  const text = (setting: Setting) =>
    flags[setting] ?? (env[SETTINGS[setting].variable] || SETTINGS[setting].fallback)
  const shards = text('shards')
  const demo = readDemo(text)
  return {
    host: text('host'),
    port: wholeNumber('port', text('port'), 0, 65_535),
    data: demo === undefined ? text('data') : (flags.data ?? join(text('data'), DEMO_FOLDER)),
    shardCount:
      shards === '' ? Math.max(1, availableParallelism() - 1) : wholeNumber('shards', shards, 1, 64),
    startingBalance: rupees('starting-balance', text('starting-balance')),
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
    adminToken: adminToken(flags['admin-token'] ?? (env.RAAY_ADMIN_TOKEN || undefined)),
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

function wholeNumber(setting: Setting, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${nameOf(setting)} is ${text}: give a whole number from ${min} to ${max}`)
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  no: false,
  false: false,
  '0': false,
}

function yesOrNo(setting: Setting, text: string): boolean {
  const value = SWITCH_WORDS[text.toLowerCase()]
  if (value !== undefined) return value
  throw new ConfigError(`${nameOf(setting)} is ${text}: give yes or no`)
}

function rupees(setting: Setting, text: string): Amount {
  const units = /^\d{1,12}(\.\d{1,4})?$/.test(text) ? wholeParts(Number(text), UNITS_PER_RUPEE) : undefined
  if (units !== undefined) return amount(units)
  throw new ConfigError(`${nameOf(setting)} is ${text}: give rupees, such as 1000000`)
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

function nameOf(setting: Setting): string {
  return `--${setting} (${SETTINGS[setting].variable})`
}
