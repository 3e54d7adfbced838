import { createReadStream } from 'node:fs'
import type { Bytes } from '../backup-store.js'

/**
 * Reads a file. Opens it once someone reads: the stream of a file that nobody reads, because the work before
 * failed, would end the process if the file is gone by the time it is opened.
 */
export async function* fileContents(path: string): Bytes {
  yield* createReadStream(path)
}
