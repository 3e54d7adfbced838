import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/**
 * Returns a header of the request by its name in lower case. Node's own server has all of them in an object
 * already; asking Hono for one makes a `Headers` of all, which takes several microseconds.
 */
export function headerOf(c: Context, name: string): string | undefined {
  const { incoming } = (c.env ?? {}) as { readonly incoming?: Partial<IncomingMessage> }
  if (incoming?.headers === undefined) return c.req.header(name)
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
