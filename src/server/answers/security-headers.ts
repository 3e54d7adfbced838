const YEAR_SECONDS = 31_536_000

/** What belongs to users or operators: no cache may keep it. */
const PRIVATE_PATH = /^(?:\/api\/v1)?\/(?:order|portfolio|auth|admin|ledger|metrics)(?:[/?]|$)/

const COMMON = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Referrer-Policy', 'same-origin'],
] as const
const UNDER_TLS = [...COMMON, 'Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] as const

/** Returns the headers of every answer, as names and values in turn. */
export function securityHeaders(isTls: boolean): readonly string[] {
  return isTls ? UNDER_TLS : COMMON
}

/** Tells whether the answer at a path is nobody else's business. */
export function isPrivatePath(url: string): boolean {
  return PRIVATE_PATH.test(url)
}
