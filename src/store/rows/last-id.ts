import type { Database } from '../database.js'

/** Returns a function for the id of a table's last row, which is never archived; ids are consecutive. */
export function lastIdIn(database: Database, table: 'entries' | 'updates'): () => number {
  const select = database.prepare<unknown[], number>(`SELECT ifnull(max(id), 0) FROM ${table}`).pluck()
  return () => select.get() ?? 0
}
