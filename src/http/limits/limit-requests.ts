import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context, Hono } from 'hono'
import type { Access } from '../../access/access.js'
import type { CallerEnvironment } from '../../access/caller-environment.js'
import { callerIn } from '../../access/caller-environment.js'
import type { ClientAddresses } from '../../access/limits/client-address.js'
import type { Client, Limiter } from '../../access/limits/limiter.js'
import { SEARCHES_MAX } from '../../access/limits/limiter.js'
import { networkKey } from '../../access/limits/network-key.js'
import type { Quota } from '../../access/limits/quota.js'
import { isOperator } from '../../access/rights.js'
import { ApiError } from '../../api/api-error.js'
import { refusalResponse } from '../middleware/error-refusal.js'
import type { RequestCost } from './request-cost.js'
import { costOf } from './request-cost.js'

/** A response that shows this quota in its headers. */
export interface LimitedResponse extends ServerResponse {
  quota?: Quota
}

/** Kept beside a request: by the adapter, and here who is charged for it. */
interface Environment extends CallerEnvironment {
  readonly incoming?: Pick<IncomingMessage, 'headers' | 'socket'>
  readonly outgoing?: LimitedResponse
  /** The client's address, behind trusted proxies. */
  address?: string
  limiter?: Limiter
  client?: Client
  /** True once the request has been counted, or refused by the buckets of its caller. */
  isCounted?: boolean
}

export interface RequestLimits {
  /** Finds clients behind proxies. */
  readonly addresses: ClientAddresses
  /** Undefined while nothing is limited. */
  readonly limiter: Limiter | undefined
}

/** A history read is charged its time; one that waits for others, no more than this. */
const HISTORY_MS_MAX = 100

/** The bytes of a connection that have been charged. */
const charged = new WeakMap<Socket, number>()

/**
 * Limits requests. While their address owes, they are refused before their credentials are looked at. Then
 * they are counted by user, credential and address together: one that is refused takes nothing from the
 * address, which others share. Holders of the operator's key are not limited.
 */
export function limitRequests(
  identify: (app: Hono) => Hono,
  app: Hono,
  access: Access,
  limits: RequestLimits,
): Hono {
  const { addresses } = limits
  const identified = identify(limitCallers(app, limits))
  const { fetch } = identified
  identified.fetch = (request, env, context) => {
    const environment = (env ?? {}) as Environment
    const { incoming } = environment
    const forwardedFor = incoming?.headers['x-forwarded-for']
    const peer = incoming?.socket.remoteAddress ?? ''
    environment.address = addresses.of(peer, Array.isArray(forwardedFor) ? undefined : forwardedFor)
    const pass = () => fetch(request, environment, context)
    const { limiter } = limits
    const cost = limiter && costOf(request.method, request.url)
    if (limiter === undefined || cost === undefined) return pass()
    if (access.isOperators(incoming?.headers.authorization)) return pass()
    return limited(limiter, cost, environment, pass)
  }
  return identified
}

/** Charges a batch for its orders or cancels. Throws 429 above the limit of either. */
export function chargeBatch(c: Context, kind: 'orders' | 'cancels', count: number): void {
  const environment = (c.env ?? {}) as Environment
  const { limiter, client } = environment
  if (limiter === undefined || client === undefined) return
  if (kind === 'orders') {
    showQuota(environment, limiter.take(kind, client, 1))
    limiter.charge(kind, client, count - 1)
  } else if (count > 1) {
    // The request has been counted as one cancel already.
    showQuota(environment, limiter.take(kind, client, count - 1))
  }
}

type Answer = Response | Promise<Response>

function limited(limiter: Limiter, cost: RequestCost, environment: Environment, pass: () => Answer): Answer {
  const address = networkKey(environment.address ?? '')
  const client: Client = { user: undefined, credential: undefined, address }
  let end: (() => void) | undefined
  try {
    take(limiter, { ...cost, points: 0 }, client)
    if (cost.isSearch) end = beginSearch(limiter, address)
  } catch (error) {
    return refusalResponse(error)
  }
  environment.limiter = limiter
  environment.client = client
  chargeBytes(limiter, environment)
  const startedAt = limiter.watch()
  const answer = pass()
  const count = () => {
    if (environment.isCounted !== true) limiter.charge(cost.kind, client, cost.points)
  }
  // Most are counted by now: only a request whose caller is refused, or still unknown, is not.
  if (answer instanceof Promise && environment.isCounted !== true) void answer.then(count, count)
  else count()
  if (!cost.readsHistory) return answer
  const charge = () => {
    const tookMs = Math.min(HISTORY_MS_MAX, limiter.watch() - startedAt)
    limiter.charge('history', environment.client ?? client, tookMs)
    end?.()
  }
  void Promise.resolve(answer).then(charge, charge)
  return answer
}

/** Returns what ends the search. Throws 429 while the address has the maximum running. */
function beginSearch({ searches }: Limiter, address: string): () => void {
  const end = searches.begin(address)
  if (end !== undefined) return end
  const message = `An address may run ${SEARCHES_MAX} searches at once: try again in 1 s`
  throw new ApiError(429, message, 'too_many_requests', { 'Retry-After': '1' })
}

function limitCallers(app: Hono, limits: RequestLimits): Hono {
  const { fetch } = app
  app.fetch = (request, env, context) => {
    const { limiter } = limits
    if (limiter === undefined) return fetch(request, env, context)
    const environment = (env ?? {}) as Environment
    const caller = callerIn(environment)
    const cost = environment.client === undefined ? undefined : costOf(request.method, request.url)
    if (cost === undefined || environment.client === undefined) return fetch(request, environment, context)
    const near = environment.client
    const isNamed = caller.userId !== undefined && !isOperator(caller)
    const own = { user: caller.userId, credential: caller.credential, address: undefined }
    environment.isCounted = true
    try {
      showQuota(environment, take(limiter, cost, isNamed ? own : near))
    } catch (error) {
      return refusalResponse(error)
    }

    // After this point the request is not refused: only now does it count for those who share the address.
    if (isNamed) limiter.charge(cost.kind, near, cost.points)
    environment.client = isNamed ? { ...own, address: near.address } : near
    return fetch(request, environment, context)
  }
  return app
}

/** Takes the cost, unless the client still owes for answers before. Throws 429. */
function take(limiter: Limiter, { kind, points, readsHistory }: RequestCost, client: Client) {
  if (kind === 'reads') limiter.take('bytes_out', client, 0)
  if (readsHistory) limiter.take('history', client, 0)
  return limiter.take(kind, client, points)
}

/** An upgrade has no response to write to. */
function showQuota({ outgoing }: Environment, quota: Quota | undefined): void {
  if (outgoing === undefined || quota === undefined) return
  outgoing.quota = quota
}

/** Charges the bytes of an answer once it is sent; those of pipelined answers once each. */
function chargeBytes(limiter: Limiter, environment: Environment): void {
  const { incoming, outgoing } = environment
  if (incoming === undefined || outgoing === undefined) return
  outgoing.once('close', () => {
    const { socket } = incoming
    const bytes = socket.bytesWritten
    if (environment.client !== undefined) {
      limiter.charge('bytes_out', environment.client, bytes - (charged.get(socket) ?? 0))
    }
    charged.set(socket, bytes)
  })
}
