import { statSync } from 'node:fs'
import { assert } from '../core/assert.js'
import { ARCHIVE } from './archive/archived-tables.js'
import { Driver } from './driver.js'
import { addFeeHeld } from './fee-held.js'
import { createPrivateFile } from './files/private-files.js'
import { addFolded } from './folded.js'
import { showParts } from './parts.js'
import type { Database, Statement } from './sqlite.js'

export type { Database, Statement }

const FULL = 2
/**
 * 40 MB of log before a checkpoint: pages that change in every batch are then written to the file less often.
 * With 4 MB the exchange accepted a fifth fewer orders per second.
 */
const CHECKPOINT_PAGES = 10_000
const BUSY_TIMEOUT_MS = 10_000
const LOG_TRIES = 5
const IN_MEMORY = ':memory:'

/**
 * Opens a file for writing: write-ahead log, every commit synced. If it is an exchange's file of tables, the
 * connection reads journal and archive, too (`showParts`). Nothing else in the process may open the file,
 * because closing it again would drop SQLite's locks.
 */
export function openDatabase(path: string): Database {
  return openToWrite(path, 'FILE')
}

/**
 * Opens a file that nobody else reads until it is complete: it has no log, and no commit waits for the disk.
 * If the work fails, the file is worthless and its maker deletes it.
 */
export function openScratch(path: string): Database {
  return opened(new Driver(path), database => {
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
  })
}

/** Opens the file of tables read-only, its journal and its archive; the connection sees every commit. */
export function openReadOnly(path: string): Database {
  return opened(new Driver(path, { readonly: true, timeout: BUSY_TIMEOUT_MS }), database =>
    showParts(database, path),
  )
}

function opened(database: Database, prepare: (database: Database) => void): Database {
  try {
    addFolded(database)
    addFeeHeld(database)
    prepare(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens a file for writing as long as the exchange runs: what a statement needs to be undone, or to sort, is
 * kept in memory, so that a full directory for temporary files ends nothing. Its statements change few rows
 * each; one that rewrites a file would hold all of it.
 */
export function openServed(path: string): Database {
  return openToWrite(path, 'MEMORY')
}

function openToWrite(path: string, temporary: 'FILE' | 'MEMORY'): Database {
  if (path !== IN_MEMORY) createPrivateFile(path)
  return opened(new Driver(path, { timeout: BUSY_TIMEOUT_MS }), database => {
    // First: it drops all temporary views, and with them those of the parts.
    database.pragma(`temp_store = ${temporary}`)
    useLog(database)
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = OFF')
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    showParts(database, path)
  })
}

/**
 * Gives a file its write-ahead log. SQLite refuses that at once, whatever the timeout, while another
 * connection is doing the same or writes: two shards open the journal of a new exchange together. The
 * transaction waits for the other's end.
 */
function useLog(database: Database): void {
  for (let tries = LOG_TRIES; ; tries--) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (tries === 1 || !isRefusal(error, /^SQLITE_BUSY/)) throw error
    }
    database.exec('BEGIN IMMEDIATE; COMMIT')
  }
}

/**
 * Asserts that commits are durable. To be called after a connection's first write: until then SQLite may
 * still fall back to NORMAL, which loses acknowledged commits in a power cut.
 */
export function assertDurable(database: Database): void {
  assert(database.pragma('journal_mode', { simple: true }) === 'wal', 'the journal mode is WAL')
  assert(
    database.pragma('synchronous', { simple: true }) === FULL,
    'every commit is synced (synchronous=FULL)',
  )
}

/**
 * Lets commits wait for no disk: a power cut may take the last ones, each as a whole. For the tables, which
 * the journal completes at the next start.
 */
export function relaxSync(database: Database): void {
  database.pragma('main.synchronous = NORMAL')
}

/** Moves the write-ahead log into the file and empties it; leaves the log of a journal beside it alone. */
export function checkpoint(database: Database): void {
  database.pragma('main.wal_checkpoint(TRUNCATE)')
}

/**
 * Moves the write-ahead log into the file and empties it, unless a reader is using it or the disk is full:
 * then the log stays as it is. Waits for no reader.
 */
export function truncateIdleLog(database: Database): void {
  database.pragma('busy_timeout = 0')
  try {
    checkpoint(database)
  } catch (error) {
    if (!isRefusal(error, /^SQLITE_(?:BUSY|FULL)/)) throw error
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

/** Checkpoints and truncates a file's log, unless the file is still being read or the disk is full. */
export function sealIdleFile(path: string): void {
  const database = openDatabase(path)
  truncateIdleLog(database)
  database.close()
}

/** Checkpoints and truncates a file's log after every other connection has closed. */
export function sealFile(path: string): void {
  const database = openDatabase(path)
  checkpoint(database)
  database.close()
}

/**
 * Returns SQLite's findings on corrupted tables, or a corrupted journal beside them; undefined if intact.
 * Reads the archive only if asked to.
 */
export function damageOf(database: Database, reach: 'live' | 'whole' = 'live'): string | undefined {
  const names = database.pragma('database_list') as readonly { readonly name: string }[]
  for (const { name } of names) {
    if (name === 'temp' || (name === ARCHIVE && reach === 'live')) continue
    const damage = damageOfPart(database, name)
    if (damage !== undefined) return damage
  }
  return undefined
}

/** Returns SQLite's findings on one of a connection's files. */
export function damageOfPart(database: Database, name: string): string | undefined {
  const findings = database.pragma(`${name}.quick_check`, { simple: true })
  return findings === 'ok' ? undefined : String(findings)
}

const isRefusal = (error: unknown, codes: RegExp) =>
  error instanceof Driver.SqliteError && codes.test(error.code)

/** Returns true if an error means that the disk has no room for a write. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC'
}

const PASSING = /^(?:EIO|EMFILE|ENFILE|ENOMEM|ENOSPC|EACCES|EPERM|EBUSY|EDQUOT|EROFS|ESTALE|ETIMEDOUT)$/
const PASSING_OF_SQLITE = /^SQLITE_(?:IOERR(?!_SHORT_READ)|NOMEM|BUSY|LOCKED|CANTOPEN|FULL|PERM|INTERRUPT)/

/** Returns true if an error says nothing about a file's contents: the same work may succeed later. */
export function isPassing(error: unknown): boolean {
  const code = String((error as { readonly code?: unknown }).code)
  return PASSING.test(code) || PASSING_OF_SQLITE.test(code)
}

/** Returns SQLite's message if an error means that the file is corrupted or not a database. */
export function damageBehind(error: unknown): string | undefined {
  return isRefusal(error, /^SQLITE_(?:CORRUPT|NOTADB)/) ? (error as Error).message : undefined
}

/** Keeps a reference to each lock: a garbage-collected connection would release it. */
const locks = new Set<Database>()

/**
 * Takes a lock that lasts as long as the process, however it ends: an exclusive transaction on a small file
 * of its own. Returns undefined if another process has it. Delete the file only while you hold it.
 */
export function lockForProcess(path: string): { readonly release: () => void } | undefined {
  createPrivateFile(path)
  const before = inodeOf(path)
  const database = new Driver(path, { timeout: 0 })
  try {
    // A journal on disk would need space that a full disk does not have.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    // The process that had the lock may have deleted the file meanwhile: others would lock a new one.
    if (before === undefined || inodeOf(path) !== before) {
      database.close()
      return undefined
    }
    locks.add(database)
    return {
      release: () => {
        locks.delete(database)
        database.close()
      },
    }
  } catch (error) {
    database.close()
    if (isRefusal(error, /^SQLITE_BUSY$/)) return undefined
    throw error
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
