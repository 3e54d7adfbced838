import { PICTURE_PATHS } from '../../http/middleware/public-paths.js'

const YEAR_SECONDS = 31_536_000

/** Paths about users or for operators: no cache may keep their answers. */
const PRIVATE_PATH = new RegExp(
  String.raw`^(?:/api/v1)?/(?:(?:order|portfolio|auth|admin|ledger|metrics|comments)(?:[/?]|$)|` +
    String.raw`events/[^/?]*/settlement(?:\?|$))`,
)

/** Icons, pictures, feeds and the card of an event, which pages of other sites may show. */
const SHARED_PATH = new RegExp(String.raw`^/(?:${PICTURE_PATHS}|feed\.xml|share/[^?]*|embed/\d+)(?:\?|$)`)

const COMMON = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Referrer-Policy', 'same-origin'],
] as const
const UNDER_TLS = [...COMMON, 'Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] as const
const RESOURCE_POLICY = 'Cross-Origin-Resource-Policy'

/** Returns the headers of every answer, as names and values in turn: for this site alone, or for all. */
export function securityHeaders(isTls: boolean, readers: 'same-origin' | 'cross-origin' = 'same-origin') {
  return [...(isTls ? UNDER_TLS : COMMON), RESOURCE_POLICY, readers] as const
}

/** Tells whether pages of other sites may show what a path gives. */
export function isSharedPath(url: string): boolean {
  return SHARED_PATH.test(url)
}

/** Tells whether the answers at a path are about users or for operators. */
export function isPrivatePath(url: string): boolean {
  return PRIVATE_PATH.test(url)
}
