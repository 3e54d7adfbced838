import type { TimeMs } from '../../core/units.js'

/** The range [from, to); an undefined end is open. */
export interface TimeRange {
  readonly from?: TimeMs | undefined
  readonly to?: TimeMs | undefined
}

/** The most rows of a user searched for one page; the next page continues there. */
export const SEARCH_LENGTH_MAX = 10_000

/** Returns the bounds of a range for SQL comparisons. */
export function boundsOf({ from, to }: TimeRange): { readonly from: number; readonly to: number } {
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER }
}
