/** A cell of a CSV file: a number stays one in a spreadsheet, a text is never taken for a formula. */
export type CsvCell = string | number | null

/** Tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'
/** Spreadsheets take texts that begin so for formulas, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r]/
const QUOTED = /[",\r\n]|^\s|\s$/

/** A column of a file: its head, and the cell of a row. */
export type CsvColumn<Row> = readonly [head: string, cell: (row: Row) => CsvCell]

/** Returns rows as a file that spreadsheets open right; numbers are written plainly, without grouping. */
export function csvFile<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = rows.map(row => csvLine(columns.map(([, cell]) => cellText(cell(row)))))
  return BYTE_ORDER_MARK + csvLine(columns.map(([head]) => csvText(head))) + lines.join('')
}

/** Returns a line of CSV (RFC 4180). An empty cell is a missing value, and `""` an empty text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : csvText(cell)
}

/** Writes a text as a cell. */
export function csvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return harmless === '' || QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
