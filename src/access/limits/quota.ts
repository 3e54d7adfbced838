import type { LimitKind } from '../../api/rate-limits.js'

/** One limit, and how much of it a client has left. */
export interface Quota {
  readonly kind: LimitKind
  readonly limit: number
  readonly windowSeconds: number
  /** Points left; negative for a debt. */
  readonly level: number
}

/**
 * Returns the two headers of draft-ietf-httpapi-ratelimit-headers: the limit, and what is left of it.
 *
 * @param seconds until there is more: by default until all of it is available again
 */
export function quotaHeaders(
  { kind, limit, windowSeconds, level }: Quota,
  seconds = Math.ceil((1 - level / limit) * windowSeconds),
): Readonly<Record<string, string>> {
  return {
    'RateLimit-Policy': `"${kind}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${kind}";r=${Math.max(0, Math.floor(level))};t=${seconds}`,
  }
}
