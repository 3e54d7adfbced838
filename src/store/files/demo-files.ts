import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DECISION_MARK_FILE } from '../companions/decision-mark.js'
import { RESERVE_FILE } from '../disk-room.js'
import { COMPANIONS, companionPath } from './companion-files.js'
import { OPERATOR_KEY_FILE, WEBHOOK_KEY_FILE } from './credential-files.js'
import type { DataDirectory } from './data-directory.js'
import { DEMO_MARK, openDataDirectory } from './data-directory.js'
import { sizeOfFile } from './file-bytes.js'
import { IdFile } from './id-file.js'
import { journalPath } from './journal-path.js'

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

  /** The size of tables and journal, without their logs. */
  get bytes(): number {
    const { file } = this.#directory
    return sizeOfFile(file) + sizeOfFile(journalPath(file))
  }

  /** Deletes the database, and the leftovers of an interrupted start. */
  clear(): void {
    removeExchange(this.#directory.file)
    removeExchange(this.#historyFile)
  }

  /**
   * Creates the files under other names and renames them, the tables last, so that an interrupted start
   * leaves nothing that looks finished. SQLite syncs the directory, and so the new names, with the server's
   * first commit.
   */
  async make(write: (file: string) => Promise<void>): Promise<void> {
    const from = this.#historyFile
    const to = this.#directory.file
    removeExchange(from)
    await write(from)
    rmSync(new IdFile(from).path, { force: true })
    renameSync(journalPath(from), journalPath(to))
    renameSync(from, to)
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
  rmSync(join(path, OPERATOR_KEY_FILE), { force: true })
  rmSync(join(path, WEBHOOK_KEY_FILE), { force: true })
  rmSync(join(path, DECISION_MARK_FILE), { force: true })
  for (const companion of COMPANIONS) removeDatabase(companionPath(open.file, companion))
  try {
    rmdirSync(path)
  } catch {
    // The directory contains other files, which are not the demo's to delete.
  }
  return true
}

/** Removes the id file first: without its tables, it would mean that an exchange was lost. */
function removeExchange(file: string): void {
  rmSync(new IdFile(file).path, { force: true })
  removeDatabase(journalPath(file))
  removeDatabase(file)
}

function removeDatabase(file: string): void {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
