import SqliteDatabase from 'better-sqlite3'
import { assert } from '../core/assert.js'
import { createPrivateFile } from './files/private-files.js'

export type Database = SqliteDatabase.Database
export type Statement<Row = unknown> = SqliteDatabase.Statement<unknown[], Row>

const FULL = 2
/**
 * 40 MB of log before it goes into the file: pages that change in every batch are then written there less
 * often. With 4 MB a fifth fewer orders were taken a second.
 */
const CHECKPOINT_PAGES = 10_000
const BUSY_TIMEOUT_MS = 10_000
const IN_MEMORY = ':memory:'

/**
 * Opens the exchange's file for writing: write-ahead log, every commit on the platter before it counts. The
 * only door to SQLite; nothing else in the process may touch the file, for a plain read of it drops SQLite's
 * locks.
 */
export function openDatabase(path: string): Database {
  if (path !== IN_MEMORY) createPrivateFile(path)
  const database = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = OFF')
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens the file for histories: sees every commit, writes nothing. */
export function openReadOnly(path: string): Database {
  return new SqliteDatabase(path, { readonly: true, timeout: BUSY_TIMEOUT_MS })
}

/**
 * Reads the settings back. To be asked after a connection's first write: until then SQLite may still fall
 * back to NORMAL, and NORMAL loses acknowledged commits when the power goes.
 */
export function assertDurable(database: Database): void {
  assert(database.pragma('journal_mode', { simple: true }) === 'wal', 'the journal mode is WAL')
  assert(
    database.pragma('synchronous', { simple: true }) === FULL,
    'every commit is synced (synchronous=FULL)',
  )
}

/** Moves the write-ahead log into the file and empties it. */
export function checkpoint(database: Database): void {
  database.pragma('wal_checkpoint(TRUNCATE)')
}

/** After every other connection has closed: leaves one whole file, with an empty log. */
export function sealFile(path: string): void {
  const database = openDatabase(path)
  checkpoint(database)
  database.close()
}

/** What SQLite finds wrong with the file, or undefined when it is whole. */
export function damageOf(database: Database): string | undefined {
  const findings = database.pragma('quick_check', { simple: true })
  return findings === 'ok' ? undefined : String(findings)
}

/** What SQLite said when it could not go on because the file is damaged, or is no database at all. */
export function damageBehind(error: unknown): string | undefined {
  if (!(error instanceof SqliteDatabase.SqliteError)) return undefined
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) ? error.message : undefined
}

/** A lock that nobody refers to any more would be collected as garbage, and so be given up. */
const locks = new Set<Database>()

/**
 * Takes a lock that lasts as long as the process, whatever ends it: an exclusive transaction on a small file
 * of its own. Answers undefined when another process has it.
 */
export function lockForProcess(path: string): { readonly release: () => void } | undefined {
  createPrivateFile(path)
  const database = new SqliteDatabase(path, { timeout: 0 })
  try {
    // A journal of its own would need room that a full disk does not have.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    locks.add(database)
    return {
      release: () => {
        locks.delete(database)
        database.close()
      },
    }
  } catch (error) {
    database.close()
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
}
