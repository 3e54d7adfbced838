import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Exchange } from '../exchange/exchange.js'
import { archivesIn } from '../store/archive/archive-path.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { FilesMovedError } from '../store/files/file-places.js'
import { FilePlaces } from '../store/files/file-places.js'
import { journalPath } from '../store/files/journal-path.js'
import { rescuePath } from '../store/files/rescue-path.js'

export interface FileGuardOptions {
  readonly directory: DataDirectory
  readonly exchange: Exchange
  readonly log: Logger
  /** Stops answering requests immediately. */
  readonly silence: () => void
  readonly fail: (error: Error) => void
}

/**
 * Stops the process if its files are deleted or replaced while it runs: stops answering, copies everything
 * acknowledged to a new file if possible, and ends the process.
 */
export class FileGuard {
  readonly #options: FileGuardOptions
  readonly #places: FilePlaces
  #isLooking = false
  #isStopped = false
  #hasMoved = false

  constructor(options: FileGuardOptions) {
    const { path, file, lock } = options.directory
    this.#options = options
    const databases = [file, journalPath(file)]
    const archives = archivesIn(path).map(name => join(path, name))
    const logged = databases.flatMap(database => [database, `${database}-wal`, `${database}-shm`])
    this.#places = new FilePlaces([...logged, ...archives, lock])
  }

  /** Looks at the files; to be called every second. Skips calls while a look is still running. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return
    this.#isLooking = true
    const moved = await this.#places.look()
    this.#isLooking = false
    if (moved !== undefined && !this.#isStopped) await this.#stopProcess(moved)
  }

  /**
   * Looks for the last time: what follows deletes the log itself. Resolves to true if files have moved: the
   * process then ends for that reason.
   */
  async stop(): Promise<boolean> {
    if (this.#isStopped) return this.#hasMoved
    this.#isStopped = true
    await this.#places.look()
    const moved = await this.#places.look()
    if (moved !== undefined) await this.#stopProcess(moved)
    return this.#hasMoved
  }

  async #stopProcess(moved: FilesMovedError): Promise<void> {
    const { directory, silence, fail } = this.#options
    this.#isStopped = true
    this.#hasMoved = true
    silence()
    if (moved.paths.some(path => path !== directory.lock)) await this.#rescue()
    fail(moved)
  }

  /** Copies tables and journal through an open connection: deleted files are lost when the process ends. */
  async #rescue(): Promise<void> {
    const { directory, exchange, log } = this.#options
    const file = rescuePath(directory.file)
    try {
      const sequence = await exchange.archive.rescueTo(file)
      log.error({ file, sequence }, `everything that was acknowledged is in ${file}`)
    } catch (error) {
      log.error({ err: error }, `no copy could be made in ${file}`)
    }
  }
}
