import type { Client, Limiter } from '../access/limits/limiter.js'
import { networkKey } from '../access/limits/network-key.js'
import { isOperator } from '../access/rights.js'
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

/** Limits that may be turned on and off. */
export interface SocketLimits {
  /** Undefined while nothing is limited. */
  readonly limiter: Limiter | undefined
}

/** Charges connections for their messages, and answers those that are refused. */
export class Budget {
  readonly #watch: () => number
  readonly #limits: SocketLimits

  /**
   * @param watch a monotonic clock in milliseconds
   * @param limits those of users, keys and addresses, over all of their connections
   */
  constructor(watch: () => number, limits: SocketLimits = { limiter: undefined }) {
    this.#watch = watch
    this.#limits = limits
  }

  /** Charges a message. One of a user who owes takes nothing from the address, which others share. */
  spend(connection: Connection, points: number): void {
    connection.spend(points, this.#watch())
    const { limiter } = this.#limits
    if (limiter === undefined) return
    const client = clientOf(connection)
    const own = { ...client, address: undefined }
    const isOwing = limiter.waitMs('snapshots', own) > 0
    limiter.charge('snapshots', isOwing ? own : client, points)
  }

  /** Returns the refusal if the connection, or its client, has exceeded its request budget. */
  exceeded(connection: Connection): Refused | undefined {
    const limitedMs = this.#limits.limiter?.waitMs('snapshots', clientOf(connection)) ?? 0
    const waitMs = Math.max(connection.waitMs(this.#watch()), limitedMs)
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

function clientOf({ caller, address }: Connection): Client {
  if (isOperator(caller)) return { user: undefined, credential: undefined, address: undefined }
  return { user: caller.userId, credential: caller.credential, address: networkKey(address) }
}
