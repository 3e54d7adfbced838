import type { Database } from '../database.js'
import { assertDurable, openDatabase, openServed, relaxSync } from '../database.js'
import { migrate, newestVersion, schemaVersion } from '../schema.js'
import type { CompanionKind } from './companion-kind.js'
import { forgetLineage } from './companion-outbox.js'
import { chainDecisions, sealRows } from './decision-chain.js'
import { OWN_TABLES } from './own-tables.js'

/** 4 MB of log before a checkpoint, which runs on the main thread: short ones delay no order. */
const CHECKPOINT_PAGES = 1000
/** A file that is gone when it is closed, for exchanges in tests. */
const IN_MEMORY = ':memory:'

/** Called before a row of a companion is added, changed or removed; may throw to refuse it. */
export type Watch = (table: string) => void

/**
 * Opens a companion that was examined, or creates an empty one; brings it to this version and gives it to an
 * exchange. Afterwards every change of a row is watched, and chained if it is a decision.
 */
export function openCompanion(
  path: string,
  kind: CompanionKind,
  exchange?: number,
  watch: Watch = () => undefined,
): Database {
  const database = openServed(path)
  try {
    migrateCompanion(database, kind)
    // The first write, too, before the way of committing is read back.
    database.prepare('UPDATE main.exchange SET id = ifnull(?, id)').run(exchange ?? null)
    if (path !== IN_MEMORY) assertDurable(database)
    if (!kind.isSynced) relaxSync(database)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    if (kind.chain === undefined) watchRows(database, watch)
    else chainDecisions(database, kind.chain, watch)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Gives a companion that no process has open to another exchange, whose log has nothing of it. */
export function giveCompanion(path: string, exchange: number): void {
  const database = openDatabase(path)
  try {
    const has = database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'exchange'").get()
    if (has !== undefined) database.prepare('UPDATE main.exchange SET id = ?').run(exchange)
    if (hasOutbox(database)) forgetLineage(database)
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

/** Takes the steps that the file of a companion lacks, or creates its tables. */
export function migrateCompanion(database: Database, { applicationId, schema, chain }: CompanionKind): void {
  if (schemaVersion(database) === newestVersion(schema)) return
  database.transaction(() => {
    database.pragma(`application_id = ${applicationId}`)
    migrate(database, schema)
    if (chain !== undefined) sealRows(database, chain)
  })()
}

function hasOutbox(database: Database): boolean {
  return database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'outbox'").get() !== undefined
}

/** Lets a function see each change of a row before it is made. */
function watchRows(database: Database, watch: Watch): void {
  database.function('watch_row', (table: unknown) => {
    watch(String(table))
    return null
  })
  const tables = database.prepare<unknown[], string>(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'",
  )
  for (const table of tables.pluck().all()) {
    if (OWN_TABLES.includes(table)) continue
    for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
      database.exec(`CREATE TEMP TRIGGER watch_${change}_${table} BEFORE ${change} ON main.${table}
        BEGIN SELECT watch_row('${table}'); END`)
    }
  }
}
