import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR_KEY_FILE } from '../store/files/credential-files.js'
import { writePrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'
import { newSecret } from './secrets.js'

const KEY = /^ro_[\w-]{43}$/

export function operatorKeyPath(directory: string): string {
  return join(directory, OPERATOR_KEY_FILE)
}

/**
 * Returns the operator's key of a data directory, and makes it if there is none. The directory must be
 * locked.
 * Throws if the file does not contain a key.
 */
export function openOperatorKey(directory: string): string {
  const path = operatorKeyPath(directory)
  if (existsSync(path)) return readOperatorKey(directory)
  const key = newSecret('ro_')
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  writePrivateFile(unfinished, `${key}\n`)
  renameSync(unfinished, path)
  syncPath(directory)
  return key
}

/** Reads the operator's key of a data directory. Throws if there is none. */
export function readOperatorKey(directory: string): string {
  const path = operatorKeyPath(directory)
  const key = readFileSync(path, 'utf8').trim()
  if (KEY.test(key)) return key
  throw new Error(`${path} does not contain an operator's key: delete it, and the next start makes a new one`)
}
