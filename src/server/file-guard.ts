import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Exchange } from '../exchange/exchange.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { FilesMovedError } from '../store/files/file-places.js'
import { FilePlaces } from '../store/files/file-places.js'

export interface FileGuardOptions {
  readonly directory: DataDirectory
  readonly exchange: Exchange
  readonly log: Logger
  /** Answers nobody any more, at once. */
  readonly silence: () => void
  readonly fail: (error: Error) => void
}

/**
 * Stops a process whose files were deleted or replaced while it runs: nobody is answered any more, everything
 * that was acknowledged is copied to a new file as far as it can be, and the process ends.
 */
export class FileGuard {
  readonly #options: FileGuardOptions
  readonly #places: FilePlaces
  #isLooking = false
  #isStopped = false

  constructor(options: FileGuardOptions) {
    const { file, lock } = options.directory
    this.#options = options
    this.#places = new FilePlaces([file, `${file}-wal`, `${file}-shm`, lock])
  }

  /** To be called every second; while one look takes longer, the next are left out. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return
    this.#isLooking = true
    const moved = await this.#places.look()
    this.#isLooking = false
    if (moved !== undefined && !this.#isStopped) await this.#stopProcess(moved)
  }

  /** Looks for the last time: what follows deletes the log itself. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    await this.#places.look()
    const moved = await this.#places.look()
    if (moved !== undefined) await this.#stopProcess(moved)
  }

  async #stopProcess(moved: FilesMovedError): Promise<void> {
    const { directory, silence, fail } = this.#options
    this.#isStopped = true
    silence()
    if (moved.paths.some(path => path !== directory.lock)) await this.#rescue()
    fail(moved)
  }

  /** Copies what the open connections still see: with the process the deleted files go for good. */
  async #rescue(): Promise<void> {
    const { directory, exchange, log } = this.#options
    const file = join(directory.path, `raay-rescued-${process.pid}.db`)
    try {
      const sequence = await exchange.rescueTo(file)
      log.error({ file, sequence }, `everything that was acknowledged is in ${file}`)
    } catch (error) {
      log.error({ err: error }, `no copy could be made in ${file}`)
    }
  }
}
