import { existsSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RESERVE_FILE } from '../disk-room.js'
import type { DataDirectory } from './data-directory.js'
import { DEMO_MARK, openDataDirectory } from './data-directory.js'
import { IdFile } from './id-file.js'

/** The files that SQLite keeps beside a database, in use or after a crash. */
const SUFFIXES = ['', '-wal', '-shm', '-journal']
const HISTORY = 'history.db'

/** The files of a demo. No connection may have them open while they are created or removed. */
export class DemoFiles {
  readonly #directory: DataDirectory

  constructor(directory: DataDirectory) {
    this.#directory = directory
  }

  /** True if there is a database to continue with. */
  get exist(): boolean {
    return existsSync(this.#directory.file)
  }

  /** The size of the file, without its log. */
  get bytes(): number {
    return statSync(this.#directory.file).size
  }

  /** Deletes the database, and the leftovers of an interrupted start. */
  clear(): void {
    removeDatabase(this.#directory.file)
    removeDatabase(this.#historyFile)
  }

  /**
   * Creates the file under another name and renames it, so that an interrupted start leaves nothing that
   * looks finished. SQLite syncs the directory, and so the new name, with the server's first commit.
   */
  async make(write: (file: string) => Promise<void>): Promise<void> {
    const file = this.#historyFile
    removeDatabase(file)
    await write(file)
    rmSync(new IdFile(file).path, { force: true })
    renameSync(file, this.#directory.file)
  }

  get #historyFile(): string {
    return join(this.#directory.path, HISTORY)
  }
}

/**
 * Deletes a demo, and its directory where nothing else lies in it. Answers false where there is no demo.
 * Throws DataDirectoryError where it is running.
 */
export function removeDemo(directory: string): boolean {
  const path = resolve(directory)
  const mark = join(path, DEMO_MARK)
  if (!existsSync(mark)) return false
  const open = openDataDirectory(path, 'demo')
  new DemoFiles(open).clear()
  rmSync(mark)
  open.release()
  removeDatabase(open.lock)
  rmSync(join(path, RESERVE_FILE), { force: true })
  try {
    rmdirSync(path)
  } catch {
    // The directory contains other files, which are not the demo's to delete.
  }
  return true
}

/** Removes the id file first: without its database, it would mean that an exchange was lost. */
function removeDatabase(file: string): void {
  rmSync(new IdFile(file).path, { force: true })
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
