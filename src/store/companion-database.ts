import type { Database } from './database.js'
import { assertDurable, damageBehind, damageOf, openDatabase } from './database.js'

/** A companion of an exchange: a database of its own, with migrations of its own. */
export interface CompanionKind {
  /** For messages, such as "the accounts". */
  readonly name: string
  /** For the message about a foreign file, such as "a file of accounts of Raay". */
  readonly description: string
  readonly applicationId: number
  /**
   * The n-th takes a file from version n − 1 to n (`PRAGMA user_version`), and sets nothing but tables. A
   * released one is never changed.
   */
  readonly migrations: readonly string[]
}

/** 4 MB of log before a checkpoint, which runs on the main thread: short ones delay no order. */
const CHECKPOINT_PAGES = 1000
/** A file that is gone when it is closed, for exchanges in tests. */
const IN_MEMORY = ':memory:'

/**
 * Opens a companion, or creates an empty one. Throws with a message for the operator if the file is
 * corrupted, belongs to a newer version or is something else.
 */
export function openCompanion(path: string, kind: CompanionKind): Database {
  const database = orRefuse(path, kind, () => openDatabase(path))
  try {
    const refusal = orRefuse(path, kind, () => {
      const damage = damageOf(database)
      return damage === undefined ? migrate(database, kind) : damageText(damage)
    })
    if (refusal !== undefined) throw new Error(refusalText(path, kind, refusal))
    if (path !== IN_MEMORY) assertDurable(database)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Migrates the file to this version, or returns why it must not. */
function migrate(
  database: Database,
  { description, applicationId, migrations }: CompanionKind,
): string | undefined {
  const version = Number(database.pragma('user_version', { simple: true }))
  const isOurs = Number(database.pragma('application_id', { simple: true })) === applicationId
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table'").get() === undefined
  if (!isOurs && !isEmpty) return `it is not ${description}`
  if (version > migrations.length) {
    return `it has version ${version}, this program knows ${migrations.length}: start a newer Raay`
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue
    database.transaction(() => {
      database.exec(`PRAGMA application_id = ${applicationId}; ${sql}`)
      database.pragma(`user_version = ${index + 1}`)
    })()
  }
  return undefined
}

function orRefuse<Value>(path: string, kind: CompanionKind, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    const damage = damageBehind(error)
    throw damage === undefined ? error : new Error(refusalText(path, kind, damageText(damage)))
  }
}

function damageText(damage: string): string {
  return `it is damaged (${damage}); move it away and put its newest backup in its place`
}

function refusalText(path: string, { name }: CompanionKind, refusal: string): string {
  return `${name} cannot be opened, ${path}: ${refusal}`
}
