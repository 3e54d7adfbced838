import type { Backoff } from './backoff.js'
import { pauseMs } from './backoff.js'
import type { FetchAnswer, Surroundings } from './platform.js'
import { closedError, RaayError } from './raay-error.js'

/** One question to the exchange. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /**
   * When asking again does no harm: always, or only where the exchange said that it had not begun (429, 503).
   * By default always for GET and DELETE, else only then.
   */
  readonly repeat?: 'always' | 'refused'
}

export interface RestOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly attemptsMax: number
  readonly backoff: Backoff
}

/** An exchange that wants to be left alone for longer is not waited for. */
const RETRY_AFTER_MAX_MS = 30_000

interface Envelope {
  readonly status: boolean
  readonly name?: string
  readonly message: string
  readonly additional?: unknown
}

/** The HTTP side: asks, waits a bounded time, asks again where that is safe. */
export class Rest {
  readonly #options: RestOptions
  readonly #around: Surroundings
  /** How to end everything that is under way. */
  readonly #endings = new Set<() => void>()
  #isClosed = false

  constructor(options: RestOptions, around: Surroundings) {
    this.#options = options
    this.#around = around
  }

  /** Answers what the envelope has in `additional`. Throws RaayError once the last attempt has failed. */
  async call<T>(call: Call): Promise<T> {
    return this.repeat(mayRepeat(call), () => this.#attempt(call)) as Promise<T>
  }

  /** Does something until it succeeds, as often as may be and with pauses in between. */
  async repeat<T>(again: (error: RaayError) => boolean, attempt: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof RaayError) || !again(error)) throw error
        if (failures >= this.#options.attemptsMax) throw error
        const restMs = error.retryAfterMs ?? 0
        if (restMs > RETRY_AFTER_MAX_MS) throw error
        await this.#pause(restMs + pauseMs(this.#options.backoff, failures, this.#around.random))
      }
    }
  }

  /** Ends what is under way: it rejects. */
  close(): void {
    this.#isClosed = true
    for (const end of [...this.#endings]) end()
  }

  async #attempt(call: Call): Promise<unknown> {
    if (this.#isClosed) throw closedError('the client')
    const { timeoutMs } = this.#options
    const abort = new AbortController()
    const end = () => abort.abort()
    let isLate = false
    const cancelTimer = this.#around.setTimer(() => {
      isLate = true
      end()
    }, timeoutMs)
    this.#endings.add(end)
    try {
      const answer = await this.#send(call, abort.signal)
      return contentOf(answer, await answer.text())
    } catch (cause) {
      if (cause instanceof RaayError) throw cause
      if (this.#isClosed) throw closedError('the client')
      const message = `${call.method} ${call.path}`
      if (isLate) throw new RaayError(408, 'Request Timeout', `${message}: no answer within ${timeoutMs} ms`)
      throw new RaayError(502, 'Network Error', `${message}: ${reasonOf(cause)}`, { cause })
    } finally {
      cancelTimer()
      this.#endings.delete(end)
    }
  }

  #send({ method, path, query = {}, body, headers }: Call, signal: AbortSignal): Promise<FetchAnswer> {
    const named = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    const search = named.length === 0 ? '' : `?${named.join('&')}`
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return this.#around.fetch(`${this.#options.url}${path}${search}`, {
      method,
      headers: { Accept: 'application/json', ...type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#around.setTimer(() => {
        this.#endings.delete(end)
        resolve()
      }, delayMs)
      const end = () => {
        this.#endings.delete(end)
        cancel()
        reject(closedError('the client'))
      }
      this.#endings.add(end)
    })
  }
}

function mayRepeat({ method, repeat }: Call): (error: RaayError) => boolean {
  const isHarmless = (repeat ?? (method === 'POST' || method === 'PATCH' ? 'refused' : 'always')) === 'always'
  return ({ code, retryable }) => (isHarmless ? retryable : code === 429 || code === 503)
}

/** What an answer brings. Throws what it refuses. */
function contentOf({ status, headers }: FetchAnswer, text: string): unknown {
  const envelope = envelopeIn(text)
  if (envelope?.status === true) return envelope.additional
  const code = status >= 400 ? status : 502
  const retryAfterMs = secondsIn(headers.get('retry-after'))
  const { name = 'Network Error', message = `answered ${status}, and not as Raay does: is the url right?` } =
    envelope ?? {}
  const reason = headers.get('raay-reason') ?? undefined
  throw new RaayError(code, name, message, { retryAfterMs, reason })
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const { status, message } = (body ?? {}) as Readonly<Record<string, unknown>>
    const isEnvelope = typeof status === 'boolean' && typeof message === 'string'
    return isEnvelope ? (body as Envelope) : undefined
  } catch {
    return undefined
  }
}

/** `Retry-After: 2`, in milliseconds. A date, which Raay never sends, counts as none. */
function secondsIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined
}

/** `ECONNREFUSED`: fetch tells the reason one step below its own error, where it has one. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as {
    readonly message?: string
    readonly cause?: { readonly code?: string }
  }
  return cause?.code ?? message ?? 'no answer'
}
