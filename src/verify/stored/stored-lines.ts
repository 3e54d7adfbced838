import type { Database } from '../../store/database.js'
import type { TableName, TableShape } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

/** The SQL that answers each row's key, whatever else is wanted, and its line last. */
export function selectLines(table: TableName, more: readonly string[] = []): string {
  const { key, columns }: TableShape = TABLE_SHAPES[table]
  const cells = columns.map(column => {
    const name = column.replace('?', '')
    return name === column ? name : `ifnull('=' || ${name}, '-')`
  })
  return `SELECT ${[...key, ...more].join(', ')}, concat_ws(char(31), ${cells.join(', ')}) FROM ${table}`
}

/** A stored row's line by its key, or undefined where there is none. */
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
