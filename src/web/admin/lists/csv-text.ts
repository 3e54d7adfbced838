export type CsvCell = string | number

/** Text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Writes rows as CSV; numbers stay numbers, and no text becomes a formula in a spreadsheet. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map(row => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
