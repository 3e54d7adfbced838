import type { Performance } from '../../../../client/shapes.js'
import { financialYearBegin, financialYearOf } from '../../../kit/zone-days.js'

/** Years that can be chosen. */
const YEARS = 5

/** A line of a statement: the totals that it sums up. */
const STATEMENT_LINES = {
  bonus: ['opening', 'brought_forward'],
  deposits: ['deposit'],
  withdrawals: ['withdrawal'],
  trades: ['trade'],
  pairs: ['merge', 'conversion'],
  settlements: ['settlement'],
  refunds: ['void', 'shortfall'],
} as const satisfies Record<string, readonly (keyof Performance['totals'])[]>

export type StatementLine = keyof typeof STATEMENT_LINES

/** A year’s cash, exact: the opening balance and all lines make the closing balance. */
export interface Statement {
  readonly opening: number
  readonly lines: readonly (readonly [StatementLine, number])[]
  readonly closing: number
  /** Contracts at market at the end. */
  readonly positions: number
  /** The profit or loss of the year, contracts included. */
  readonly gain: number
  readonly entries: number
}

const NAMES = Object.keys(STATEMENT_LINES) as StatementLine[]

/** Returns the statement of a range; undefined unless its performance has all of it. */
export function statementOf({ points, totals, complete, lines }: Performance): Statement | undefined {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined || !complete) return undefined
  const sums = NAMES.map(name => [name, sumOf(STATEMENT_LINES[name].map(type => totals[type]))] as const)
  return {
    opening: first.cash,
    lines: sums,
    closing: last.cash,
    positions: last.positions_value,
    gain: sumOf([last.cash, last.positions_value, -first.cash, -first.positions_value, -last.paid_in]),
    entries: lines,
  }
}

/** Returns the financial years that can be chosen, the present one first. */
export function yearsUntil(now: number): number[] {
  const last = financialYearOf(now)
  return Array.from({ length: YEARS }, (_, back) => last - back)
}

/** Returns the range of a financial year, up to now if it is the present one. */
export function rangeOf(year: number, now: number): { readonly from: number; readonly to: number } {
  return { from: financialYearBegin(year), to: Math.min(financialYearBegin(year + 1), now) }
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0) / 10_000
}
