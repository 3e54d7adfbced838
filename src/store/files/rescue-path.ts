import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Returns where to copy a file that is open and no longer in its place: beside it, or beside its directory if
 * that is gone, too. The name is a new one: an earlier copy may be the only one of what it holds, and in a
 * container each process has the same id.
 */
export function rescuePath(file: string): string {
  const directory = dirname(file)
  const folder = existsSync(directory) ? directory : dirname(directory)
  const name = join(folder, `${basename(file, '.db')}-rescued-${process.pid}`)
  let path = `${name}.db`
  for (let number = 2; existsSync(path); number++) path = `${name}-${number}.db`
  return path
}
