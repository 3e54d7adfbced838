import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sequence } from '../core/units.js'
import { writePrivateFile } from '../store/files/private-files.js'

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

  /** Returns the mark of a log; undefined without one, and where a power cut tore it. */
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

  write({ log, sequence }: HeldMark): void {
    writePrivateFile(this.path, `${log} ${sequence}\n`)
  }
}
