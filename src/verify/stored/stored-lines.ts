import { ARCHIVED_TABLES } from '../../store/archive/archived-tables.js'
import type { Database } from '../../store/database.js'
import type { TableName, TableShape } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

/** Returns the SQL for each row's key, any further columns, and its line last. */
export function selectLines(table: TableName, more: readonly string[] = []): string {
  const { key, columns }: TableShape = TABLE_SHAPES[table]
  const cells = columns.map(column => {
    const name = column.replace('?', '')
    return name === column ? name : `ifnull('=' || ${name}, '-')`
  })
  const line = `concat_ws(char(31), ${cells.join(', ')})`
  return `SELECT ${[...key, ...more].join(', ')}, ${line} FROM ${wholeTable(table)}`
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
