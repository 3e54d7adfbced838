import { existsSync, statSync } from 'node:fs'
import { journalEndFault, reachedFault } from '../../store/audit/journal-end.js'
import type { Database } from '../../store/database.js'
import { damageOf, openDatabase, openReadOnly } from '../../store/database.js'
import { journalPath } from '../../store/files/journal-path.js'
import type { LogReading } from '../../store/files/log-frames.js'
import { readLog } from '../../store/files/log-frames.js'
import { schemaRefusal } from '../../store/schema.js'
import { idRefusal, journalRefusal, logRefusal } from './file-refusals.js'
import { damaged, RecoveryError, withDatabase } from './recovery-error.js'

/**
 * Checks tables and journal: their logs, their ids, their pages, the journal's end, and that they belong
 * together; changes nothing. Throws RecoveryError if the exchange must not start on them.
 */
export function checkFile(file: string): void {
  // All of these read SQLite's files directly, so they come before any connection is opened.
  const journal = journalPath(file)
  const log = readLog(`${file}-wal`)
  const journalLog = readLog(`${journal}-wal`)
  const refusal =
    logRefusal(file, log) ??
    idRefusal(file, log) ??
    logRefusal(journal, journalLog) ??
    journalRefusal(file, journal, log, journalLog)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (isThere) withDatabase(opener(file), file, database => checkStored(database, file, log, journalLog))
}

/**
 * Opens a read-only connection, which leaves the log alone. But if the very first transaction of a file was
 * cut off, SQLite must roll it back before it can read.
 */
function opener(file: string): typeof openDatabase {
  return existsSync(`${file}-journal`) ? openDatabase : openReadOnly
}

/**
 * Checks the files and their logs together, as SQLite sees them. Follows the hash chain to before the log: a
 * log from another moment of the same exchange has the right id, but does not continue this file.
 */
function checkStored(database: Database, file: string, log: LogReading, journalLog: LogReading): void {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const damage =
    damageOf(database) ??
    journalEndFault(database, log.commits + journalLog.commits) ??
    reachedFault(database, journalPath(file))
  if (damage !== undefined) throw damaged(damage)
}
