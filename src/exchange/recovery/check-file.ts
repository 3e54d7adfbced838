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
 * Checks the log, the ids, the pages and the journal's end, and changes nothing. Throws RecoveryError where
 * the exchange must not start on the file.
 */
export function checkFile(file: string): void {
  // Both read SQLite's files themselves, and so come before any connection to them.
  const log = readLog(`${file}-wal`)
  const refusal = logRefusal(file, log) ?? idRefusal(file, log)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (isThere) withDatabase(opener(file), file, database => checkStored(database, log))
}

/**
 * A connection that only reads leaves the log where it is. But where the very first transaction of a file was
 * cut off, SQLite must take it back before it can read.
 */
function opener(file: string): typeof openDatabase {
  return existsSync(`${file}-journal`) ? openDatabase : openReadOnly
}

/**
 * Checks what SQLite makes of the file and its log together. The chain is followed to before the log: a log
 * of another moment of the same exchange has the exchange's id, but does not go on from this file.
 */
function checkStored(database: Database, { commits }: LogReading): void {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const damage = damageOf(database) ?? journalEndFault(database, commits)
  if (damage !== undefined) throw damaged(damage)
}
