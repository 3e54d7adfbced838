const S = 1000
const MIN = 60 * S
const H = 60 * MIN

/** How long each attempt waits after the one before it failed. */
const WAITS = [0, 5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]
/** The part of a wait by which it is shortened or lengthened at most. */
const SPREAD = 0.2
/** A receiver may ask for a later attempt, but not for one that never comes. */
const ASKED_MAX = 24 * H
const WAIT_MAX = 24 * H * (1 + SPREAD)

/**
 * Returns the milliseconds until the next attempt after some have failed; undefined after the last.
 * @param random from 0 to 1
 * @param asked milliseconds that the receiver asked for in Retry-After
 */
export function waitAfter(failures: number, random: number, asked = 0): number | undefined {
  const wait = WAITS[failures]
  if (wait === undefined) return undefined
  const spread = wait * (1 + SPREAD * (2 * random - 1))
  return Math.round(Math.max(spread, Math.min(asked, ASKED_MAX)))
}

/** Returns what a header Retry-After asks for in milliseconds; undefined if it is no such header. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * S
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Returns true for a wait that is not over. One longer than any is that of a clock that was set back. */
export function isEarly(waitMs: number): boolean {
  return waitMs > 0 && waitMs <= WAIT_MAX
}
