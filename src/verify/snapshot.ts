import { statSync } from 'node:fs'
import { archiveFault } from '../store/archive/archive-fault.js'
import { wholeJournal } from '../store/audit/last-sequence.js'
import type { Database } from '../store/database.js'
import { openReadOnly } from '../store/database.js'
import { journalPath } from '../store/files/journal-path.js'
import { schemaVersion } from '../store/schema.js'
import { SCHEMA_VERSION, schemaRefusal } from '../store/tables-schema.js'
import { unreadable, VerifyError } from './verify-error.js'

/** Tables and journal as they were at one moment, for reading; writers are not held up. */
export class Snapshot {
  readonly database: Database
  readonly #path: string

  /** Throws VerifyError if there is no such file, or it is not of this version. */
  constructor(path: string) {
    // Only checks existence: opening the file beside SQLite would drop SQLite's locks.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new VerifyError(`there is no data file ${path}: name its directory with --data`)
    }
    this.#path = path
    this.database = readable(path, () => openReadOnly(path))
    try {
      readable(path, () => assertVersion(this.database))
      readable(path, () => assertJournal(this.database, path))
    } catch (error) {
      this.database.close()
      throw error
    }
  }

  /**
   * Moves on to the present; returns the last batch that the tables include: two snapshots with the same one
   * have equal tables. Throws VerifyError, since an error of SQLite would cross threads without its message.
   */
  renew(): number {
    return readable(this.#path, () => this.#renew())
  }

  #renew(): number {
    if (this.database.inTransaction) this.database.exec('ROLLBACK')
    this.database.exec('BEGIN')
    const newest = 'SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1'
    return this.database.prepare<unknown[], number>(newest).pluck().get() ?? 0
  }

  close(): void {
    this.database.close()
  }
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof VerifyError ? error : unreadable(path, error)
  }
}

function assertVersion(database: Database): void {
  const refusal = schemaRefusal(database)
  if (refusal !== undefined) throw new VerifyError(refusal)
  const version = schemaVersion(database)
  if (version === SCHEMA_VERSION) return
  const advice = version === 0 ? 'it is empty' : 'start Raay once to bring it up to date'
  throw new VerifyError(`the data file has version ${version}, this program ${SCHEMA_VERSION}: ${advice}`)
}

function assertJournal(database: Database, path: string): void {
  if (wholeJournal(database) === undefined) {
    throw new VerifyError(`${path} has lost its journal ${journalPath(path)}: put it back beside it`)
  }
  const fault = archiveFault(database, path)
  if (fault !== undefined) throw new VerifyError(fault)
}
