import type { Performance, PerformancePoint } from '../../../client/shapes.js'

const exact = (rupees: number) => Math.round(rupees * 10_000) / 10_000

/** Returns what a portfolio was worth: cash, held or not, and contracts at the last price. */
export function worthOf({ cash, positions_value }: PerformancePoint): number {
  return exact(cash + positions_value)
}

/** Returns the profit or loss from the first point to each; deposits and withdrawals are neither. */
export function gainsOf({ points }: Pick<Performance, 'points'>): number[] {
  const [first] = points
  if (first === undefined) return []
  return points.map(point => exact(worthOf(point) - point.paid_in - worthOf(first) + first.paid_in))
}

/**
 * Returns what a portfolio is worth now by the first of its courses that is known; undefined before that,
 * unless it is cash alone.
 */
export function worthNow(
  courses: readonly (Pick<Performance, 'points'> | undefined)[],
  cash: number | undefined,
  positions: readonly unknown[] | undefined,
): number | undefined {
  const last = courses.find(course => course !== undefined)?.points.at(-1)
  if (last !== undefined) return worthOf(last)
  return positions?.length === 0 ? cash : undefined
}
