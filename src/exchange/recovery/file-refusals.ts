import { basename, dirname } from 'node:path'
import { isInRollbackMode, readIdIn } from '../../store/files/exchange-id.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import { journalPath } from '../../store/files/journal-path.js'
import type { LogReading } from '../../store/files/log-frames.js'
import { movedAway } from './moved-away.js'

/** Readings of both logs, made before SQLite reads them. */
export interface Logs {
  readonly tables: LogReading
  readonly journal: LogReading
}

/** Returns why SQLite must not read the files of an exchange; undefined if it may. */
export function filesRefusal(file: string, { tables, journal }: Logs): string | undefined {
  const beside = journalPath(file)
  // Commits to the tables wait for no disk, so a break in their log is its end: the journal has what follows.
  const isOneFile = sizeOfFile(beside) === 0
  return (
    (isOneFile ? logRefusal(file, file, tables) : undefined) ??
    strayLogRefusal(file, tables) ??
    idRefusal(file, tables) ??
    logRefusal(file, beside, journal) ??
    foreignLogRefusal(beside, journal) ??
    lonelyLogRefusal(beside, journal) ??
    journalRefusal(file, beside, { tables, journal })
  )
}

/** Returns why SQLite must not read a log whose commits were all synced; undefined if it may. */
function logRefusal(tables: string, file: string, { damage }: LogReading): string | undefined {
  if (damage === undefined) return undefined
  const { frame, frames, offset } = damage
  const log = `${file}-wal`
  const where = frame === 0 ? 'its head' : `frame ${frame} of ${frames}`
  return (
    `the write-ahead log ${log} is damaged (${where}), and committed batches lie behind the damage. ` +
    'Nothing was changed. Restore a backup; or, to give up what lies behind it, ' +
    `keep a copy of ${dirname(file)} and cut the log there: truncate -s ${offset} ${log}` +
    (file === tables ? '' : `, and restore a backup as ${tables}: the journal completes it up to there`)
  )
}

/**
 * Returns why a log must not be applied to a backup: the exchange gives a file its log only after it has
 * taken it out of the mode in which backups are made. SQLite would mix the pages of both.
 */
function strayLogRefusal(file: string, { commits }: LogReading): string | undefined {
  if (commits === 0 || !isInRollbackMode(file)) return undefined
  return (
    `the write-ahead log ${file}-wal is not that of ${basename(file)}, which is a backup. ` +
    `Nothing was changed. Delete what the replaced file has left: rm -f ${file}-wal ${file}-shm`
  )
}

/** Returns why a file that is not there must not be made while its log is: SQLite would mix them. */
function lonelyLogRefusal(file: string, { commits }: LogReading): string | undefined {
  if (commits === 0 || sizeOfFile(file) > 0) return undefined
  return (
    `${file} is missing or empty, but its write-ahead log ${file}-wal is there, with commits. ` +
    `Nothing was changed. Put ${basename(file)} back beside it; or, to do without it, move the log away, ` +
    `too: ${movedAway(file)}`
  )
}

/** Returns why a file and its log are not of one exchange; undefined if they are. */
function foreignLogRefusal(file: string, log: LogReading): string | undefined {
  const inFile = readIdIn(file)
  if (inFile === undefined || inFile === 0 || log.id === undefined || log.id === inFile) return undefined
  return (
    `the write-ahead log ${file}-wal is of ${named(log.id)}, ${basename(file)} of ${named(inFile)}. ` +
    'Nothing was changed. Put the log beside its own file, or delete it if the file was restored'
  )
}

/**
 * Returns why the file, its log and the id file do not belong together; undefined if they do. The id is in
 * page 1, which every batch writes, so each log carries it. A new file has no id yet: its first log
 * brings it.
 */
function idRefusal(file: string, log: LogReading): string | undefined {
  const inFile = readIdIn(file)
  if (inFile === undefined) return undefined
  const refusal = foreignLogRefusal(file, log)
  if (refusal !== undefined) return refusal
  const idFile = new IdFile(file)
  const beside = idFile.read()
  const id = inFile || (log.id ?? 0)
  if (beside === undefined || beside === id || sizeOfFile(file) === 0) return missingRefusal(file, idFile)
  return (
    `${file} is of ${named(id)}, its directory of ${named(beside)} (${idFile.path}). Nothing was changed. ` +
    `Restore a backup of that exchange; to go on with this file here, delete ${idFile.path}`
  )
}

/** Returns why an exchange that was here must not be replaced by a new one. */
function missingRefusal(file: string, idFile: IdFile): string | undefined {
  const journal = journalPath(file)
  if (sizeOfFile(file) > 0) return undefined
  if (sizeOfFile(journal) > 0) {
    return (
      `${file} is missing or empty, but its journal ${journal} is there. Nothing was changed. ` +
      `Put it back, or restore a backup as ${file}: the journal completes it. ` +
      `To begin a new exchange, move it away with its log: ${movedAway(journal)}` +
      (idFile.read() === undefined ? '' : `, and delete ${idFile.path}`)
    )
  }
  if (idFile.read() === undefined) return undefined
  return (
    `${file} is missing or empty, but ${idFile.path} says that an exchange was here. ` +
    `Restore a backup; to begin a new exchange, delete ${idFile.path}`
  )
}

/**
 * Returns why journal and tables belong to different exchanges; undefined if they match, or if there is no
 * journal yet.
 */
function journalRefusal(file: string, journal: string, logs: Logs): string | undefined {
  const inJournal = logs.journal.id ?? readIdIn(journal)
  if (inJournal === undefined || inJournal === 0) return undefined
  const id = logs.tables.id ?? readIdIn(file)
  if (id === undefined || id === inJournal) return undefined
  return (
    `${journal} is of ${named(inJournal)}, ${basename(file)} of ${named(id)}. Nothing was changed. ` +
    `Put the two files of one exchange together, or restore a backup with raay backup restore --overwrite`
  )
}

function named(id: number): string {
  return id === 0 ? 'an exchange without an id' : `exchange ${idText(id)}`
}
