/** A cell: a number stays one in a spreadsheet, a text is never taken for a formula. */
export type Cell = string | number | null

const BYTE_ORDER_MARK = '\u{FEFF}'
/** Spreadsheets take texts that begin so for formulas, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r]/

/** Returns rows as CSV that spreadsheets open right: UTF-8 with its mark, CRLF, all texts quoted. */
export function sheetText(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(row => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return `"${harmless.replaceAll('"', '""')}"`
}
