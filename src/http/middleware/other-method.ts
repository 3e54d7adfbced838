import type { Context, Hono } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { failure } from './envelope.js'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/**
 * Answers a request that no route took: 404 for a path that is not known, 405 with `Allow` for another method
 * than the path has, and `OPTIONS` with what it has.
 */
export function otherMethod(app: Hono): (c: Context) => Response {
  return c => {
    const { method, path } = c.req
    const known = METHODS.filter(name => hasRoute(app, name, path))
    const isKnown = known.some(name => name === (method === 'HEAD' ? 'GET' : method))
    if (known.length === 0 || isKnown) return failure(c, new ApiError(404, 'Route not found'))
    const allow = known.flatMap(name => (name === 'GET' ? [name, 'HEAD'] : [name]))
    const headers = { Allow: [...allow, 'OPTIONS'].join(', ') }
    if (method === 'OPTIONS') return c.body(null, 204, headers)
    const message = `This path does not take ${method.slice(0, 20)}: use ${known.join(', ')}`
    return failure(c, new ApiError(405, message, 'method_not_allowed', headers))
  }
}

/** Whether a path has a handler of its own for a method, not only those that stand before every route. */
function hasRoute(app: Hono, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path)
  return handlers.some(([[, route]]) => route.method === method)
}
