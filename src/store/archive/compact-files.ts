import { checkpoint, openDatabase } from '../database.js'
import { journalPath } from '../files/journal-path.js'

/** From this share of unused pages on, a file is rewritten without them. */
const FREE_SHARE_MAX = 0.1

/** Gives the room of deleted rows and batches back to the file system, if there is much. */
export function compactFiles(file: string): void {
  for (const path of [file, journalPath(file)]) {
    const database = openDatabase(path)
    try {
      checkpoint(database)
      const [free, all] = ['freelist_count', 'page_count'].map(name =>
        database.pragma(name, { simple: true }),
      )
      if (Number(free) > Number(all) * FREE_SHARE_MAX) database.exec('VACUUM main')
      checkpoint(database)
    } finally {
      database.close()
    }
  }
}
