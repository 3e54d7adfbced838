import type { Context, Hono } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { failure } from './envelope.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Answers a request that no route matched: 404 for an unknown path, 405 with `Allow` for a method that the
 * path lacks, and `OPTIONS` with its methods.
 *
 * @param missing the page for people at an unknown path, if there is one
 */
export function otherMethod(
  app: Hono,
  missing: (c: Context) => Response | undefined = () => undefined,
): (c: Context) => Response {
  return c => {
    const { method, path } = c.req
    const known = METHODS.filter(name => hasRoute(app, name, path))
    const isKnown = known.some(name => name === (method === 'HEAD' ? 'GET' : method))
    if (known.length === 0 || isKnown) return missing(c) ?? failure(c, new ApiError(404, 'Route not found'))
    const allow = known.flatMap(name => (name === 'GET' ? [name, 'HEAD'] : [name]))
    const headers = { Allow: [...allow, 'OPTIONS'].join(', ') }
    if (method === 'OPTIONS') return c.body(null, 204, headers)
    const message = `This path does not take ${method.slice(0, 20)}: use ${known.join(', ')}`
    return failure(c, new ApiError(405, message, 'method_not_allowed', headers))
  }
}

/** Tells whether a path has a handler of its own for a method, apart from those in front of every route. */
function hasRoute(app: Hono, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path)
  return handlers.some(([[, route]]) => route.method === method)
}
