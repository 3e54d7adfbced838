import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { archiveFault } from '../../store/archive/archive-fault.js'
import { wholeJournal } from '../../store/audit/last-sequence.js'
import type { Database } from '../../store/database.js'
import { openReadOnly } from '../../store/database.js'
import type { Companion } from '../../store/files/companion-files.js'
import { COMPANIONS, companionBackupPath, companionPath } from '../../store/files/companion-files.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { journalPath, TABLES_FILE } from '../../store/files/journal-path.js'
import type { LogReading } from '../../store/files/log-frames.js'
import { readLog } from '../../store/files/log-frames.js'
import { schemaRefusal } from '../../store/tables-schema.js'
import { RestoreError } from './restore-error.js'

/** A companion of an exchange or of a backup. */
export interface CompanionFile {
  readonly companion: Companion
  readonly path: string
}

/** A history that can be restored: a backup, or the files of an exchange. It is only read. */
export interface HistorySource {
  /** For messages. */
  readonly name: string
  readonly database: Database
  /** The whole journal's name on the connection. */
  readonly journal: string
  readonly id: number
  /** The size of its files. */
  readonly bytes: number
  /** The companions that belong to it. */
  readonly companions: readonly CompanionFile[]
  /** Corruption behind the journal's last readable batch. */
  readonly logDamage: LogReading['damage']
}

/**
 * Opens a backup file or a data directory for reading, as of this moment. Throws RestoreError if it cannot be
 * replayed from its beginning.
 */
export function openSource(path: string): HistorySource {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const file = isDirectory ? join(path, TABLES_FILE) : path
  if (!existsSync(file)) throw new RestoreError(`there is no file ${file}`)
  const isBackup = basename(file) !== TABLES_FILE && !existsSync(journalPath(file))
  // Read directly, so before any connection is opened.
  const logDamage = readLog(`${isBackup ? file : journalPath(file)}-wal`).damage
  return reading(path, () => {
    const database = openReadOnly(file)
    try {
      database.exec('BEGIN')
      const journal = replayableJournal(database, path, file)
      const id = Number(database.pragma('main.application_id', { simple: true }))
      const companions = companionsBeside(file, isBackup)
      const bytes = sizeOfFile(file) + sizeOfFile(journalPath(file))
      return { name: path, database, journal, id, bytes, companions, logDamage }
    } catch (error) {
      database.close()
      throw error
    }
  })
}

function companionsBeside(file: string, isBackup: boolean): CompanionFile[] {
  const pathOf = isBackup ? companionBackupPath : companionPath
  const all = COMPANIONS.map(companion => ({ companion, path: pathOf(file, companion) }))
  return all.filter(({ path }) => existsSync(path))
}

/** Runs a reading of a source; names the source in SQLite's errors. */
function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RestoreError) throw error
    throw new RestoreError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function replayableJournal(database: Database, name: string, file: string): string {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new RestoreError(`${name}: ${refusal}`)
  const journal = wholeJournal(database)
  if (journal === undefined) throw new RestoreError(`${name} has no journal: put it back beside it`)
  const fault = archiveFault(database, file)
  if (fault !== undefined) throw new RestoreError(fault)
  return journal
}
