import { RaayClient, RaayError } from '../client/node-client.js'
import { Failure } from './exit-errors.js'
import type { Command } from './make-command.js'
import type { Tokens } from './operator-token.js'
import { dataOption, tokensOf } from './operator-token.js'
import { jsonOption, option } from './options.js'
import type { Reach } from './reach.js'
import { reachOf } from './reach.js'

const DEFAULT_URL = 'the one that runs on --data'
const TIMEOUT_MS = 30_000
const TOKEN_ADVICE =
  '; give the data directory of the exchange with --data, or a token as RAAY_ADMIN_TOKEN or RAAY_TOKEN'
/** Reasons of `fetch` for which the request was never sent. */
const NEVER_SENT: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'bad port',
]

/** The options of every verb that talks to an exchange. */
export interface Connection {
  /** Undefined for the exchange that runs on the data directory. */
  readonly url?: string | undefined
  /** The data directory, in which the operator's key and the address of the running exchange are. */
  readonly data?: string | undefined
  readonly json?: true
}

interface CallOptions {
  readonly timeoutMs?: number
  /** How to repeat a request safely when no answer came and it may have been carried out. */
  readonly retryAdvice?: string
}

/**
 * Runs a function with a client of the exchange. The client tries each request once: repeating it is up to
 * the user. Throws UsageError for a bad address or token, Failure if the exchange refuses or does not answer.
 */
export async function withExchange<Result>(
  { url, data }: Connection,
  run: (client: RaayClient, reach: Omit<Reach, 'isOwn'>) => Promise<Result>,
  { timeoutMs = TIMEOUT_MS, retryAdvice }: CallOptions = {},
): Promise<Result> {
  const { isOwn, ...reach } = await reachOf(url, data)
  const tokens = tokensOf(process.env, { url: reach.url, isOwn }, data)
  const attempt = async (sent: Tokens) => {
    const client = new RaayClient({ ...reach, attemptsMax: 1, timeoutMs, ...sent })
    try {
      return await run(client, reach)
    } finally {
      client.close()
    }
  }
  try {
    return await attempt(tokens).catch(error => {
      const { token, adminToken } = tokens
      // In accounts and jwt mode operators may act for all users.
      if (adminToken === undefined || token !== undefined || !isTokenMissing(error)) throw error
      return attempt({ token: adminToken })
    })
  } catch (error) {
    if (!(error instanceof RaayError)) throw error
    const isUncertain = retryAdvice !== undefined && mayBeDone(error)
    const tried = { url: reach.url, data: url === undefined && !isOwn ? data : undefined }
    throw new Failure(messageOf(error, tried) + (isUncertain ? `; ${retryAdvice}` : ''))
  }
}

function isTokenMissing(error: unknown): boolean {
  return error instanceof RaayError && error.reason === 'token_missing'
}

/** Adds the options that say which exchange to talk to, and how to print its answer. */
export function addConnection(made: Command): Command {
  return made
    .addOption(option('--url <address>', `the exchange (default: ${DEFAULT_URL})`).env('RAAY_URL'))
    .addOption(dataOption())
    .addOption(jsonOption())
}

interface Tried {
  readonly url: string
  /** The data directory on which no exchange runs, where the address was looked for there. */
  readonly data: string | undefined
}

function messageOf(error: RaayError, { url, data }: Tried): string {
  if (error.code === 401) return error.message + TOKEN_ADVICE
  if (error.code === 408) return `${url}: ${error.message}`
  if (error.name !== 'Network Error') return error.message
  if (error.cause === undefined) return `${url} ${error.message}`
  const reason = `cannot reach ${url} (${reasonOf(error.cause)})`
  if (data === undefined) return `${reason}: start it with raay start, or give --url`
  return `${reason}, and no exchange runs on ${data}: start it with raay start, or give --data or --url`
}

/** Returns whether the exchange may have carried out a request that failed like this. */
function mayBeDone({ code, name, cause }: RaayError): boolean {
  if (name !== 'Network Error') return code === 408
  return cause === undefined ? code >= 500 : !NEVER_SENT.includes(reasonOf(cause))
}

/** Returns `ECONNREFUSED` or `bad port`: `fetch` gives the reason as the cause of its own error. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name: string; readonly cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? name
}
