import { existsSync, statSync } from 'node:fs'
import { journalEndFault } from '../../store/audit/journal-end.js'
import type { Database } from '../../store/database.js'
import { damageOf, openDatabase, openReadOnly } from '../../store/database.js'
import type { LogReading } from '../../store/files/log-frames.js'
import { readLog } from '../../store/files/log-frames.js'
import { schemaRefusal } from '../../store/schema.js'
import { idRefusal, logRefusal } from './file-refusals.js'
import { damaged, RecoveryError, withDatabase } from './recovery-error.js'

/**
 * Checks the log, the ids, the pages and the journal's end; changes nothing. Throws RecoveryError if the
 * exchange must not start on the file.
 */
export function checkFile(file: string): void {
  // Both read SQLite's files directly, so they come before any connection is opened.
  const log = readLog(`${file}-wal`)
  const refusal = logRefusal(file, log) ?? idRefusal(file, log)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (isThere) withDatabase(opener(file), file, database => checkStored(database, log))
}

/**
 * Opens a read-only connection, which leaves the log alone. But if the very first transaction of a file was
 * cut off, SQLite must roll it back before it can read.
 */
function opener(file: string): typeof openDatabase {
  return existsSync(`${file}-journal`) ? openDatabase : openReadOnly
}

/**
 * Checks the file and its log together, as SQLite sees them. Follows the hash chain to before the log: a log
 * from another moment of the same exchange has the right id, but does not continue this file.
 */
function checkStored(database: Database, { commits }: LogReading): void {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const damage = damageOf(database) ?? journalEndFault(database, commits)
  if (damage !== undefined) throw damaged(damage)
}
