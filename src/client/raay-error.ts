/** What may be asked again as it is: nobody was there, too busy, too slow. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Everything that goes wrong between a program and the exchange. `code` and `name` are those of the
 * exchange's error envelope; where it could not be reached at all they are 502, `Network Error`, and where it
 * did not answer in time 408, `Request Timeout`.
 */
export class RaayError extends Error {
  override readonly name: string
  readonly code: number
  /** Whether the same request may succeed a little later. The client has tried that already. */
  readonly retryable: boolean
  /** Why the exchange refused, from its closed list, such as `event_not_found`; where it was the exchange. */
  readonly reason: string | undefined
  /** How long the exchange wants to be left alone, where it said so. */
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

/** The program has closed what it still asks something of. */
export function closedError(what: string): RaayError {
  return new RaayError(499, 'Closed', `${what} is closed`, { retryable: false })
}
