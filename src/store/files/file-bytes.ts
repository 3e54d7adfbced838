import { stat } from 'node:fs/promises'

/** The sizes of the database file and of its write-ahead log. */
export interface FileBytes {
  readonly database: number
  readonly wal: number
}

/** Returns the sizes by `stat`: opening the file would drop SQLite's locks. */
export async function fileBytes(file: string): Promise<FileBytes> {
  const [database, wal] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
  return { database, wal }
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
