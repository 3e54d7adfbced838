import type { Database } from './database.js'
import { openScratch } from './database.js'

/** The objects of a schema: the SQL of each, by its kind and name. */
export type SchemaObjects = ReadonlyMap<string, string>

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/** Returns the tables, indexes, triggers and views in one of a connection's files, by name. */
export function objectsIn(database: Database, part = 'main'): SchemaObjects {
  const rows = database.prepare<unknown[], SchemaRow>(`SELECT type, name, sql FROM ${part}.sqlite_schema`)
  return new Map(rows.all().map(({ type, name, sql }) => [`${type} ${name}`, oneLine(sql ?? '')]))
}

/** SQLite keeps the text as it was written, and appends the columns that a later statement adds. */
const oneLine = (sql: string) => sql.replace(/\s+/g, ' ').replace(/ (?=[,)])/g, '')

/** Returns the objects that a list of SQL makes in an empty file. */
export function objectsOf(statements: readonly string[]): SchemaObjects {
  const database = openScratch(':memory:')
  try {
    for (const sql of statements) database.exec(sql)
    return objectsIn(database)
  } finally {
    database.close()
  }
}

/** Returns the names of objects that are not as expected, or missing. */
export function lostObjects(found: SchemaObjects, expected: SchemaObjects): string[] {
  return [...expected].filter(([name, sql]) => found.get(name) !== sql).map(([name]) => name)
}

/** Returns the names of objects that Raay did not make, but for SQLite's own statistics. */
export function foreignObjects(found: SchemaObjects, expected: SchemaObjects): string[] {
  return [...found.keys()].filter(name => !expected.has(name) && !name.startsWith('table sqlite_stat'))
}
