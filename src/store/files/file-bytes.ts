import { stat } from 'node:fs/promises'

/** How large the exchange's file is, and the log that is still to go into it. */
export interface FileBytes {
  readonly database: number
  readonly wal: number
}

/** Asks for the sizes alone: opening the file beside SQLite would drop SQLite's locks. */
export async function fileBytes(file: string): Promise<FileBytes> {
  const [database, wal] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
  return { database, wal }
}

/** 0 where there is none: SQLite makes its log when it needs one. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
