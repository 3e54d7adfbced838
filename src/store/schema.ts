import { hideParts, showParts } from './parts.js'
import type { Database } from './sqlite.js'

/**
 * The tables of a kind of file. The number of their form is in the file (`PRAGMA user_version`), so that no
 * program reads a form that it does not know.
 */
export interface Schema {
  /** The version of a file with the tables alone: the first one that this program opens. */
  readonly first: number
  /** SQL that creates the tables in an empty file. Never changed: a change is a step. */
  readonly tables: string
  /** SQL by which the n-th step takes a file from version `first` + n − 1 to `first` + n. Never changed. */
  readonly steps: readonly string[]
}

/** Returns the version that this program writes. */
export function newestVersion({ first, steps }: Schema): number {
  return first + steps.length
}

/** Returns the SQL that makes a file of a version. */
export function sqlOf({ first, tables, steps }: Schema, version: number): readonly string[] {
  return [tables, ...steps.slice(0, version - first)]
}

/** Returns the version of a file; 0 for one without tables. */
export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/** Returns why this program must not open a file of a version, and what to do. */
export function versionRefusal(version: number, schema: Schema): string | undefined {
  const newest = newestVersion(schema)
  if (version > newest) return `has version ${version}, this program knows ${newest}: start a newer Raay`
  if (version >= schema.first) return undefined
  return (
    `has version ${version}, this program knows no version before ${schema.first}: ` +
    'start the Raay that wrote it, or restore a backup that this one made'
  )
}

/**
 * Creates the tables in an empty file, and takes the steps that a file lacks, each in one transaction. To be
 * called for a version that is not refused.
 */
export function migrate(database: Database, schema: Schema): void {
  const version = schemaVersion(database)
  const missing = sqlOf(schema, newestVersion(schema)).entries()
  const todo = [...missing].filter(([step]) => schema.first + step > version)
  if (todo.length === 0) return
  hideParts(database)
  for (const [step, sql] of todo) {
    database.transaction(() => {
      database.exec(sql)
      database.pragma(`user_version = ${schema.first + step}`)
    })()
  }
  showParts(database, database.name)
}
