import type { Sequence, TimeMs } from '../../core/units.js'
import type { Database } from '../sqlite.js'

/**
 * The archive according to the tables: its last batch with time and hash, and the size and SHA-256 of the
 * file, which never changes once it is in place.
 */
export interface ArchiveMark {
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly hash: Buffer
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly digest: string
}

/** Returns the mark of a file of tables; undefined if nothing was archived, or before version 9. */
export function archiveMark(database: Database): ArchiveMark | undefined {
  const isThere = database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'archived'").get()
  if (isThere === undefined) return undefined
  const select = 'SELECT sequence, at, hash, bytes, digest FROM main.archived'
  return database.prepare<unknown[], ArchiveMark>(select).get()
}

/** Writes the mark, within the caller's transaction if there is one. */
export function writeMark(database: Database, { sequence, at, hash, bytes, digest }: ArchiveMark): void {
  const columns = 'id, sequence, at, hash, bytes, digest'
  const insert = `INSERT OR REPLACE INTO main.archived (${columns}) VALUES (1, ?, ?, ?, ?, ?)`
  database.prepare(insert).run(sequence, at, hash, bytes, digest)
}
