import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../exit-errors.js'

interface NewFile {
  readonly directory: string
  /** May name a folder, too. */
  readonly name: string
  readonly text: string
  readonly mode: number
}

/** Writes a file that does not exist yet; returns its path. Throws Failure. */
export function writeNew({ directory, name, text, mode }: NewFile): string {
  const file = join(directory, name)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx', mode })
    return file
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new Failure(`${file} exists: move it away, or choose another directory with --out`)
    throw new Failure(`${file} cannot be written: ${code ?? message}`)
  }
}
