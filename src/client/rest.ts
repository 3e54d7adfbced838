import type { Backoff } from './backoff.js'
import { pauseMs } from './backoff.js'
import type { Credential } from './credential.js'
import type { FetchAnswer, Surroundings } from './platform.js'
import { closedError, RaayError } from './raay-error.js'
import { RemainingLimits } from './remaining-limits.js'

/** One request to the exchange. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /**
   * When a repeat is harmless: always, or only after the exchange said that it had not begun (429, 503). The
   * default is always for GET, PUT and DELETE, otherwise only then.
   */
  readonly repeat?: 'always' | 'refused'
}

export interface RestOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly attemptsMax: number
  /** The time to wait in all, for answers that did not come and between attempts. */
  readonly retryMs: number
  readonly backoff: Backoff
  readonly credential: Credential | undefined
  /** Lets reads wait for what this client has written. */
  readonly readYourWrites: boolean
  /** Called if a takeover has lost it. */
  readonly onWritesLost: () => void
}

/** The last batch that an answer to a write has named, and its epoch: NaN if the answer names none. */
type WrittenBatch = readonly [sequence: number, epoch: number]

/** Longest `Retry-After` that the client waits for; a longer one ends the attempts. */
const RETRY_AFTER_MAX_MS = 30_000
/** The code of an attempt without an answer in time. */
const LATE = 408

interface Envelope {
  readonly status: boolean
  readonly name?: string
  readonly message: string
  readonly additional?: unknown
}

/** Sends HTTP requests: limits their time, repeats them if that is safe. */
export class Rest {
  readonly limits = new RemainingLimits()
  readonly #options: RestOptions
  /** The machine, for all that this client does. */
  readonly around: Surroundings
  /** Functions that end pending requests. */
  readonly #endings = new Set<() => void>()
  #isClosed = false
  #written: WrittenBatch | undefined

  constructor(options: RestOptions, around: Surroundings) {
    this.#options = options
    this.around = around
  }

  /** Returns the envelope's `additional`. Throws RaayError after the last attempt has failed. */
  async call<T>(call: Call): Promise<T> {
    return this.repeat(mayRepeat(call), () => this.#authenticated(call)) as Promise<T>
  }

  /** Repeats an attempt until it succeeds, for as long as allowed, with pauses in between. */
  async repeat<T>(again: (error: RaayError) => boolean, attempt: () => Promise<T>): Promise<T> {
    let waitedMs = 0
    for (let failures = 1; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof RaayError) || !again(error)) throw error
        if (failures >= this.#options.attemptsMax) throw error
        const restMs = error.retryAfterMs ?? 0
        if (restMs > RETRY_AFTER_MAX_MS) throw error
        const pause = restMs + pauseMs(this.#options.backoff, failures, this.around.random)
        waitedMs += pause + (error.code === LATE ? this.#options.timeoutMs : 0)
        if (waitedMs > this.#options.retryMs) throw error
        await this.#pause(pause)
      }
    }
  }

  /** Ends pending requests: they reject. */
  close(): void {
    this.#isClosed = true
    for (const end of [...this.#endings]) end()
  }

  /** Sends a request with the client's token; once more with another one if that has expired. */
  async #authenticated(call: Call): Promise<unknown> {
    const { credential } = this.#options
    if (credential === undefined || call.headers?.Authorization !== undefined) return this.#attempt(call)
    const first = credential.get()
    const token = typeof first === 'string' ? first : await this.#unlessClosed(first)
    try {
      return await this.#attempt(withToken(call, token))
    } catch (error) {
      if (!(error instanceof RaayError) || error.reason !== 'token_expired') throw error
      if (!(await credential.renew(token))) throw error
      return this.#attempt(withToken(call, await this.#unlessClosed(credential.get())))
    }
  }

  /** Waits for a token, for as long as for an answer. */
  #unlessClosed(token: string | Promise<string>): Promise<string> {
    if (this.#isClosed) return Promise.reject(closedError('the client'))
    const { timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const late = new RaayError(LATE, 'Request Timeout', `no token within ${timeoutMs} ms`)
      const cancelTimer = this.around.setTimer(() => finish(() => reject(late)), timeoutMs)
      const end = () => finish(() => reject(closedError('the client')))
      const finish = (settle: () => void) => {
        cancelTimer()
        this.#endings.delete(end)
        settle()
      }
      this.#endings.add(end)
      Promise.resolve(token).then(
        found => finish(() => resolve(found)),
        error => finish(() => reject(error)),
      )
    })
  }

  async #attempt(call: Call): Promise<unknown> {
    if (this.#isClosed) throw closedError('the client')
    const { timeoutMs } = this.#options
    const abort = new AbortController()
    const end = () => abort.abort()
    let isLate = false
    const cancelTimer = this.around.setTimer(() => {
      isLate = true
      end()
    }, timeoutMs)
    this.#endings.add(end)
    const written = call.method === 'GET' && this.#options.readYourWrites ? this.#written : undefined
    try {
      const answer = await this.#send(call, written, abort.signal)
      this.limits.take(answer.headers.get('ratelimit'))
      this.wrote(answer.headers.get('x-sequence'), answer.headers.get('x-epoch'))
      return contentOf(answer, await answer.text())
    } catch (cause) {
      if (cause instanceof RaayError) {
        if (written === undefined || cause.reason !== 'sequence_lost') throw cause
        this.#forget(written)
        return await this.#attempt(call)
      }
      if (this.#isClosed) throw closedError('the client')
      const message = `${call.method} ${call.path}`
      if (isLate) throw new RaayError(LATE, 'Request Timeout', `${message}: no answer within ${timeoutMs} ms`)
      throw new RaayError(502, 'Network Error', `${message}: ${reasonOf(cause)}`, { cause })
    } finally {
      cancelTimer()
      this.#endings.delete(end)
    }
  }

  /** Keeps the batch that an answer names, if it names one, unless a later one is known. */
  wrote(batch: unknown, epochOfIt: unknown): void {
    const [sequence, epoch] = [Number(batch) || 0, Number(epochOfIt ?? Number.NaN)]
    const [last, lastEpoch] = this.#written ?? [0, epoch]
    // Without both epochs their difference is NaN, and the numbers of the batches decide.
    if (sequence > 0 && (epoch - lastEpoch || sequence - last) > 0) this.#written = [sequence, epoch]
  }

  /** Forgets a batch that is lost; of all reads that hear of it the first tells the caller. */
  #forget(written: WrittenBatch): void {
    if (this.#written !== written) return
    this.#written = undefined
    this.#options.onWritesLost()
  }

  #send(
    { method, path, query = {}, body, headers }: Call,
    written: WrittenBatch | undefined,
    signal: AbortSignal,
  ): Promise<FetchAnswer> {
    const named = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    const search = named.length === 0 ? '' : `?${named.join('&')}`
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const sequence = written && {
      'X-Min-Sequence': `${written[0]}`,
      ...(written[1] >= 0 && { 'X-Epoch': `${written[1]}` }),
    }
    return this.around.fetch(`${this.#options.url}${path}${search}`, {
      method,
      headers: { Accept: 'application/json', ...type, ...sequence, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    })
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.around.setTimer(() => {
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

function withToken(call: Call, token: string): Call {
  return { ...call, headers: { ...call.headers, Authorization: `Bearer ${token}` } }
}

function mayRepeat({ method, repeat }: Call): (error: RaayError) => boolean {
  const isHarmless = (repeat ?? (method === 'POST' || method === 'PATCH' ? 'refused' : 'always')) === 'always'
  return ({ code, retryable }) => (isHarmless ? retryable : code === 429 || code === 503)
}

/** Returns the content of an answer. Throws if it is a refusal. */
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

/** Converts `Retry-After: 2` to milliseconds. Dates, which Raay never sends, are ignored. */
function secondsIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined
}

/** Returns a cause such as `ECONNREFUSED`, which fetch nests one level below its own error, if at all. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as {
    readonly message?: string
    readonly cause?: { readonly code?: string; readonly message?: string }
  }
  return cause?.code ?? cause?.message ?? message ?? 'no answer'
}
