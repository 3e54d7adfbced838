import type { Hono } from 'hono'

type Router = Hono['router']
type Match = ReturnType<Router['match']>

/** The most paths kept per method; beyond it all are forgotten. Longer paths are not kept. */
const PATHS_MAX = 1000
const PATH_LENGTH_MAX = 100

/**
 * Returns a router that keeps its matches: finding the route of a path takes up to two microseconds, and most
 * requests repeat a path. A match is never changed once it is made.
 */
export function keepMatches(router: Router): Router {
  const byMethod = new Map<string, Map<string, Match>>()
  return {
    name: router.name,
    add: (method, path, handler) => router.add(method, path, handler),
    match: (method, path) => {
      const known = byMethod.get(method)?.get(path)
      if (known !== undefined) return known
      const match = router.match(method, path)
      if (path.length > PATH_LENGTH_MAX) return match
      const kept = byMethod.get(method)
      if (kept === undefined || kept.size >= PATHS_MAX) byMethod.set(method, new Map([[path, match]]))
      else kept.set(path, match)
      return match
    },
  }
}
