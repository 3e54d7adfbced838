import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Access } from '../../access/access.js'
import type { Identity } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { RouteFacts } from '../../api/route.js'
import { unknownFault } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import { priceOf } from '../limits/cost-of.js'
import type { RequestCharge, RequestLimits } from '../limits/request-charge.js'
import { beginCharge } from '../limits/request-charge.js'
import { acceptsHtml } from '../middleware/accepted.js'
import { failure } from '../middleware/envelope.js'
import { headerOf } from '../middleware/header-of.js'
import { environmentOf } from './environment.js'
import type { Binding } from './handle.js'
import { waitForBatch, wantedBatchOf } from './min-sequence.js'
import { checkNeeds, identify, isForOperators, visitorOf } from './needs.js'
import { pathIn } from './path-in.js'
import type { Match, RouteTable } from './route-table.js'

export interface ServeOptions {
  readonly table: RouteTable
  readonly exchange: Pick<Exchange, 'applied' | 'leads'>
  readonly access: Access
  readonly limits: RequestLimits | undefined
  /** The log to which changes of accounts go; undefined without one. */
  readonly replicated?: Revocations | undefined
  /** Returns the page for people at an unknown address, if a browser asks for it. */
  readonly missing: ((c: Context) => Response | undefined) | undefined
}

/** Waits for a log on other machines. */
export interface Revocations {
  /**
   * Resolves to whether the log has every change of the accounts made so far, as soon as it has; undefined
   * if it has already.
   */
  revoked(): Promise<boolean> | undefined
}

type Answer = Response | Promise<Response>

/** Returns an app of Hono with one handler for all requests, which find their routes in the table. */
export function appServing(options: ServeOptions): Hono {
  const { missing } = options
  const route = { basePath: '/', path: '*', method: 'ALL', handler: serveWith(options) }
  const match = [[[[route.handler, route], {}]], []]
  const router = { name: 'RouteTable', add: () => {}, match: () => match }
  const app = new Hono({ router: router as unknown as Hono['router'] })
  return app.notFound(c => missing?.(c) ?? failure(c, new ApiError(404, 'Route not found')))
}

/** A request whose route has been found; its caller is not known yet. */
interface Arrival {
  readonly c: Context
  readonly match: Match
  readonly binding: Binding | undefined
  readonly charge: RequestCharge | undefined
  /** The changes of credentials until now. */
  readonly changes: number
}

/**
 * Returns what answers every request. Its route is found first; the charge of the limits, the caller, the
 * check of what the route needs and of its parameters follow from it, in this order, and then its handler.
 */
function serveWith(options: ServeOptions): (c: Context) => Answer {
  const { table, exchange, access, limits, replicated } = options
  return c => {
    const environment = environmentOf(c)
    const { method, url } = c.req
    const match = environment.incoming?.match ?? table.match(method, pathIn(url))
    const binding = bindingFor(c, match)
    const route = binding?.route
    const charge = limits && beginCharge(limits, access, environment, priceOf(route, method, url))
    const arrival = { c, match, binding, charge, changes: access.changes }
    let made: Answer
    try {
      const isKnown = exchange.leads || route?.isOfProcess === true
      const caller = isKnown ? identify(access, c, route) : visitorOf(access, route)
      made =
        caller instanceof Promise
          ? caller.then(found => answer(options, arrival, found))
          : answer(options, arrival, caller)
      if (route?.revokes && replicated !== undefined) made = afterRevoking(made, replicated)
    } catch (error) {
      charge?.end()
      throw error
    }
    if (charge?.needsEnd) {
      const end = () => charge.end()
      if (made instanceof Promise) void made.then(end, end)
      else end()
    }
    return made
  }
}

/**
 * Holds an answer back until the log has what was revoked. Rejects with 503 if that takes too long: it is
 * done all the same, and a cookie that was set is set with that, too.
 */
async function afterRevoking(made: Answer, replicated: Revocations): Promise<Response> {
  const answered = await made
  if ((await replicated.revoked()) === false) {
    const cookie = answered.headers.get('Set-Cookie')
    const headers = cookie === null ? {} : { 'Set-Cookie': cookie }
    throw new ApiError(503, REFUSED.notReplicated, 'not_replicated', headers)
  }
  return answered
}

/** Answers a request whose caller is known. Throws what the caller, or the request, is refused for. */
function answer({ access, exchange }: ServeOptions, arrival: Arrival, caller: Identity): Answer {
  const { c, match, binding, charge, changes } = arrival
  environmentOf(c).caller = caller
  charge?.count(caller)
  checkEncoding(c.req.url)
  // Hono answers for what gives no answer of its own.
  if (binding === undefined) return otherMethod(c, match) as Answer
  const { route, handler, checkOpen } = binding
  checkOpen?.()
  // A stranger on an operator's route learns nothing of its parameters.
  const isReserved = isForOperators(route)
  if (!isReserved) checkQuery(c.req.url, route)
  checkNeeds(access, caller, route)
  if (isReserved) checkQuery(c.req.url, route)
  const call = { c, route, params: match.params, caller, access, changes, charge }
  const wanted = wantedBatchOf(c, route)
  const waiting = wanted && waitForBatch(exchange, c, charge, wanted)
  return waiting === undefined ? (handler(call) as Answer) : waiting.then(() => handler(call) as Answer)
}

/** Returns the page of an address for those who accept HTML, else what programs find there. */
function bindingFor(c: Context, { page, binding }: Match): Binding | undefined {
  if (page === undefined) return binding
  if (acceptsHtml(headerOf(c, 'accept')) && headerOf(c, 'upgrade') === undefined) return page
  c.header('Vary', 'Accept')
  return binding
}

/** Answers a method that an address lacks with 405 and `Allow`, and `OPTIONS` with its methods. */
function otherMethod(c: Context, { methods, page }: Match): Response | undefined {
  const { method } = c.req
  if (methods.length === 0 || page !== undefined) return undefined
  const allow = methods.flatMap(name => (name === 'GET' ? [name, 'HEAD'] : [name]))
  const headers = { Allow: [...allow, 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return c.body(null, 204, headers)
  const message = `This path does not take ${method.slice(0, 20)}: use ${methods.join(', ')}`
  return failure(c, new ApiError(405, message, 'method_not_allowed', headers))
}

/** Throws 400 for an address that is not UTF-8. */
function checkEncoding(url: string): void {
  if (url.includes('%') && !isUtf8(url)) throw new ApiError(400, REFUSED.addressNotUtf8, 'not_utf8')
}

/**
 * Throws 422 for a parameter that the route does not know or that is there twice: ignoring one would answer a
 * different question.
 */
function checkQuery(url: string, { query, takesAnyQuery }: RouteFacts): void {
  if (!url.includes('?')) return
  const known = Object.keys(query?.shape ?? {})
  const names = [...new URL(url).searchParams.keys()]
  const again = known.find(name => names.indexOf(name) !== names.lastIndexOf(name))
  if (again !== undefined) throw new ApiError(422, `${again}: Expected one value, received several`)
  if (takesAnyQuery) return
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new ApiError(422, unknownFault('parameter', unknown, known), 'parameter_unknown')
}

/** Returns whether percent-encoded text decodes as UTF-8; a stray percent sign is left as it is. */
function isUtf8(url: string): boolean {
  try {
    decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}
