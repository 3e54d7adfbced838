import { existsSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RESERVE_FILE } from '../disk-room.js'
import type { DataDirectory } from './data-directory.js'
import { DEMO_MARK, openDataDirectory } from './data-directory.js'
import { IdFile } from './id-file.js'

/** Beside a file of SQLite, while it is in use or after a crash. */
const SUFFIXES = ['', '-wal', '-shm', '-journal']
const HISTORY = 'history.db'

/** The files of a demo whose directory is open. No connection to them may be, while they come and go. */
export class DemoFiles {
  readonly #directory: DataDirectory

  constructor(directory: DataDirectory) {
    this.#directory = directory
  }

  /** Whether there is something to go on with. */
  get exist(): boolean {
    return existsSync(this.#directory.file)
  }

  /** How large the file has become; its log is not counted. */
  get bytes(): number {
    return statSync(this.#directory.file).size
  }

  /** Deletes what has been traded, and what an interrupted start may have left. */
  clear(): void {
    removeDatabase(this.#directory.file)
    removeDatabase(this.#historyFile)
  }

  /**
   * Makes the file from its beginning: under another name, so that a start that is interrupted leaves nothing
   * that looks finished. SQLite syncs the directory with the first commit of the server, and so the name.
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
    // Something else lies in it, and is not the demo's to delete.
  }
  return true
}

/** The id goes first: without its file, it would say that an exchange was lost. */
function removeDatabase(file: string): void {
  rmSync(new IdFile(file).path, { force: true })
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
