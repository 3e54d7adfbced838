import type { RouteFacts } from '../../src/api/route.js'
import { pageRoutes } from '../../src/api/site/page-routes.js'
import type { OpenApi } from '../fixtures/documented-api.js'

/** Pages and their files are no part of the API. */
const FILES: ReadonlySet<RouteFacts> = new Set(Object.values(pageRoutes).flat())

/** Returns routes that only the app or only the document has; empty if they agree. */
export function undocumentedRoutes(
  table: { readonly bindings: readonly { readonly route: RouteFacts }[] },
  document: OpenApi,
): string[] {
  const routes = new Set(
    table.bindings
      .map(({ route }) => route)
      .filter(route => !FILES.has(route))
      .flatMap(({ method, path, isAtRootOnly }) =>
        (isAtRootOnly ? [''] : ['', '/api/v1']).map(base => `${method} ${base}${path}`),
      )
      .map(name => name.replace(/:(\w+)/g, '{$1}')),
  )
  const documented = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { servers = document.servers }]) =>
        servers.map(({ url }) => `${method.toUpperCase()} ${join(url, path)}`),
      ),
    ),
  )
  return [
    ...[...routes].filter(route => !documented.has(route)).map(route => `${route} is in no document`),
    ...[...documented].filter(route => !routes.has(route)).map(route => `${route} is no route`),
  ]
}

/** `/api/v1` and `/events` make `/api/v1/events`; Hono writes a list at its own path without a slash. */
function join(base: string, path: string): string {
  return base === '/' ? path : base + path
}
