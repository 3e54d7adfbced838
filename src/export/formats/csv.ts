import { csvLine, csvText } from '../../api/csv-file.js'
import type { Cell, Column } from '../column.js'
import { DECIMALS, decimalText, timeText } from '../column.js'
import type { FormatWriter } from './format-writer.js'

const NOTHING = new Uint8Array()

/**
 * Writes CSV (RFC 4180) in UTF-8 with a header row. A text that a spreadsheet would run gets a `'` before it;
 * numbers stay numbers. An empty cell is a missing value, and `""` an empty text.
 */
export function csvFormat(columns: readonly Column[]): FormatWriter {
  return {
    begin: () => Buffer.from(csvLine(columns.map(({ name }) => name))),
    rows: rows =>
      Buffer.from(rows.map(row => csvLine(columns.map(({ kind }, at) => cell(kind, row[at])))).join('')),
    end: () => NOTHING,
    state: () => null,
  }
}

function cell(kind: Column['kind'], value: Cell | undefined): string {
  if (value === null || value === undefined) return ''
  if (kind === 'text') return csvText(String(value))
  const number = Number(value)
  if (kind === 'time') return timeText(number)
  if (kind === 'flag') return number === 1 ? 'true' : 'false'
  return kind === 'whole' ? String(number) : decimalText(number, DECIMALS[kind])
}
