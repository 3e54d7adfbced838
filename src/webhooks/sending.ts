import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { BlockList, LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { hostOf, publicFault, urlFault } from './endpoint-url.js'
import { isGlobalUnicast, isWithin } from './global-address.js'

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 4096

/** An address that a name has. */
export interface Resolved {
  readonly address: string
  readonly family: number
}

/** Bounds and means of sending. */
export interface SendingOptions {
  /** Networks of the operator's own that may be reached, over plain HTTP too. */
  readonly allowed: BlockList
  /** Resolves a name to all its addresses. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
  /** Trusted certificates; those of Node without. */
  readonly ca?: string
  readonly timeoutMs?: number
}

/** A request to a receiver. */
export interface Delivery {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The result of one attempt: the receiver's answer, or why there is none. */
export type Attempt =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly answer: string }
  | { readonly fault: string }

/**
 * Sends a request once. Its name is resolved once, and the connection goes to an address that was looked at:
 * a name that resolves differently the next time leads nowhere else. Follows no redirect; never rejects, and
 * no fault names more of the address than its host.
 */
export async function send(delivery: Delivery, options: SendingOptions): Promise<Attempt> {
  const { timeoutMs = TIMEOUT_MS } = options
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const overdue = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(new Error(`no answer within ${timeoutMs / 1000} s`)))
  })
  try {
    const reached = await Promise.race([addressOf(delivery.url, options), overdue])
    if ('fault' in reached) return reached
    return await Promise.race([exchange(delivery, reached, options, late.signal), overdue])
  } catch (error) {
    return { fault: faultOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the address to connect to, or why none may be. */
async function addressOf(
  text: string,
  { allowed, resolve = resolveAll }: SendingOptions,
): Promise<Resolved | { readonly fault: string }> {
  const fault = urlFault(text, allowed)
  if (fault !== undefined) return { fault }
  const url = new URL(text)
  const host = hostOf(url)
  const isPublic = publicFault(url) === undefined
  const family = isIP(host)
  const found = family === 0 ? await resolve(host) : [{ address: host, family }]
  const first = found[0]
  if (first === undefined) return { fault: `${host} has no address` }
  const mayReach = (address: string) => isWithin(allowed, address) || (isPublic && isGlobalUnicast(address))
  if (found.every(({ address }) => mayReach(address))) return first
  return { fault: `${host} has an address that may not be reached` }
}

/** Returns all addresses of a name. */
export const resolveAll = (host: string) => lookup(host, { all: true, verbatim: true })

function exchange(
  { url: text, headers, body }: Delivery,
  { address, family }: Resolved,
  { ca }: SendingOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const url = new URL(text)
  const toVetted: LookupFunction = (_host, { all: isAll }, found) =>
    isAll === true ? found(null, [{ address, family }]) : found(null, address, family)
  const options: RequestOptions & { ca?: string } = {
    method: 'POST',
    // No pool: a connection that is kept would go where the name led before.
    agent: false,
    lookup: toVetted,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'raay-webhooks',
      'accept-encoding': 'identity',
    },
    ...(ca !== undefined && { ca }),
  }
  return new Promise((done, failed) => {
    const sent = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options, answered => {
      read(answered, signal).then(answer => {
        sent.destroy()
        done({ status: answered.statusCode ?? 0, retryAfter: answered.headers['retry-after'], answer })
      }, failed)
    })
    sent.on('error', failed)
    sent.end(body)
  })
}

/** Reads the beginning of an answer. That of a success is not read: the status has said everything. */
async function read(answered: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { statusCode = 0 } = answered
  if (statusCode >= 200 && statusCode < 300) return ''
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of answered as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length >= ANSWER_BYTES_MAX) break
    }
  } catch (error) {
    if (signal.aborted) throw error
    // An answer that breaks off has its status all the same.
  }
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX).toString()
}

function faultOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? (error instanceof Error ? message : 'failed')
}
