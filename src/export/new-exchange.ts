import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuiltExchange, History, PastProgress } from '../backup/past/build-exchange.js'
import { buildExchange } from '../backup/past/build-exchange.js'
import { isDiskFull } from '../store/database.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { LOCK_FILE, TABLES_FILE } from '../store/files/journal-path.js'
import { commitRestore, RESTORE_FOLDER } from '../store/files/pending-restore.js'
import { ExportError } from './export-error.js'

/** The names in an empty directory: the lock, those of file systems, and the folder of a killed import. */
const EMPTY: readonly string[] = [LOCK_FILE, 'lost+found', RESTORE_FOLDER]

/**
 * Makes an exchange from a history in an empty directory. It is built in the folder of restores, and takes
 * its place once it is verified; if the work fails, the directory is empty again.
 */
export async function makeExchange(
  directory: string,
  history: History,
  told: (progress: PastProgress) => void,
): Promise<BuiltExchange> {
  assertEmpty(resolve(directory))
  // Clears away what a killed import has left.
  const { path, release } = openDataDirectory(directory)
  const folder = join(path, RESTORE_FOLDER)
  try {
    assertEmpty(path)
    mkdirSync(folder, { mode: 0o700 })
    const built = await buildExchange(history, join(folder, TABLES_FILE), told)
    commitRestore(path, { files: built.files, aside: 'replaced' }, () => undefined)
    return built
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
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
