import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { journalPath } from './journal-path.js'

/** The sizes of an exchange's two files and of their write-ahead logs. */
export interface FileBytes {
  /** The file of the tables. */
  readonly database: number
  readonly wal: number
  readonly journal: number
  readonly journalWal: number
}

/** Returns the sizes by `stat`: opening the files would drop SQLite's locks. */
export async function fileBytes(file: string): Promise<FileBytes> {
  const beside = journalPath(file)
  const paths = [file, `${file}-wal`, beside, `${beside}-wal`]
  const [database = 0, wal = 0, journal = 0, journalWal = 0] = await Promise.all(paths.map(sizeOf))
  return { database, wal, journal, journalWal }
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
