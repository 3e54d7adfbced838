import { ARCHIVED_TABLES } from '../../store/archive/archived-tables.js'
import type { Database } from '../../store/database.js'
import type { TableName, TableShape } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

/** Returns the SQL for each row's key, and its line last. */
export function selectLines(table: TableName): string {
  const { key }: TableShape = TABLE_SHAPES[table]
  return `SELECT ${key.join(', ')}, ${joined(cellsOf(table))} FROM ${wholeTable(table)}`
}

/**
 * Returns the SQL for the lines of the next rows after a key, in the order of the keys. Each line begins with
 * the key and further columns. The keys come behind it for SQLite: it merges tables and archive along columns
 * that it returns, and would otherwise sort all rows that are left for each block.
 */
export function selectLinesAfter(table: TableName, more: readonly string[], length: number): string {
  const { key }: TableShape = TABLE_SHAPES[table]
  const keys = key.join(', ')
  const line = joined([...key, ...more, ...cellsOf(table)])
  return `SELECT ${line} AS line, ${keys} FROM ${wholeTable(table)}
    WHERE (${keys}) > (${key.map(() => '?').join(', ')}) ORDER BY ${keys} LIMIT ${length}`
}

/** Returns the SQL for cells of one line. */
export const joined = (cells: readonly (string | number)[]) => `concat_ws(char(31), ${cells.join(', ')})`

function cellsOf(table: TableName): string[] {
  const { columns }: TableShape = TABLE_SHAPES[table]
  return columns.map(column => {
    const name = column.replace('?', '')
    return name === column ? name : `ifnull('=' || ${name}, '-')`
  })
}

/** Returns the name of a table with its archived rows. */
function wholeTable(table: TableName): string {
  return (ARCHIVED_TABLES as readonly string[]).includes(table) ? `whole_${table}` : table
}

/** Returns a stored row's line by its key, or undefined if there is none. */
export function storedLine(
  database: Database,
  table: TableName,
  key: readonly (string | number)[],
): string | undefined {
  const where = TABLE_SHAPES[table].key.map(column => `${column} = ?`).join(' AND ')
  const row = database
    .prepare(`${selectLines(table)} WHERE ${where}`)
    .raw()
    .get(...key) as unknown[] | undefined
  return row?.at(-1) as string | undefined
}
