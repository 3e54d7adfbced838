import type { Database } from '../../store/database.js'
import { hashUnit, LINE_START, lineHash } from './line-hash.js'
import { SEPARATOR } from './row-lines.js'
import { joined, selectLinesAfter } from './stored-lines.js'
import type { TableName } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

/** Rows that SQLite joins to one text: a text for each row took twice as long. */
const BLOCK_LENGTH = 512
/** Separates the lines of a block. */
const LINE_END = '\u001e'
const CELL_END = SEPARATOR.charCodeAt(0)
const END = LINE_END.charCodeAt(0)
const MINUS = 45
const ZERO = 48
const NINE = 57
/** Those of a number that a double can hold, whatever they are. */
const DIGITS_MAX = 15

/** Receives the numbers before a line, its key first, and the line's hash. The numbers are used again. */
export type TakeLine = (numbers: readonly number[], hash: number) => void

/** Further numbers, by SQL. */
export interface MoreNumbers {
  readonly all?: readonly string[]
  /** Numbers of the rows for which `when` is true, after a 1; the other rows have only a 0 there. */
  readonly some?: { readonly when: string; readonly columns: readonly string[] }
}

/** Reads the lines of a table in the order of its key, which is of numbers. */
export function readBlocks(
  database: Database,
  table: TableName,
  take: TakeLine,
  { all = [], some }: MoreNumbers = {},
): void {
  const { key } = TABLE_SHAPES[table]
  const rest = some === undefined ? [] : [`iif(${some.when}, ${joined([1, ...some.columns])}, 0)`]
  const more = [...all, ...rest]
  const widths = { least: key.length + more.length, some: some?.columns.length ?? 0 }
  const lines = selectLinesAfter(table, more, BLOCK_LENGTH)
  const selectBlock = database
    .prepare<unknown[], [number, string | null]>(
      `SELECT count(*), group_concat(line, char(30)) FROM (${lines})`,
    )
    .raw()
  const selectEach = database.prepare<unknown[], string>(lines).pluck()
  // As integers of 64 bits: a stored key may be one that a double cannot hold.
  let last: (bigint | number)[] = key.map(() => Number.NEGATIVE_INFINITY)
  for (;;) {
    const [count, block] = selectBlock.get(...last) ?? [0, null]
    if (count === 0 || block === null) return
    const isPlain = linesOf(block) === count
    // A row with the separator in a text is foreign: taken apart, it must not pass for two rows.
    const parts = isPlain ? [block] : selectEach.all(...last)
    for (const part of parts) hashLines(part, widths, isPlain ? END : -1, take)
    const [lastLine = ''] = isPlain ? [block.slice(block.lastIndexOf(LINE_END) + 1)] : parts.slice(-1)
    last = lastLine.split(SEPARATOR, key.length).map(BigInt)
  }
}

function linesOf(block: string): number {
  let lines = 1
  for (let at = block.indexOf(LINE_END); at >= 0; at = block.indexOf(LINE_END, at + 1)) lines++
  return lines
}

interface Widths {
  readonly least: number
  /** More numbers after those, if the last of them is 1. */
  readonly some: number
}

/** @param end the unit that ends a line; -1 if the text is one line */
function hashLines(text: string, { least, some }: Widths, end: number, take: TakeLine): void {
  const numbers: number[] = Array.from({ length: least + some }, () => 0)
  const { length } = text
  let index = 0
  while (index < length) {
    let width = least
    for (let column = 0; column < width; column++) {
      const begin = index
      const isNegative = text.charCodeAt(index) === MINUS
      if (isNegative) index++
      let value = 0
      let unit = text.charCodeAt(index)
      while (unit >= ZERO && unit <= NINE) {
        value = value * 10 + unit - ZERO
        index++
        unit = text.charCodeAt(index)
      }
      if (unit !== CELL_END || index - begin > DIGITS_MAX) {
        index = text.indexOf(SEPARATOR, begin)
        numbers[column] = Number(text.slice(begin, index))
      } else numbers[column] = isNegative ? -value : value
      if (column === least - 1 && value === 1) width += some
      index++
    }
    let hash = LINE_START
    for (; index < length; index++) {
      const unit = text.charCodeAt(index)
      if (unit === end) break
      hash = hashUnit(hash, unit)
    }
    index++
    take(numbers, lineHash(hash))
  }
}
