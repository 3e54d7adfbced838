import { nowMs } from '../kit/browser-clock.js'

/** How far the exchange's clock is ahead of the browser's, in ms; undefined before its first answer. */
let aheadMs: number | undefined

/**
 * Learns the time of the exchange from the `Date` of an answer. The latest counts: the browser keeps some
 * answers, which carry the time when they were made.
 */
export function learnTime(date: string | null): void {
  const ahead = Date.parse(date ?? '') - nowMs()
  if (!Number.isNaN(ahead)) aheadMs = Math.max(ahead, aheadMs ?? ahead)
}

/** Returns the time of the exchange, in ms since 1970, to about a second; undefined while it is unknown. */
export function exchangeMs(): number | undefined {
  return aheadMs === undefined ? undefined : nowMs() + aheadMs
}
