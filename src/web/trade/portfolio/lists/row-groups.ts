import { exactSum } from '../../../kit/exact-sum.js'

/** Rows of one market, with their sum. */
export interface RowGroup<Row> {
  readonly eventId: string | null
  readonly rows: readonly Row[]
  readonly sum: number
}

/** Groups rows by market, in the order in which the markets first appear; sums are exact. */
export function grouped<Row>(
  rows: readonly Row[],
  eventOf: (row: Row) => string | null,
  sumOf: (row: Row) => number,
): RowGroup<Row>[] {
  const groups = new Map<string | null, Row[]>()
  for (const row of rows) groups.set(eventOf(row), [...(groups.get(eventOf(row)) ?? []), row])
  return [...groups].map(([eventId, members]) => ({ eventId, rows: members, sum: exactSum(members, sumOf) }))
}
