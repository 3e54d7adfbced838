import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretBytes } from '../access/secrets.js'
import { writePrivateFile } from '../store/files/private-files.js'

/** The file in the data directory of a standby with what tells it from all others. */
const ID_FILE = 'raay.standby'
const ID = /^([0-9a-f]{16})\n$/

/** Returns what names a standby in its marks, and a restart keeps: containers have equal hosts and paths. */
export function standbyId(data: string): string {
  const path = join(data, ID_FILE)
  const [, kept] = ID.exec(textOf(path)) ?? []
  if (kept !== undefined) return kept
  const id = secretBytes(8).toString('hex')
  writePrivateFile(path, `${id}\n`)
  return id
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
