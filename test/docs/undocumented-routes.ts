import type { Hono } from 'hono'
import type { OpenApi } from '../fixtures/documented-api.js'

const EVERYWHERE = 'ALL'

/** Returns routes that only the app or only the document has; empty if they agree. */
export function undocumentedRoutes(app: Hono, document: OpenApi): string[] {
  const routes = new Set(
    app.routes
      .filter(({ method }) => method !== EVERYWHERE)
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
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
