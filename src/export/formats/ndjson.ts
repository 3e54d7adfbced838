import type { Cell, Column } from '../column.js'
import { DECIMALS, decimalText, timeText } from '../column.js'
import type { FormatWriter } from './format-writer.js'

const NOTHING = new Uint8Array()

/** Writes one JSON object a line. Decimal numbers are texts, because readers take JSON numbers for floats. */
export function ndjsonFormat(columns: readonly Column[]): FormatWriter {
  return {
    begin: () => NOTHING,
    rows: rows =>
      Buffer.from(
        rows
          .map(row => {
            const fields = columns.map(({ name, kind }, at) => [name, value(kind, row[at] ?? null)])
            return `${JSON.stringify(Object.fromEntries(fields))}\n`
          })
          .join(''),
      ),
    end: () => NOTHING,
    state: () => null,
  }
}

function value(kind: Column['kind'], cell: Cell): unknown {
  if (cell === null) return null
  if (kind === 'text') return String(cell)
  const number = Number(cell)
  if (kind === 'time') return timeText(number)
  if (kind === 'flag') return number === 1
  return kind === 'whole' ? number : decimalText(number, DECIMALS[kind])
}
