import { existsSync } from 'node:fs'
import type { Sequence } from '../../core/units.js'
import { archiveFault, journalBeginFault } from '../../store/archive/archive-fault.js'
import { endOfJournal } from '../../store/audit/journal-batches.js'
import { journalEndFault, reachedFault } from '../../store/audit/journal-end.js'
import { wholeJournal } from '../../store/audit/last-sequence.js'
import type { Database } from '../../store/database.js'
import { damageOf, openDatabase, openReadOnly } from '../../store/database.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { journalPath } from '../../store/files/journal-path.js'
import { hasJournal, splitFault } from '../../store/files/journal-split.js'
import { readLog } from '../../store/files/log-frames.js'
import { reachedInFile } from '../../store/files/reached-page.js'
import { Reached } from '../../store/reached.js'
import { schemaVersion } from '../../store/schema.js'
import { schemaRefusal } from '../../store/tables-schema.js'
import type { Logs } from './file-refusals.js'
import { filesRefusal } from './file-refusals.js'
import { journalMissing, notOneHistory, otherJournal } from './pair-refusals.js'
import { damaged, RecoveryError } from './recovery-error.js'
import { withDatabase } from './with-database.js'

/**
 * Checks tables and journal: their logs, their ids, their pages, the journal's end, and that they belong
 * together; changes nothing. Throws RecoveryError if the exchange must not start on them.
 */
export function checkFile(file: string): void {
  // All of these read SQLite's files directly, so they come before any connection is opened.
  const logs = { tables: readLog(`${file}-wal`), journal: readLog(`${journalPath(file)}-wal`) }
  const refusal = filesRefusal(file, logs)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  if (logs.tables.damage !== undefined) checkTablesLog(file)
  if (sizeOfFile(file) > 0) withDatabase(opener(file), file, database => checkStored(database, file, logs))
}

/**
 * Checks tables whose log has a gap. A power cut may take any of what was never synced: SQLite reads the log
 * up to the gap, and the journal completes the tables. But if the file includes batches from behind the gap,
 * the log had been synced and moved into the file: together they would show a state that never was.
 */
function checkTablesLog(file: string): void {
  const mark = withDatabase(opener(file), file, markOf)
  if (mark === undefined) return
  const { reached, page } = mark
  const inFile = reachedInFile(file, page)
  if (inFile !== undefined && inFile <= reached) return
  throw damaged(`its log ends at batch ${reached}, but the file has rows of ${inFile ?? 'later'}`)
}

/** Returns the batch that the tables have reached, and the page that says so; undefined for a single file. */
function markOf(database: Database): { readonly reached: Sequence; readonly page: number } | undefined {
  const select = "SELECT rootpage FROM main.sqlite_schema WHERE name = 'reached'"
  const page = database.prepare<unknown[], number>(select).pluck().get()
  if (page === undefined || hasJournal(database)) return undefined
  return { reached: new Reached(database).read().sequence, page }
}

/**
 * Opens a read-only connection, which leaves the logs alone. But if the very first transaction of either file
 * was cut off, SQLite must roll it back before it can read.
 */
function opener(file: string): typeof openDatabase {
  const isCutOff = [file, journalPath(file)].some(path => existsSync(`${path}-journal`))
  return isCutOff ? openDatabase : openReadOnly
}

/** Checks the files and their logs together, as SQLite sees them. */
function checkStored(database: Database, file: string, logs: Logs): void {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new RecoveryError(refusal)
  const damage = damageOf(database)
  if (damage !== undefined) throw damaged(damage)
  if (schemaVersion(database) === 0) return
  const archive = archiveFault(database, file)
  if (archive !== undefined) throw new RecoveryError(`${archive}. Nothing was changed`)
  if (hasJournal(database)) checkOneFile(database, file, logs)
  else checkTwoFiles(database, file, logs)
}

/** Checks a file with its journal inside, as a backup has it, and a journal beside it. */
function checkOneFile(database: Database, file: string, logs: Logs): void {
  const damage = journalEndFault(database, 'main.journal', logs.tables.commits)
  if (damage !== undefined) throw damaged(damage)
  const fault = splitFault(database, file)
  if (fault !== undefined) throw new RecoveryError(otherJournal(file, fault))
}

/**
 * Checks tables and journal in files of their own. Follows the hash chain to before the journal's log, which
 * may be from another moment of the same exchange: it has the right id, but does not continue this file. And
 * to before the last batch that the tables include: what follows will be replayed.
 */
function checkTwoFiles(database: Database, file: string, logs: Logs): void {
  const whole = wholeJournal(database)
  if (whole === undefined) throw new RecoveryError(journalMissing(file))
  const begin = journalBeginFault(database, 'log.journal')
  if (begin !== undefined) throw new RecoveryError(notOneHistory(file, begin))
  const reached = new Reached(database).read()
  const ahead = endOfJournal(database, whole).sequence - reached.sequence
  const damage = journalEndFault(database, whole, Math.max(ahead, logs.journal.commits))
  if (damage !== undefined) throw damaged(damage)
  const fault = reachedFault(database, whole, reached)
  if (fault !== undefined) throw new RecoveryError(notOneHistory(file, fault))
}
