import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockForProcess } from './database.js'

/** The directory that holds everything the exchange knows, locked for this process. */
export interface DataDirectory {
  readonly path: string
  /** The one file to back up. */
  readonly file: string
  readonly release: () => void
}

/** A data directory that cannot be used; the message says why and what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Creates the directory where it is missing, and locks it. */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory)
  const lock = lockOf(path)
  if (lock === undefined) {
    const advice = 'stop it, or choose another directory with --data'
    throw new DataDirectoryError(`${path} is in use by another Raay process: ${advice}`)
  }
  return { path, file: join(path, 'raay.db'), release: lock.release }
}

function lockOf(path: string): ReturnType<typeof lockForProcess> {
  try {
    mkdirSync(path, { recursive: true })
    return lockForProcess(join(path, 'raay.lock'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DataDirectoryError(`${path} cannot be used as data directory: ${reason}`)
  }
}
