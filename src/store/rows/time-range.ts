import type { TimeMs } from '../../core/units.js'

/** From a moment on and before another; without an end where one is undefined. */
export interface TimeRange {
  readonly from?: TimeMs | undefined
  readonly to?: TimeMs | undefined
}

/** How many of a user's rows are looked through for one page; what is behind them is left to the next. */
export const SEARCH_LENGTH_MAX = 10_000

/** The bounds of a range as SQL compares with them. */
export function boundsOf({ from, to }: TimeRange): { readonly from: number; readonly to: number } {
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER }
}
