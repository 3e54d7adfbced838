import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuiltExchange, History, PastProgress } from '../backup/past/build-exchange.js'
import { buildExchange } from '../backup/past/build-exchange.js'
import { isDiskFull } from '../store/database.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { LOCK_FILE, TABLES_FILE } from '../store/files/journal-path.js'
import { RESTORE_FOLDER, replaceExchange } from '../store/files/pending-restore.js'
import { ExportError } from './export-error.js'

/** The names in an empty directory: the lock, those of file systems, and the folder of a killed import. */
const EMPTY: readonly string[] = [LOCK_FILE, 'lost+found', RESTORE_FOLDER]

/**
 * Makes an exchange from a history in an empty directory. It is built in the folder of restores, and takes
 * its place once it is verified; if the work fails before, the directory is empty again.
 */
export async function makeExchange(
  directory: string,
  history: History,
  told: (progress: PastProgress) => void,
): Promise<BuiltExchange> {
  assertEmpty(resolve(directory))
  // Clears away what a killed import has left.
  const { path, release } = openDataDirectory(directory)
  try {
    assertEmpty(path)
    return await replaceExchange(path, 'replaced', folder =>
      buildExchange(history, join(folder, TABLES_FILE), told),
    )
  } catch (error) {
    throw isDiskFull(error) ? new ExportError(`the disk of ${path} is full`) : error
  } finally {
    release()
  }
}

function assertEmpty(directory: string): void {
  if (!existsSync(directory)) return
  const found = readdirSync(directory).find(name => !EMPTY.includes(name))
  if (found === undefined) return
  throw new ExportError(`${directory} is not empty (${found}): name a new directory with --data`)
}
