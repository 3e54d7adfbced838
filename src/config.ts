import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Amount } from './core/units.js'
import { amount, UNITS_PER_RUPEE, wholeParts } from './core/units.js'
import { wrongFlag } from './nearest.js'

/** How an exchange is started; every part has a default, so that it starts with none. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  readonly shardCount: number
  readonly startingBalance: Amount
  readonly queueLengthMax: number
  /** What the operator sends to do what is the operator's; never shown or logged. */
  readonly adminToken: string | undefined
}

/** A flag or a variable that cannot be used; the message names it and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What may be set, as flag `--name` and as variable; flags win. */
export const SETTINGS = {
  port: { variable: 'RAAY_PORT', fallback: '3000', help: 'port to listen on; 0 takes a free one' },
  host: { variable: 'RAAY_HOST', fallback: '127.0.0.1', help: 'address to listen on' },
  data: { variable: 'RAAY_DATA', fallback: 'data', help: 'directory of the data file' },
  shards: { variable: 'RAAY_SHARDS', fallback: '', help: 'matching threads; default: cores − 1, at least 1' },
  'starting-balance': {
    variable: 'RAAY_STARTING_BALANCE',
    fallback: '1000000',
    help: 'play money of a new user, in rupees',
  },
  'queue-length-max': {
    variable: 'RAAY_QUEUE_LENGTH_MAX',
    fallback: '8192',
    help: 'orders that may wait at a shard before 503',
  },
  'admin-token': {
    variable: 'RAAY_ADMIN_TOKEN',
    fallback: '',
    help: "what the operator's requests must bring; default: they come from this machine",
  },
} as const

/** Long enough not to be guessed, and of characters that every header carries. */
const ADMIN_TOKEN = /^[\x21-\x7e]{16,256}$/

type Setting = keyof typeof SETTINGS

/**
 * Reads flags and variables. Throws ConfigError.
 *
 * @param verb whose flags they are, for the advice
 */
export function readConfig(argv: readonly string[], env: NodeJS.ProcessEnv, verb = 'start'): Config {
  const flags = readFlags(argv, verb)
  const text = (setting: Setting) =>
    flags[setting] ?? (env[SETTINGS[setting].variable] || SETTINGS[setting].fallback)
  const shards = text('shards')
  return {
    host: text('host'),
    port: wholeNumber('port', text('port'), 0, 65_535),
    data: text('data'),
    shardCount:
      shards === '' ? Math.max(1, availableParallelism() - 1) : wholeNumber('shards', shards, 1, 64),
    startingBalance: rupees('starting-balance', text('starting-balance')),
    queueLengthMax: wholeNumber('queue-length-max', text('queue-length-max'), 1, 1_000_000),
    adminToken: adminToken(flags['admin-token'] ?? (env.RAAY_ADMIN_TOKEN || undefined)),
  }
}

function readFlags(argv: readonly string[], verb: string): Partial<Record<Setting, string>> {
  const options = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values
  } catch (error) {
    throw new ConfigError(`${wrongFlag(error, Object.keys(options))}; raay help ${verb} lists the flags`)
  }
}

function wholeNumber(setting: Setting, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${nameOf(setting)} is ${text}: give a whole number from ${min} to ${max}`)
}

function rupees(setting: Setting, text: string): Amount {
  const units = /^\d{1,12}(\.\d{1,4})?$/.test(text) ? wholeParts(Number(text), UNITS_PER_RUPEE) : undefined
  if (units !== undefined) return amount(units)
  throw new ConfigError(`${nameOf(setting)} is ${text}: give rupees, such as 1000000`)
}

/** The message does not repeat the token: messages end in logs. */
function adminToken(text: string | undefined): string | undefined {
  if (text === undefined || ADMIN_TOKEN.test(text)) return text
  const expected = '16 to 256 letters, digits and signs without spaces, such as openssl rand -hex 32 makes'
  throw new ConfigError(`${nameOf('admin-token')} is no token: give ${expected}`)
}

function nameOf(setting: Setting): string {
  return `--${setting} (${SETTINGS[setting].variable})`
}
