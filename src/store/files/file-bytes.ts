import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { archivesIn } from '../archive/archive-path.js'
import { journalPath } from './journal-path.js'

/** The sizes of the files of an exchange and of their write-ahead logs. */
export interface FileBytes {
  /** The file of the tables. */
  readonly database: number
  readonly wal: number
  readonly journal: number
  readonly journalWal: number
  /** The size of the archive, which has no log. */
  readonly archive: number
}

/** Returns the sizes by `stat`: opening the files would drop SQLite's locks. */
export async function fileBytes(file: string): Promise<FileBytes> {
  const beside = journalPath(file)
  const paths = [file, `${file}-wal`, beside, `${beside}-wal`]
  const [database = 0, wal = 0, journal = 0, journalWal = 0] = await Promise.all(paths.map(sizeOf))
  const directory = dirname(file)
  const archives = archivesIn(directory).map(name => sizeOfFile(join(directory, name)))
  const archive = archives.reduce((sum, bytes) => sum + bytes, 0)
  return { database, wal, journal, journalWal, archive }
}

/** Returns the size of one file; 0 if it is missing. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Returns 0 for a missing file: SQLite creates its log on demand. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
