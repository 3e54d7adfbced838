import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writePrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

const ID = /^([0-9a-f]{8})\n$/

/** The file beside a data file that keeps the exchange's id: `raay.id` beside `raay.db`. */
export class IdFile {
  readonly path: string

  constructor(file: string) {
    this.path = `${file.replace(/\.db$/, '')}.id`
  }

  /** Returns the id; undefined if the file is missing or was torn by a power cut. */
  read(): number | undefined {
    try {
      const digits = ID.exec(readFileSync(this.path, 'latin1'))?.[1]
      return digits === undefined ? undefined : Number.parseInt(digits, 16)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Writes the id; to be called after the data file has it on disk. */
  write(id: number): void {
    writePrivateFile(this.path, `${idText(id)}\n`)
    syncPath(dirname(this.path))
  }
}

/** Formats an id as eight hexadecimal digits. */
export function idText(id: number): string {
  return id.toString(16).padStart(8, '0')
}
