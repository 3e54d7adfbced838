import { basename, dirname, join } from 'node:path'

/** The file of the tables in a data directory, and that of the journal beside it. */
export const TABLES_FILE = 'raay.db'
export const JOURNAL_FILE = 'journal.db'
/** The file whose lock the exchange that uses a data directory holds. */
export const LOCK_FILE = 'raay.lock'

/**
 * Returns the journal that belongs to a file of tables: `journal.db` beside `raay.db`, and
 * `<name>.journal.db` beside a file of any other name.
 */
export function journalPath(file: string): string {
  if (basename(file) === TABLES_FILE) return join(dirname(file), JOURNAL_FILE)
  return `${file.replace(/\.db$/, '')}.journal.db`
}
