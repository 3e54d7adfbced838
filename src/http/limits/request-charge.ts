import type { Socket } from 'node:net'
import type { Access } from '../../access/access.js'
import type { Identity } from '../../access/identity.js'
import type { ClientAddresses } from '../../access/limits/client-address.js'
import type { Client, Limiter } from '../../access/limits/limiter.js'
import { SEARCHES_MAX, WAITS_MAX } from '../../access/limits/limiter.js'
import { networkKey } from '../../access/limits/network-key.js'
import type { Quota } from '../../access/limits/quota.js'
import { ownKeysOf } from '../../access/limits/own-keys.js'
import { ApiError } from '../../api/api-error.js'
import type { Cost } from '../../api/route.js'
import type { Price } from './cost-of.js'
import type { LimitedResponse, RequestEnvironment } from '../routing/environment.js'
import type { BatchCharge } from '../routing/handle.js'

export interface RequestLimits {
  /** Finds clients behind proxies. */
  readonly addresses: ClientAddresses
  /** Undefined while nothing is limited. */
  readonly limiter: Limiter | undefined
}

/** A history read is charged its time; one that waits for others, no more than this. */
const HISTORY_MS_MAX = 100

const SEARCHES = `${SEARCHES_MAX} searches`
const WAITS = `${WAITS_MAX} reads that wait for X-Min-Sequence`

/** The bytes of a connection that have been charged. */
const charged = new WeakMap<Socket, number>()

/**
 * Begins to charge a request, and notes its address. While its address owes, it is refused before its
 * credentials are looked at. Returns undefined if it is free: holders of the operator's key are not limited.
 * Throws 429.
 */
export function beginCharge(
  { addresses, limiter }: RequestLimits,
  access: Access,
  environment: RequestEnvironment,
  price: Price | undefined,
): RequestCharge | undefined {
  const { incoming } = environment
  const forwardedFor = incoming?.headers?.['x-forwarded-for']
  const peer = incoming?.socket?.remoteAddress ?? ''
  environment.address = addresses.of(peer, Array.isArray(forwardedFor) ? undefined : forwardedFor)
  if (limiter === undefined || price === undefined) return undefined
  if (access.isOperators(incoming?.headers?.authorization)) return undefined
  return new RequestCharge(limiter, environment, price)
}

/**
 * The charge of one request. It is counted by user, credential and address together: one that is refused for
 * its caller takes nothing from the address, which others share.
 */
export class RequestCharge implements BatchCharge {
  readonly #limiter: Limiter
  readonly #cost: Cost
  readonly #outgoing: LimitedResponse | undefined
  readonly #near: Client
  readonly #startedAt: number
  readonly #endSearch: (() => void) | undefined
  #client: Client
  /** True once the request has been counted, or refused by the buckets of its caller. */
  #isCounted = false

  constructor(limiter: Limiter, environment: RequestEnvironment, { cost, isSearch }: Price) {
    const address = networkKey(environment.address ?? '')
    this.#limiter = limiter
    this.#cost = cost
    this.#outgoing = environment.outgoing
    this.#near = { user: undefined, credential: undefined, address }
    this.#client = this.#near
    this.#take(this.#near, 0)
    this.#endSearch = isSearch ? begun(limiter.searches.begin(address), SEARCHES) : undefined

    // After this point the request is not refused for its address.
    this.#startedAt = limiter.watch()
    this.#chargeBytes(environment.incoming?.socket)
  }

  /** Counts the request for its caller, or for its address if the caller is not named. Throws 429. */
  count(caller: Identity): void {
    const own = ownKeysOf(caller)
    this.#isCounted = true
    this.#show(this.#take(own ?? this.#near, this.#cost.points))
    if (own === undefined) return

    // After this point the request is not refused: only now does it count for those who share the address.
    this.#limiter.charge(this.#cost.kind, this.#near, this.#cost.points)
    this.#client = { ...own, address: this.#near.address }
  }

  countBatch(kind: 'orders' | 'cancels', count: number): void {
    if (kind === 'orders') {
      this.#show(this.#limiter.take(kind, this.#client, 1))
      this.#limiter.charge(kind, this.#client, count - 1)
    } else if (count > 1) {
      // The request has been counted as one cancel already.
      this.#show(this.#limiter.take(kind, this.#client, count - 1))
    }
  }

  countAs(requests: number): void {
    const { kind, points } = this.#cost
    // The request has been counted once. One that costs more than a full bucket must be possible, too.
    const owed = points * (requests - 1)
    this.#show(this.#limiter.take(kind, this.#client, Math.min(owed, 1)))
    this.#limiter.charge(kind, this.#client, Math.max(0, owed - 1))
  }

  /** Begins to wait for a batch; returns what ends the wait. Throws 429 if its address has too many. */
  beginWait(): () => void {
    return begun(this.#limiter.waits.begin(this.#near.address ?? ''), WAITS)
  }

  /** True if the end of the answer matters. */
  get needsEnd(): boolean {
    return !this.#isCounted || this.#cost.history === true
  }

  /** Counts what is known only now: a request whose caller was refused, and the time of a history. */
  end(): void {
    const { kind, points, history } = this.#cost
    if (!this.#isCounted) this.#limiter.charge(kind, this.#near, points)
    if (history === undefined) return
    const tookMs = Math.min(HISTORY_MS_MAX, this.#limiter.watch() - this.#startedAt)
    this.#limiter.charge('history', this.#client, tookMs)
    this.#endSearch?.()
  }

  /** Takes points of a client, unless it still owes for answers before. Throws 429. */
  #take(client: Client, points: number): Quota | undefined {
    const { kind, history } = this.#cost
    if (kind === 'reads') this.#limiter.take('bytes_out', client, 0)
    if (history) this.#limiter.take('history', client, 0)
    return this.#limiter.take(kind, client, points)
  }

  /** An upgrade has no response to write to. */
  #show(quota: Quota | undefined): void {
    if (this.#outgoing !== undefined && quota !== undefined) this.#outgoing.quota = quota
  }

  /** Charges the bytes of the answer once it is sent; those of pipelined answers once each. */
  #chargeBytes(socket: Socket | undefined): void {
    if (socket === undefined) return
    this.#outgoing?.once('close', () => {
      const bytes = socket.bytesWritten
      this.#limiter.charge('bytes_out', this.#client, bytes - (charged.get(socket) ?? 0))
      charged.set(socket, bytes)
    })
  }
}

/** Returns what ends it. Throws 429 if it has not begun, because the address has the maximum running. */
function begun(end: (() => void) | undefined, what: string): () => void {
  if (end !== undefined) return end
  const message = `An address may run ${what} at once: try again in 1 s`
  throw new ApiError(429, message, 'too_many_requests', { 'Retry-After': '1' })
}
