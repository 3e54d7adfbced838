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
