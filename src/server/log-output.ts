import { constants, fstatSync, openSync, writeSync } from 'node:fs'

const BYTES_MAX = 1024 * 1024
const AGAIN_MS = 50

/** The calls that write and wait; tests replace them. */
export interface LogCalls {
  /** Returns how many bytes were written; throws EAGAIN if the reader takes none. */
  readonly write: (bytes: Buffer) => number
  readonly later: (run: () => void, ms: number) => unknown
}

/**
 * Writes the lines of the log. A reader that stalls delays nobody: up to 1 MiB waits for it, further lines
 * are dropped and counted. A full disk costs lines, too, and nothing else.
 */
export class LogOutput {
  readonly #calls: LogCalls
  #waiting: Buffer[] = []
  #bytes = 0
  #dropped = 0
  /** Called with the number of lines that were dropped, once all before them are written. */
  onRoom: (dropped: number) => void = () => {}

  /** @param fd of the output; see `withoutBlocking` */
  constructor(fd: number, calls?: LogCalls) {
    const later = (run: () => void, ms: number) => setTimeout(run, ms).unref()
    this.#calls = calls ?? { write: bytes => writeSync(fd, bytes), later }
  }

  /** Writes a line, at once if the reader takes it. */
  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#bytes + bytes.length > BYTES_MAX) {
      this.#dropped++
      return
    }
    this.#bytes += bytes.length
    this.#waiting.push(bytes)
    if (this.#waiting.length === 1) this.#writeWaiting()
  }

  /** Writes what the reader still takes; to be called when the process exits. */
  finish(): void {
    this.#write()
  }

  #writeWaiting(): void {
    this.#write()
    if (this.#waiting.length > 0) {
      this.#calls.later(() => this.#writeWaiting(), AGAIN_MS)
      return
    }
    const dropped = this.#dropped
    this.#dropped = 0
    if (dropped > 0) this.onRoom(dropped)
  }

  /** Writes until nothing waits or the reader takes no more. */
  #write(): void {
    let rest = Buffer.concat(this.#waiting)
    try {
      while (rest.length > 0) rest = rest.subarray(this.#calls.write(rest))
    } catch (error) {
      // After any other error these lines are lost; the next ones are tried.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') rest = rest.subarray(rest.length)
    }
    this.#waiting = rest.length > 0 ? [rest] : []
    this.#bytes = rest.length
  }
}

/**
 * Returns a descriptor for the same output whose writes fail rather than wait for a reader, where the system
 * has one: for a pipe on Linux.
 */
export function withoutBlocking(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return fd
  }
}
