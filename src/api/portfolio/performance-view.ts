import type { Performance } from '../../core/records/performance-record.js'
import { amountToRupees, NOTHING } from '../../core/units.js'
import type { PerformanceAnswer } from './performance-answer.js'

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns how a portfolio did, as its user sees it: INR, exact. */
export function performanceView(performance: Performance): PerformanceAnswer {
  const { from, to, isComplete, lines, totals, points } = performance
  return {
    from: iso(from),
    to: iso(to),
    complete: isComplete,
    lines,
    totals: totalsView(totals),
    points: points.map(({ at, cash, contracts, paidIn }) => ({
      ts: iso(at),
      cash: amountToRupees(cash),
      positions_value: amountToRupees(contracts),
      paid_in: amountToRupees(paidIn),
    })),
  }
}

function totalsView(totals: Performance['totals']): PerformanceAnswer['totals'] {
  const sum = (kind: keyof PerformanceAnswer['totals']) => amountToRupees(totals[kind] ?? NOTHING)
  return {
    opening: sum('opening'),
    deposit: sum('deposit'),
    withdrawal: sum('withdrawal'),
    trade: sum('trade'),
    merge: sum('merge'),
    conversion: sum('conversion'),
    settlement: sum('settlement'),
    void: sum('void'),
    shortfall: sum('shortfall'),
    brought_forward: sum('brought_forward'),
  }
}
