import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 1 << 20

/**
 * Returns the SHA-256 of a file in hexadecimal digits. Closing the file drops SQLite's locks on it: only for
 * files that nobody writes any more.
 */
export function fileDigest(path: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    for (let length = 1; length > 0; ) {
      length = readSync(descriptor, chunk, 0, chunk.length, null)
      hash.update(chunk.subarray(0, length))
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
