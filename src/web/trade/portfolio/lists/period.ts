import { daysBefore, financialYearBegin, financialYearOf } from '../../../kit/zone-days.js'

/** The periods that a list can be limited to. */
export const PERIODS = ['all', 'week', 'month', 'year'] as const

export type Period = (typeof PERIODS)[number]

/** Returns when a period begins; undefined for all time. */
export function beginOfPeriod(period: Period, now: number): number | undefined {
  if (period === 'all') return undefined
  if (period === 'year') return financialYearBegin(financialYearOf(now))
  return daysBefore(now, period === 'week' ? 7 : 30)
}
