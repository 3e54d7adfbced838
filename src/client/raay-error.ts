/** Codes after which a retry may help: unreachable, too busy, too slow. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Any failure between a program and the exchange. `code` and `name` are those of the exchange's error
 * envelope; 502, `Network Error` if it could not be reached at all, and 408, `Request Timeout` if it did not
 * answer in time.
 */
export class RaayError extends Error {
  override readonly name: string
  readonly code: number
  /** True if the same request may succeed a little later. The client has already retried. */
  readonly retryable: boolean
  /** Reason for the exchange's refusal, from its closed list, such as `event_not_found`. */
  readonly reason: string | undefined
  /** Time for which the exchange asks not to be called, if it says so. */
  readonly retryAfterMs: number | undefined

  constructor(code: number, name: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.name = name
    this.retryable = details.retryable ?? RETRYABLE.has(code)
    this.retryAfterMs = details.retryAfterMs
    this.reason = details.reason
  }
}

interface ErrorDetails {
  readonly cause?: unknown
  readonly retryable?: boolean
  readonly retryAfterMs?: number | undefined
  readonly reason?: string | undefined
}

/** Returns the error of a call on a closed client or watch. */
export function closedError(what: string): RaayError {
  return new RaayError(499, 'Closed', `${what} is closed`, { retryable: false })
}
