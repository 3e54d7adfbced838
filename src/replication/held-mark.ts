import { readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sequence } from '../core/units.js'
import { isPassing } from '../store/database.js'
import { writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'

/** The last line that a log was known to hold. */
export interface HeldMark {
  readonly log: string
  readonly sequence: Sequence
}

/**
 * A file in the data directory with the last line that the log has acknowledged, or less: with a directory
 * or a bucket, the last one at the start.
 */
export class HeldMarkFile {
  readonly path: string

  /** @param file of the tables */
  constructor(file: string) {
    this.path = join(dirname(file), 'raay.replicated')
  }

  /** Returns the mark of a log; undefined without one. */
  read(log: string): Sequence | undefined {
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const [, name, sequence] = /^(\S+) (\d{1,16})\n$/.exec(text) ?? []
    return name === log ? (Number(sequence) as Sequence) : undefined
  }

  /**
   * Writes a mark, whole or not at all. Returns false where the disk refuses, perhaps because it is full: the
   * mark before stays, and is to be written again.
   */
  write({ log, sequence }: HeldMark): boolean {
    const next = `${this.path}.new`
    try {
      writePrivateFile(next, `${log} ${sequence}\n`)
      renameSync(next, this.path)
      syncPath(dirname(this.path))
      return true
    } catch (error) {
      if (isPassing(error)) return false
      throw error
    }
  }
}
