import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { sizeOfFile } from '../store/files/file-bytes.js'
import { createPrivateFile, writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'

/** Progress of a file, which a later process goes on from. */
export interface FilePart<Note> {
  readonly bytes: number
  readonly note: Note
}

const PARTIAL = '.partial'
const PROGRESS = '.partial.json'
const PROGRESS_NEXT = '.partial.json.new'

/**
 * A file that is written in parts as `FILE.partial`, and gets its own name when it is complete and synced.
 * After each part `FILE.partial.json` says what has been written, so a kill costs one part.
 */
export class PartialFile<Note> {
  readonly #path: string
  readonly #descriptor: number
  #bytes: number

  private constructor(path: string, descriptor: number, bytes: number) {
    this.#path = path
    this.#descriptor = descriptor
    this.#bytes = bytes
  }

  /** Returns what an interrupted process has noted; undefined if there is nothing to go on from. */
  static progress<Note>(path: string): FilePart<Note> | undefined {
    try {
      const found = JSON.parse(readFileSync(path + PROGRESS, 'utf8')) as FilePart<Note>
      return sizeOfFile(path + PARTIAL) >= found.bytes ? found : undefined
    } catch {
      // Missing, or torn by a power cut.
      return undefined
    }
  }

  /** Opens the file behind a part, and drops what follows it; without one, starts over. */
  static open<Note>(path: string, after?: FilePart<Note>): PartialFile<Note> {
    const bytes = after?.bytes ?? 0
    if (after === undefined) rmSync(path + PROGRESS, { force: true })
    createPrivateFile(path + PARTIAL)
    const descriptor = openSync(path + PARTIAL, 'r+')
    ftruncateSync(descriptor, bytes)
    return new PartialFile(path, descriptor, bytes)
  }

  /** Writes a part, and notes it once it is synced. */
  write(part: Uint8Array, note: Note): void {
    this.#append(part)
    fsyncSync(this.#descriptor)
    const progress: FilePart<Note> = { bytes: this.#bytes, note }
    // Renamed, so that a kill leaves this note or the one before.
    writePrivateFile(this.#path + PROGRESS_NEXT, JSON.stringify(progress))
    renameSync(this.#path + PROGRESS_NEXT, this.#path + PROGRESS)
  }

  /** Writes the end, and gives the file its name. Throws if another file has that name by now. */
  finish(end: Uint8Array): void {
    this.#append(end)
    fsyncSync(this.#descriptor)
    if (existsSync(this.#path))
      throw new Error(`${this.#path} is there already: move it away, and export again`)
    closeSync(this.#descriptor)
    renameSync(this.#path + PARTIAL, this.#path)
    rmSync(this.#path + PROGRESS, { force: true })
    syncPath(dirname(this.#path))
  }

  /** Closes the file, for a later process to go on. */
  close(): void {
    closeSync(this.#descriptor)
  }

  #append(part: Uint8Array): void {
    for (let at = 0; at < part.length; ) {
      at += writeSync(this.#descriptor, part, at, part.length - at, this.#bytes + at)
    }
    this.#bytes += part.length
  }
}
