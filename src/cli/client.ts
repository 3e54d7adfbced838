import { ConfigError } from '../server/config.js'

const ANSWER_TIMEOUT_MS = 30_000
const TOKEN_ADVICE = '; set RAAY_ADMIN_TOKEN to the token that the exchange was started with'
/** No connection came about. */
const NEVER_HEARD: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'bad port',
]
const HEADER_TEXT = /^[\x21-\x7e]+$/

/** The exchange refused, or was not there: the message says what to do. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** The request may have been heard, and what it asked for may have been done. */
  readonly mayBeDone: boolean

  constructor(message: string, mayBeDone = false) {
    super(message)
    this.mayBeDone = mayBeDone
  }
}

/** Where the exchange is, and what the operator brings along. */
export interface Server {
  readonly url: string
  readonly token: string | undefined
}

/** The exchange at a flag's or a variable's address, else on this machine. Throws ConfigError. */
export function serverAt(flag: string | undefined, env: NodeJS.ProcessEnv): Server {
  const text = flag ?? (env.RAAY_URL || 'http://127.0.0.1:3000')
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new ConfigError(`--url (RAAY_URL) is ${text}: give an address such as http://127.0.0.1:3000`)
  }
  const token = env.RAAY_ADMIN_TOKEN || undefined
  // fetch would refuse it with a message that shows it.
  if (token !== undefined && !HEADER_TEXT.test(token)) {
    throw new ConfigError('RAAY_ADMIN_TOKEN is no token: give letters, digits and signs without spaces')
  }
  return { url: text.replace(/\/+$/, ''), token }
}

/**
 * Calls a running exchange and answers what its envelope has in `additional`. An answer is waited for until
 * all of what was asked is done. Throws CallError.
 */
export async function call(
  server: Server,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  timeoutMs = ANSWER_TIMEOUT_MS,
) {
  const headers = {
    'Content-Type': 'application/json',
    Prefer: 'wait',
    ...(server.token !== undefined && { Authorization: `Bearer ${server.token}` }),
  }
  const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const { status, text } = await answerOf(server.url, path, request, timeoutMs)
  const envelope = envelopeIn(text)
  if (envelope === undefined) {
    const message = `${server.url} answered ${status}, and not as Raay does: is --url right?`
    throw new CallError(message, status >= 500)
  }
  if (!envelope.status) throw new CallError(envelope.message + (status === 401 ? TOKEN_ADVICE : ''))
  return envelope.additional
}

async function answerOf(url: string, path: string, request: RequestInit, timeoutMs: number) {
  try {
    const response = await fetch(url + path, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const reason = reasonOf(error)
    const message = `cannot reach ${url} (${reason}): start it with raay start, or say --url`
    throw new CallError(message, !NEVER_HEARD.includes(reason))
  }
}

/** `ECONNREFUSED`, `bad port`, `TimeoutError`: fetch tells it one step below its own error, where it can. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name: string; readonly cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? name
}

interface Envelope {
  readonly status: boolean
  readonly message: string
  readonly additional?: unknown
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null
    const isEnvelope = typeof value?.status === 'boolean' && typeof value.message === 'string'
    return isEnvelope ? (value as Envelope) : undefined
  } catch {
    return undefined
  }
}
