import type { IncomingMessage } from 'node:http'

/** Headers that a listed page may send, beyond those that need no permission. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'X-Epoch',
  'X-Min-Sequence',
  'X-Request-Id',
]
/** Headers that a listed page may read. */
const EXPOSED = [
  ...['Location', 'Preference-Applied', 'Raay-Ignored', 'Raay-Reason', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'X-Epoch', 'X-Order-Id', 'X-Request-Id', 'X-Sequence'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const MAX_AGE_SECONDS = 600

const exposed = EXPOSED.join(', ')

/**
 * Returns the headers, as names and values in turn, by which a page of another origin may read an answer.
 * Credentials of the browser are never allowed: such a page sends a token.
 */
export function sharingHeaders(origin: string): string[] {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed]
}

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': METHODS.join(', '),
  'Access-Control-Allow-Headers': ALLOWED.join(', '),
  'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
} as const

/** Returns whether a browser asks what a page may send, before it sends it. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
