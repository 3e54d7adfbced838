import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { FetchAnswer, FetchRequest, Surroundings } from '../client/node-client.js'
import { webSocketOfWs } from '../client/node-client.js'
import type { RunningAddress } from '../store/files/running-address.js'
import { UsageError } from './exit-errors.js'

const ADDRESS = 'http://127.0.0.1:3000'

/** How a verb reaches an exchange: its address, and for one with TLS on this machine how to verify it. */
export interface Reach extends Partial<Pick<Surroundings, 'fetch' | 'WebSocket'>> {
  readonly url: string
  /** True for the exchange that runs on the data directory of the verb. */
  readonly isOwn: boolean
}

/**
 * Finds the exchange of a verb: the address that was given, else that of the exchange that runs on the data
 * directory, else the default. Throws UsageError for an invalid address.
 */
export async function reachOf(url: string | undefined, data: string | undefined): Promise<Reach> {
  const running = data === undefined ? undefined : await runningOn(data)
  const address = addressIn(url ?? running?.url ?? ADDRESS)
  const isOwn = running !== undefined && isSame(address, running.url)
  return { url: address, isOwn, ...(isOwn && running.tls && verifiedFor(running.tls)) }
}

/** Returns the address without a trailing slash. Throws UsageError. */
export function addressIn(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new UsageError(`--url (RAAY_URL) is ${url}: give an address such as ${ADDRESS}`)
}

/** Loads the database driver, which tests the lock, only when a verb talks to an exchange. */
async function runningOn(data: string): Promise<RunningAddress | undefined> {
  const { runningAddress } = await import('../store/files/running-address.js')
  return runningAddress(data)
}

/** Compares scheme, host and port; `localhost` is 127.0.0.1. */
function isSame(one: string, other: string): boolean {
  const originOf = (text: string) => new URL(text.replace(/\/\/localhost\b/, '//127.0.0.1')).origin
  return originOf(one) === originOf(other)
}

/**
 * Verifies the certificate for the name under which users reach the exchange, since it is not for 127.0.0.1.
 * Trusts the certificate in the exchange's own settings, so that a self-signed one passes, too.
 */
function verifiedFor({
  name,
  certificate,
}: NonNullable<RunningAddress['tls']>): Omit<Reach, 'url' | 'isOwn'> {
  const tls = { servername: name, ca: [...rootCertificates, ...readIfAllowed(certificate)] }
  return {
    fetch: (url, sent) => fetchWith(url, sent, tls),
    WebSocket: class extends webSocketOfWs() {
      constructor(url: string) {
        super(url, tls)
      }
    },
  }
}

function readIfAllowed(path: string): string[] {
  try {
    return [readFileSync(path, 'utf8')]
  } catch {
    return []
  }
}

/** Sends a request like `fetch`, whose TLS cannot be given a name. Rejects as it does. */
async function fetchWith(
  url: string,
  { method, headers, body, signal }: FetchRequest,
  tls: { readonly servername: string; readonly ca: readonly string[] },
): Promise<FetchAnswer> {
  const { request } = await import('node:https')
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => reject(new TypeError('fetch failed', { cause }))
    const options = { method, headers, signal, ...tls, ca: [...tls.ca], agent: false }
    const sent = request(url, options, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk)).on('error', failed)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const found = (name: string) => answer.headers[name.toLowerCase()]
        resolve({
          status: answer.statusCode ?? 0,
          headers: { get: name => found(name)?.toString() ?? null },
          text: async () => text,
        })
      })
    })
    sent.on('error', failed).end(body)
  })
}
