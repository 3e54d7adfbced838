import type { Client, Limiter } from '../access/limits/limiter.js'
import { networkKey } from '../access/limits/network-key.js'
import { ownKeysOf } from '../access/limits/own-keys.js'
import { isOperator } from '../access/rights.js'
import { ApiError } from '../api/api-error.js'
import type { ClientMessage } from '../api/channels/client-message.js'
import { refusalHeaders } from '../api/refusal-headers.js'
import type { Cost } from '../api/route.js'
import type { Connection, Refused } from './connection.js'

const ERROR_POINTS = 10

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

  /**
   * Charges orders or cancels to the buckets of requests over HTTP, by the same rules: one that is refused
   * for its caller takes nothing from the address. Returns the refusal if one of the buckets is empty.
   */
  takeOrders({ caller, address }: Connection, { kind, points }: Cost, orders: number): Refused | undefined {
    const { limiter } = this.#limits
    if (limiter === undefined || caller.kind === 'operator_key') return undefined
    const near = { user: undefined, credential: undefined, address: networkKey(address) }
    const own = ownKeysOf(caller)
    try {
      limiter.take(kind, near, own === undefined ? points : 0)
      if (own !== undefined) limiter.take(kind, own, points)
    } catch (error) {
      if (error instanceof ApiError) return refusedBy(error)
      throw error
    }
    if (own !== undefined) limiter.charge(kind, near, points)
    if (orders > 1) limiter.charge(kind, { ...near, ...own, address: near.address }, points * (orders - 1))
    return undefined
  }

  /** Refuses a message, and charges it unless waiting helps. */
  refuse(connection: Connection, id: ClientMessage['id'], refused: Refused): void {
    if (refused.retryAfterMs === undefined) this.spend(connection, ERROR_POINTS)
    connection.refuse(id, refused)
  }
}

/** Returns an error of the API as clients of sockets read it. */
export function refusedBy({ code, message, reason, headers }: ApiError): Refused {
  const seconds = headers['Retry-After'] ?? refusalHeaders(code)['Retry-After']
  return { code, message, reason, ...(seconds !== undefined && { retryAfterMs: 1000 * Number(seconds) }) }
}

function clientOf({ caller, address }: Connection): Client {
  if (isOperator(caller)) return { user: undefined, credential: undefined, address: undefined }
  return { user: caller.userId, credential: caller.credential, address: networkKey(address) }
}
