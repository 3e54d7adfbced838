import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { readIdIn } from '../../store/files/exchange-id.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import type { LogReading } from '../../store/files/log-frames.js'

/** Returns why SQLite must not read the log; undefined if it may. */
export function logRefusal(file: string, { damage }: LogReading): string | undefined {
  if (damage === undefined) return undefined
  const { frame, frames, offset } = damage
  const log = `${file}-wal`
  const where = frame === 0 ? 'its head' : `frame ${frame} of ${frames}`
  return (
    `the write-ahead log ${log} is damaged (${where}), and committed batches lie behind the damage. ` +
    'Nothing was changed. Restore a backup; or, to give up what lies behind it, ' +
    `keep a copy of both files and cut the log there: truncate -s ${offset} ${log}`
  )
}

/**
 * Returns why the file, its log and the id file do not belong together; undefined if they do. The id is in
 * page 1, which every batch writes, so each log carries it. A new file, or one of an older version, has no id
 * yet: its first log brings it.
 */
export function idRefusal(file: string, log: LogReading): string | undefined {
  const inFile = readIdIn(file)
  if (inFile === undefined) return undefined
  if (inFile !== 0 && log.id !== undefined && log.id !== inFile) {
    return (
      `the write-ahead log ${file}-wal is of ${named(log.id)}, ${basename(file)} of ${named(inFile)}. ` +
      'Nothing was changed. Put the log beside its own file, or delete it if the file was restored'
    )
  }
  const idFile = new IdFile(file)
  const beside = idFile.read()
  const id = inFile || (log.id ?? 0)
  if (beside === undefined || beside === id) return undefined
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    return (
      `${file} is missing or empty, but ${idFile.path} says that an exchange was here. ` +
      `Restore a backup; to begin a new exchange, delete ${idFile.path}`
    )
  }
  return (
    `${file} is of ${named(id)}, its directory of ${named(beside)} (${idFile.path}). Nothing was changed. ` +
    `Restore a backup of that exchange; to go on with this file here, delete ${idFile.path}`
  )
}

/**
 * Returns why the journal does not belong to the file of tables; undefined if it does. A file that has its
 * journal inside, as a backup or an older version's, may be without one or beside the one that continues it.
 */
export function journalRefusal(
  file: string,
  journal: string,
  log: LogReading,
  journalLog: LogReading,
): string | undefined {
  const inJournal = journalLog.id ?? readIdIn(journal)
  if (inJournal === undefined || inJournal === 0) return undefined
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    return (
      `${file} is missing or empty, but its journal ${journal} is there. Nothing was changed. Restore a ` +
      `backup as ${file}: the journal completes it. To begin a new exchange, move ${journal} away`
    )
  }
  const id = log.id ?? readIdIn(file)
  if (id === undefined || id === inJournal) return undefined
  return (
    `${journal} is of ${named(inJournal)}, ${basename(file)} of ${named(id)}. Nothing was changed. ` +
    'Put the two files of one exchange together, or restore a backup and move the journal away'
  )
}

function named(id: number): string {
  return id === 0 ? 'an exchange without an id' : `exchange ${idText(id)}`
}
