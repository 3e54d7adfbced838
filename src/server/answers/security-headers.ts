const YEAR_SECONDS = 31_536_000

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
