import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Logger } from 'pino'

/** Looks from one line in the log to the next: a minute, at a look each second. */
const LOOKS_BETWEEN = 60
const RUN_OUT = `no more files can be opened: new connections wait or are closed, backups and pictures fail; \
raise the limit of open files (LimitNOFILE of the service), or lower --connections-max`

/**
 * Logs that files have run out, at most once a minute. Nothing else would say so: Node neither reports a
 * connection that it cannot accept nor stops trying.
 */
export class OpenFilesLog {
  readonly #log: Pick<Logger, 'info' | 'warn'>
  readonly #open: () => void
  #looksLeft = 0
  #hasRunOut = false

  constructor(log: Pick<Logger, 'info' | 'warn'>, open = openOne) {
    this.#log = log
    this.#open = open
  }

  /** Opens a file, and closes it; to be called every second. */
  look(): void {
    this.#looksLeft = Math.max(0, this.#looksLeft - 1)
    const error = this.#failure()
    if (error === undefined && this.#hasRunOut) this.#log.info('files can be opened again')
    if (error !== undefined && this.#looksLeft === 0) {
      this.#looksLeft = LOOKS_BETWEEN
      this.#log.warn({ code: error.code }, RUN_OUT)
    }
    this.#hasRunOut = error !== undefined
  }

  #failure(): NodeJS.ErrnoException | undefined {
    try {
      this.#open()
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Any other failure says nothing about files.
      return code === 'EMFILE' || code === 'ENFILE' ? (error as NodeJS.ErrnoException) : undefined
    }
  }
}

function openOne(): void {
  closeSync(openSync(devNull, 'r'))
}
