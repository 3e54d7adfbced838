import type { ClientMessage } from '../api/channels/client-message.js'
import type { ErrorCode } from '../api/errors.js'
import { errorEnvelope } from '../api/errors.js'
import type { RefusalReason } from '../api/reasons.js'
import { reasonOfCode } from '../api/reasons.js'
import type { Connection } from './connection.js'

const ERROR_POINTS = 10

/** Why a client's message is refused. */
export interface Refused {
  readonly code: ErrorCode
  readonly message: string
  /** By default the message of the code. */
  readonly reason?: RefusalReason
  /** When to retry, if that helps. */
  readonly retryAfterMs?: number
}

/** Charges connections for their messages, and answers those that are refused. */
export class Budget {
  readonly #watch: () => number

  /** @param watch a monotonic clock in milliseconds */
  constructor(watch: () => number) {
    this.#watch = watch
  }

  spend(connection: Connection, points: number): void {
    connection.spend(points, this.#watch())
  }

  /** Returns the refusal if the connection has exceeded its request budget. */
  exceeded(connection: Connection): Refused | undefined {
    const waitMs = connection.waitMs(this.#watch())
    if (waitMs === 0) return undefined
    return { code: 429, message: `Too much at once: try again in ${waitMs} ms`, retryAfterMs: waitMs }
  }

  refuse(
    connection: Connection,
    id: ClientMessage['id'],
    { code, message, reason, retryAfterMs }: Refused,
  ): void {
    if (retryAfterMs === undefined) this.spend(connection, ERROR_POINTS)
    connection.answer({
      event: 'error',
      id,
      retry_after_ms: retryAfterMs,
      data: errorEnvelope(code, message),
      reason: reason ?? reasonOfCode(code),
    })
  }
}
