import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../exit-errors.js'

/** Returns the path of a file to write. Throws if something is there already. */
export function freePath(out: string): string {
  const path = resolve(out)
  if (existsSync(path))
    throw new Failure(`${path} is there already: move it away, or name another with --out`)
  return path
}
