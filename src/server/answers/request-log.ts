import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { Bucket } from '../../access/limits/bucket.js'
import type { ClientAddresses } from '../../access/limits/client-address.js'
import type { RefusalReason } from '../../api/reasons.js'

/** Refusals logged at once, and per second from then on. */
const LINES = { points: 20, pointsPerSecond: 20 }
const PATH_LENGTH_MAX = 200
/** Attempts at what the sender may not do; every 5xx is noted as well. */
const NOTED: ReadonlySet<number> = new Set([401, 403, 421, 429])
/** Counted from the start, so that a rate has a first value. */
const COUNTED: readonly number[] = [...NOTED, 500, 503]

/** A response and the name of its request. */
export interface NamedResponse extends ServerResponse {
  readonly requestId: string
}

export interface RequestLogOptions {
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly addresses: ClientAddresses
  /** Logs every request, not refusals alone; may change. */
  readonly logsAll: boolean
}

/**
 * Logs refusals worth noting, a bounded number a second, and every request on demand. Never logs what may be
 * secret: headers, bodies and queries.
 */
export class RequestLog {
  readonly #options: RequestLogOptions
  readonly #log: Logger
  readonly #watch: () => number
  readonly #addresses: ClientAddresses
  readonly #bucket: Bucket
  readonly #counts = new Map(COUNTED.map(status => [status, 0]))
  #unlogged = 0

  constructor(options: RequestLogOptions) {
    const { log, watch, addresses } = options
    this.#options = options
    this.#log = log
    this.#watch = watch
    this.#addresses = addresses
    this.#bucket = new Bucket(LINES, watch())
  }

  /** Logs a request once it is answered or cut off. */
  begin(response: NamedResponse): void {
    if (!this.#options.logsAll) return
    const startedAt = this.#watch()
    response.once('close', () => {
      const ms = Math.round((this.#watch() - startedAt) * 10) / 10
      const { req, requestId, statusCode, writableFinished } = response
      const line = { ...this.#lineOf(req, requestId), status: statusCode, ms }
      this.#log.info(line, writableFinished ? 'answered' : 'cut off')
    })
  }

  /** Logs a WebSocket that was opened. */
  opened(request: IncomingMessage, requestId: string): void {
    if (this.#options.logsAll) this.#log.info({ ...this.#lineOf(request, requestId), status: 101 }, 'opened')
  }

  /** Returns how often each status worth noting was answered. */
  get counts(): ReadonlyMap<number, number> {
    return this.#counts
  }

  /** Counts a refusal if it is worth noting, without a line in the log. */
  count(status: number): void {
    if (isNoted(status)) this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  /** Counts a refusal if it is worth noting, and logs it if the second has room for it. */
  refused(request: IncomingMessage, requestId: string, status: number, reason?: RefusalReason): void {
    if (!isNoted(status)) return
    this.count(status)
    const now = this.#watch()
    if (this.#bucket.isEmpty(now)) {
      this.#unlogged++
      return
    }
    this.#bucket.take(1, now)
    const more = this.#unlogged === 0 ? {} : { unlogged: this.#unlogged }
    this.#unlogged = 0
    this.#log.warn({ ...this.#lineOf(request, requestId), status, reason, ...more }, 'refused')
  }

  /** Returns the client's address behind trusted proxies. */
  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    return this.#addresses.of(socket.remoteAddress ?? '', forwardedFor(headers))
  }

  #lineOf({ method, url = '', socket, headers }: IncomingMessage, requestId: string): object {
    const [path = ''] = url.split(/[?#]/, 1)
    const address = this.addressOf({ socket, headers })
    return { request: requestId, method, path: path.slice(0, PATH_LENGTH_MAX), address }
  }
}

const isNoted = (status: number) => status >= 500 || NOTED.has(status)

/** Node joins repeated headers of this name. */
function forwardedFor(headers: IncomingMessage['headers']): string | undefined {
  const value = headers['x-forwarded-for']
  return Array.isArray(value) ? value.join() : value
}
