const YEAR_SECONDS = 31_536_000

/** Paths about users or for operators: no cache may keep their answers. */
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

/** Tells whether the answers at a path are about users or for operators. */
export function isPrivatePath(url: string): boolean {
  return PRIVATE_PATH.test(url)
}
