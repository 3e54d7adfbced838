/** A cell of a CSV file: a number stays one in a spreadsheet, a text is never taken for a formula. */
export type CsvCell = string | number | null

/** Tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'
/** Spreadsheets take texts that begin so for formulas, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r]/
const QUOTED = /[",\r\n]|^\s|\s$/

/** Returns rows as a file that spreadsheets open right. */
export function csvFile(rows: readonly (readonly CsvCell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(csvLine).join('')
}

/** Returns a line of CSV (RFC 4180). An empty cell is a missing value, and `""` an empty text. */
function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : csvText(cell)
}

/** Returns a text as a cell. */
export function csvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return harmless === '' || QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
