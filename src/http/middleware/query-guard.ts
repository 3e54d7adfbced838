import type { Hono, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { ApiError } from '../../api/api-error.js'
import { nearestOf } from '../../api/did-you-mean.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { knownQueries } from './known-queries.js'

const SHOWN_LENGTH_MAX = 40
/** Prefix under which all routes of the bare address are repeated. */
export const VERSION_PATH = '/api/v1'

/**
 * Refuses query parameters that a route does not know, since ignoring one would answer a different question.
 * Parameters that are not UTF-8 are refused with 400. On an operator's route a stranger is refused as such
 * first.
 *
 * @param routes the routes of the JSON API
 * @param freePaths where any query may stand
 */
export function queryGuard(
  routes: Hono['routes'],
  freePaths: readonly string[],
  operatorGuards: readonly MiddlewareHandler[],
): MiddlewareHandler {
  const strict = new Set(routes.filter(({ path }) => !freePaths.includes(path)).map(nameOf))
  return async (c, next) => {
    if (!isUtf8(c.req.url)) throw new ApiError(400, REFUSED.addressNotUtf8, 'not_utf8')
    if (!c.req.url.includes('?')) return next()
    const matched = matchedRoutes(c).filter(({ method }) => method !== 'ALL')
    const name = matched[0] === undefined ? '' : nameOf(matched[0])
    const message = strict.has(name) ? faultIn(c.req.url, name) : undefined
    if (message === undefined) return next()
    for (const guard of operatorGuards) {
      if (matched.some(({ handler }) => handler === guard)) await guard(c, async () => {})
    }
    throw new ApiError(422, message, 'parameter_unknown')
  }
}

/** Returns whether an address may hold anything that the guard refuses. */
export function mayNeedGuard(url: string): boolean {
  return url.includes('?') || url.includes('%')
}

/** Tells whether percent-encoded text decodes as UTF-8; a stray percent sign is left as it is. */
function isUtf8(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

/** Returns a route's name such as `GET /order`, also for its copy below `/api/v1`. */
function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.startsWith(`${VERSION_PATH}/`) ? path.slice(VERSION_PATH.length) : path}`
}

/** Returns what is wrong with the first parameter that the route does not know. */
function faultIn(url: string, route: string): string | undefined {
  const known = Object.keys(knownQueries[route]?.shape ?? {})
  const unknown = [...new URL(url).searchParams.keys()].find(name => !known.includes(name))
  if (unknown === undefined) return undefined
  const shown = unknown.slice(0, SHOWN_LENGTH_MAX)
  if (known.length === 0) return `${shown}: Unknown parameter, this route takes none`
  const nearest = nearestOf(shown, known)
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `${shown}: Unknown parameter, known are ${known.join(', ')}${meant}`
}
