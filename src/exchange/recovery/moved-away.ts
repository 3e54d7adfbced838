import { basename, dirname, join } from 'node:path'

/** Returns the command that moves a database away with its log: alone, the log would go to the next one. */
export function movedAway(file: string): string {
  const folder = join(dirname(file), `old-${basename(file, '.db')}`)
  return `mkdir ${folder} && mv ${file}* ${folder}`
}
