import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Returns the path itself if it is a file, such as a backup; else the data file in that directory. */
export function dataFileAt(data: string): string {
  const path = resolve(data)
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : join(path, 'raay.db')
}
