import type { Database } from './database.js'
import { hideParts, showParts } from './parts.js'
import { MIGRATIONS, SCHEMA_VERSION, schemaRefusal, schemaVersion } from './schema.js'
import { expectedMs, SCHEMA_STEPS, statementsOf } from './schema-steps.js'

/** Work on a file, told as each part of it begins. */
export interface MigrationProgress {
  /** The step, in words. */
  readonly what: string
  /** Milliseconds of work done and in all, as measured on another machine. */
  readonly doneMs: number
  readonly totalMs: number
}

/**
 * Migrates the file to this version, or returns why it must not. Each step is one transaction.
 *
 * @param bytes the size of the file, from which the time that statements take is estimated
 */
export function migrate(
  database: Database,
  bytes = 0,
  told: (progress: MigrationProgress) => void = () => undefined,
): string | undefined {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) return refusal
  const from = schemaVersion(database)
  if (from === SCHEMA_VERSION) return undefined
  hideParts(database)
  const totalMs = migrationMs(from, bytes)
  let doneMs = 0
  for (const [version, statements] of stepsFrom(from)) {
    database.transaction(() => {
      for (const statement of statements) {
        told({ what: stepText(version), doneMs, totalMs })
        database.exec(statement)
        doneMs += expectedMs(version, statement, bytes)
      }
      database.pragma(`user_version = ${version}`)
    })()
  }
  showParts(database, database.name)
  return undefined
}

/** Returns how long it takes to migrate a file of this version and size, as measured on another machine. */
export function migrationMs(from: number, bytes: number): number {
  const each = stepsFrom(from).flatMap(([version, statements]) =>
    statements.map(statement => expectedMs(version, statement, bytes)),
  )
  return each.reduce((sum, ms) => sum + ms, 0)
}

function stepText(version: number): string {
  return `step ${version} of ${SCHEMA_VERSION}: ${SCHEMA_STEPS[version - 1]?.adds}`
}

function stepsFrom(from: number): [version: number, statements: string[]][] {
  return MIGRATIONS.slice(from).map((sql, index) => [from + index + 1, statementsOf(sql)])
}
