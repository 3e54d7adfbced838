import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'hono'
import type { Quota } from '../../access/limits/quota.js'
import type { Match } from './route-table.js'
import type { Identity } from '../../access/identity.js'
import { ANONYMOUS } from '../../access/identity.js'

/** A request whose route the server has found already. */
export interface MatchedRequest extends IncomingMessage {
  match?: Match
}

/** A response that shows this quota in its headers. */
export interface LimitedResponse extends ServerResponse {
  quota?: Quota
}

/** Kept beside a request by the adapter and the server; without a socket almost nothing. */
export interface RequestEnvironment extends CallerEnvironment {
  readonly incoming?: Partial<Omit<MatchedRequest, 'socket'>> & { readonly socket?: Socket }
  readonly outgoing?: LimitedResponse
  /** The client's address behind trusted proxies. */
  address?: string
}

/** Returns what is kept beside a request. */
export function environmentOf(c: Context): RequestEnvironment {
  c.env ??= {}
  return c.env as RequestEnvironment
}

/** Kept beside a request, for HTTP and for upgrades to WebSocket. */
interface CallerEnvironment {
  caller?: Identity
}

/** Returns who sent a request; anonymous if it was not identified. */
export function callerIn(environment: unknown): Identity {
  return (environment as CallerEnvironment | undefined)?.caller ?? ANONYMOUS
}
