import type { z } from 'zod'
import type { ErrorCode } from './errors.js'
import { LIMITS } from './limits.js'
import type { LimitKind } from './rate-limits.js'
import { REFUSED } from './refusal-texts.js'

export type Group =
  | 'Events'
  | 'Orders'
  | 'Portfolio'
  | 'People'
  | 'Accounts'
  | 'Operator'
  | 'Webhooks'
  | 'Service'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One answer other than a refusal. */
export interface RouteAnswer {
  readonly code: 101 | 200 | 201
  /** The envelope's message; a pattern if it varies. Absent if there is no envelope. */
  readonly message?: string | RegExp
  /** The content of `additional`; absent if there is no such field. */
  readonly additional?: z.ZodType
  /** By the name of the example. */
  readonly samples?: Readonly<Record<string, Sample>>
  /** Headers of the answer and their meaning. */
  readonly headers?: Readonly<Record<string, AnswerHeader>>
  /** An answer without an envelope: its media type, schema and example. */
  readonly content?: { readonly type: string; readonly schema: z.ZodType; readonly sample: unknown }
  readonly description?: string
}

export interface AnswerHeader {
  readonly description: string
  /** Set if the header may be missing. */
  readonly isOptional?: true
}

interface Sample {
  readonly additional?: unknown
  /** The message of this example, if the message varies. */
  readonly message?: string
}

/**
 * The callers of a route; operators with the right are always among them.
 *
 * - `public`: everybody, in every mode; credentials are not looked at.
 * - `visit`: everybody, but credentials that are sent must be valid. So are unknown addresses.
 * - `markets`: readers of market data: everybody, or members where reading is not public.
 * - `read`, `trade`: callers with this scope, for themselves; the handler checks the user.
 * - `create`: those who may create events.
 * - `identity`: everybody, identified in every mode, even `open`.
 * - `session`: people who are signed in.
 * - `own`: the owners of credentials, and admins; the handler checks which.
 * - `admin`: admins, not by API keys.
 * - `operator:…`: operators with a scope, or with the operator's key itself.
 */
export type Needs =
  | 'public'
  | 'visit'
  | 'markets'
  | 'read'
  | 'trade'
  | 'create'
  | 'identity'
  | 'session'
  | 'own'
  | 'admin'
  | 'operator:read'
  | 'operator:money'
  | 'operator:operate'
  | 'operator:key'

/** Counted before a request is handled. */
export interface Cost {
  readonly kind: LimitKind
  readonly points: number
  /** Set if the answer takes time of the reader of histories, which is charged afterwards. */
  readonly history?: true
}

/** The facts of a route by which its requests are served. */
export interface RouteFacts<Path extends string = string> {
  readonly method: Method
  /** Parts are fixed, `:name`, or `:name{pattern}`. */
  readonly path: Path
  readonly needs: Needs
  /** The charge of the limits; by default 1 read for reading, 10 reads for a change. */
  readonly cost?: Cost | 'free'
  /** Its parameters; every other is refused. */
  readonly query?: z.ZodObject
  /** Set if it ignores unknown query parameters; others refuse them. */
  readonly takesAnyQuery?: true
  /** Set if it is served at the bare address only, not below `/api/v1`. */
  readonly isAtRootOnly?: true
  /** Set if it adds orders, so that it is refused before its body is read while too many wait. */
  readonly placesOrders?: true
  /** The parameter that makes it a search: it costs more, and an address may run only a few at once. */
  readonly searches?: string
  /** Set if it accepts WebSockets. */
  readonly upgrades?: true
  /** Set if monitors ask it: it answers under any `Host`, and does not wait behind other requests. */
  readonly isProbe?: true
  /** Set if it tells of the process that answers, whether that leads or follows another one. */
  readonly isOfProcess?: true
  /** Set if it is the page for people at its address, where programs may find something else. */
  readonly isPage?: true
  /** Set if pages of other sites may show what it gives. */
  readonly isShared?: true
  /** Set if no cache may keep what it answers to anyone, such as a session. */
  readonly isPrivate?: true
  /**
   * Set if it takes rights away: where the exchange is replicated, the answer waits until the log has that,
   * so that no take-over gives them back.
   */
  readonly revokes?: true
  /** Set if it exists in `accounts` mode only. */
  readonly needsAccounts?: true
}

/**
 * One route of the API, declared once; `http` binds its handler to it. Limits, guards, known queries, caching
 * and the document derive from it. The schemas are those that validate requests and type the views.
 */
export interface Route<Path extends string = string, Body extends z.ZodType = z.ZodType>
  extends RouteFacts<Path> {
  readonly id: string
  readonly group: Group
  readonly summary: string
  readonly description?: string
  /** Example values of the query. */
  readonly querySample?: Readonly<Record<string, string | number>>
  readonly headers?: z.ZodObject
  readonly headersSample?: Readonly<Record<string, string>>
  readonly body?: { readonly schema: Body; readonly samples: Readonly<Record<string, unknown>> }
  readonly answers: readonly RouteAnswer[]
  /** Refusals by code, beside those that any request may receive; messages as clients read them. */
  readonly refusals: Partial<Record<ErrorCode, readonly string[]>>
  /** Set if it looks something up on disk, and is refused while too many do. */
  readonly looksUp?: true
}

/** Declares a route, and keeps the types of its path and its body for the handler. */
export function route<const Path extends string, Body extends z.ZodType = z.ZodType>(
  declared: Route<Path, Body>,
): Route<Path, Body> {
  return declared
}

const OF_EVERYBODY: ReadonlySet<Needs> = new Set(['public', 'visit', 'markets', 'create'])

/** Returns whether the answers are about users or for operators: no cache may keep them. */
export function isPrivate({ needs, isPrivate }: RouteFacts): boolean {
  return isPrivate === true || !OF_EVERYBODY.has(needs)
}

const OF_STANDBYS: ReadonlySet<Needs> = new Set(['public', 'visit', 'identity', 'markets'])

/**
 * Returns whether exchanges that follow another one answer it as well: reads of what is public, and all of
 * the process itself. All that changes something, or tells of a user, is for the exchange that leads.
 */
export function isForStandbys({
  method,
  needs,
  isOfProcess,
}: Pick<RouteFacts, 'method' | 'needs' | 'isOfProcess'>): boolean {
  return isOfProcess === true || (method === 'GET' && OF_STANDBYS.has(needs))
}

/** An example of `from` and `to`, and the refusal if they are wrong. */
export const RANGE = {
  sample: { from: '2026-02-01T00:00:00.000Z', to: '4102444800000' },
  faults: [
    'from: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds',
    'to: Expected a time after from',
  ],
}

/** The refusals of every list. */
export const PAGE_FAULTS = [`limit: Expected 1 to ${LIMITS.pageLengthMax}`, REFUSED.cursorUnknown]
