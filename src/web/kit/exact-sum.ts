/** Returns the exact sum of amounts in rupees. */
export function exactSum<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + Math.round(amountOf(row) * 10_000), 0) / 10_000
}
