import { beginOf, dayOf, daysBefore } from '../../kit/zone-days.js'

/** The ranges that one can look at. */
export const RANGES = ['today', 'week', 'month', 'year', 'all'] as const

export type Range = (typeof RANGES)[number]

const DAYS = { week: 7, month: 30, year: 365 } as const
/** Returns when a range begins; undefined for all time. */
export function beginningOf(range: Range, now: number): number | undefined {
  if (range === 'all') return undefined
  return range === 'today' ? beginOf(dayOf(now)) : daysBefore(now, DAYS[range])
}
